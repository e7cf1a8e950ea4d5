// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.table;

import io.github.rlsm.base.KeyOrder;
import io.github.rlsm.base.KeyRange;
import io.github.rlsm.base.LittleEndian;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Finds the page of a key by the fences of a table, in its mapped memory. {@link FencesLayout}
 * defines the bytes.
 *
 * <p>Threads: immutable; safe for use by many threads.
 */
final class Fences {

  private static final long SIGN = Long.MIN_VALUE;

  private final ByteBuffer memory;
  private final int block;
  private final int blockLength;
  private final int pageCount;
  private final int unitBytes;
  private final byte[] shared;

  /** The distance between page offsets if every page has one unit; otherwise 0. */
  private final int pageStride;

  /**
   * Creates the fences of the block that a footer describes. Callers check {@link #problem} first.
   */
  Fences(ByteBuffer memory, TableFooter footer) {
    this.memory = memory;
    this.block = footer.fencesOffset();
    this.blockLength = footer.fences().block().length();
    this.pageCount = footer.pages().count();
    this.unitBytes = footer.pages().unitBytes();
    this.pageStride = unit(pageCount) == pageCount ? unitBytes : 0;
    this.shared = new byte[footer.fences().sharedLength()];
    memory.get(block + FencesLayout.separators(pageCount), shared);
  }

  /** Describes an inconsistency in the offsets of pages and separators; null if there is none. */
  @Nullable
  String problem(long pagesLength, long entries) {
    if (unit(0) != 0 || entriesBefore(0) != 0 || separatorStart(0) != 0) {
      return "the first fence does not start at 0";
    }
    for (int i = 0; i < pageCount; i++) {
      if (unit(i) >= unit(i + 1)) {
        return "page " + i + " ends before its start";
      }
      int count = count(i);
      if (entriesBefore(i) < 0 || count < 1 || count > 0xFFFF) {
        return "page " + i + " has " + count + " entries";
      }
      if (separatorStart(i + 1) < (long) separatorStart(i) + shared.length) {
        return "the separator of page " + i + " is shorter than the shared prefix";
      }
    }
    if ((long) unit(pageCount) * unitBytes != pagesLength) {
      return "the pages end at unit " + unit(pageCount) + ", but at byte " + pagesLength;
    }
    if (entriesBefore(pageCount) != entries) {
      return "the fences have " + entriesBefore(pageCount) + " entries, the properties " + entries;
    }
    int separatorBytes = separatorStart(pageCount);
    return FencesLayout.length(pageCount, separatorBytes) == blockLength
        ? null
        : separatorBytes + " bytes of separators in a block of " + blockLength;
  }

  int pageCount() {
    return pageCount;
  }

  /** Start of a page in units. For the number of pages, the end of the last page. */
  int unit(int page) {
    return LittleEndian.getMappedInt(
        memory, block + FencesLayout.units(pageCount) + FencesLayout.NUMBER_BYTES * page);
  }

  /** Start of a page in bytes from the start of the file. */
  int offset(int page) {
    return pageStride != 0 ? page * pageStride : unit(page) * unitBytes;
  }

  /** Bytes that a page occupies in the file. */
  int storedBytes(int page) {
    return (unit(page + 1) - unit(page)) * unitBytes;
  }

  int entriesBefore(int page) {
    return LittleEndian.getMappedInt(
        memory, block + FencesLayout.entriesBefore(pageCount) + FencesLayout.NUMBER_BYTES * page);
  }

  /** Entries in a page. */
  int count(int page) {
    return entriesBefore(page + 1) - entriesBefore(page);
  }

  private int separatorStart(int page) {
    return LittleEndian.getMappedInt(
        memory, block + FencesLayout.separatorStarts(pageCount) + FencesLayout.NUMBER_BYTES * page);
  }

  /**
   * Returns a copy of a page's separator.
   *
   * @throws IndexOutOfBoundsException if the block was valid when the table was opened and is
   *     invalid now, because the file was truncated
   */
  byte[] separator(int page) {
    int start = separatorStart(page);
    int length = separatorStart(page + 1) - start;
    Objects.checkFromIndexSize(start, length, memory.capacity()); // before the allocation
    byte[] separator = new byte[length];
    memory.get(block + FencesLayout.separators(pageCount) + start, separator);
    return separator;
  }

  /** The prefix that the fences store for a page. The deep check compares it with the separator. */
  long prefix(int page) {
    return LittleEndian.getLong(memory, block + FencesLayout.PREFIX_BYTES * page);
  }

  int sharedLength() {
    return shared.length;
  }

  /** The only page that can hold the key; −1 if the table cannot hold it. */
  int find(byte[] key, int offset, int length) {
    int prefixLength = shared.length;
    if (length < prefixLength
        || !Arrays.equals(key, offset, offset + prefixLength, shared, 0, prefixLength)) {
      return -1;
    }
    return search(key, offset, length);
  }

  /**
   * The page where a search for a key's neighbours begins. All keys of earlier pages are smaller
   * than the key, and all keys of later pages are greater.
   */
  int seek(byte[] key, int offset, int length) {
    int prefixLength = Math.min(length, shared.length);
    int order = Arrays.compareUnsigned(key, offset, offset + prefixLength, shared, 0, prefixLength);
    if (order != 0) {
      return order < 0 ? 0 : pageCount - 1;
    }
    return length < shared.length ? 0 : search(key, offset, length);
  }

  /** The first page that can hold a key of the range. */
  int firstPage(KeyRange range) {
    byte[] from = range.from();
    return from == null ? 0 : seek(from, 0, from.length);
  }

  /** The last page that can hold a key of the range; less than the first if no page can. */
  int lastPage(KeyRange range) {
    byte[] to = range.to();
    if (to == null) {
      return pageCount - 1;
    }
    int page = seek(to, 0, to.length);
    return compareSeparator(page, to, 0, to.length) == 0 ? page - 1 : page;
  }

  /**
   * Estimates how many of a page's {@code count} keys are smaller than a key that belongs to it.
   * Assumes that keys are spread evenly between the fences. Returns −1 if the fences allow no
   * estimate.
   */
  int guessRank(int page, int count, byte[] key, int offset, int length) {
    if (page + 1 >= pageCount || length < shared.length) {
      return -1;
    }
    long low = prefix(page);
    long width = (prefix(page + 1) - low) >>> 1;
    long prefix = KeyOrder.prefix(key, offset + shared.length, length - shared.length);
    long distance = (prefix - low) >>> 1;
    // A key outside this page, or fences out of order, can give a place outside the page.
    return distance > width || width == 0 ? -1 : (int) ((double) distance / width * count);
  }

  private int search(byte[] key, int offset, int length) {
    long prefix = KeyOrder.prefix(key, offset + shared.length, length - shared.length);
    long wanted = prefix ^ SIGN;
    int page = 0;
    // Finds the last page whose prefix is not greater: one conditional move a step, no
    // mispredictions.
    for (int left = pageCount; left > 1; ) {
      int half = left >>> 1;
      page += (prefix(page + half) ^ SIGN) <= wanted ? half : 0;
      left -= half;
    }
    return prefix(page) == prefix ? searchTies(key, offset, length, prefix, page) : page;
  }

  /**
   * Finds the key's page among the pages up to {@code last} with this prefix, and the page before.
   */
  private int searchTies(byte[] key, int offset, int length, long prefix, int last) {
    int low = 0;
    int high = last + 1;
    while (high - low > 1) {
      int middle = (low + high) >>> 1;
      if (prefix(middle) == prefix && compareSeparator(middle, key, offset, length) > 0) {
        high = middle;
      } else {
        low = middle;
      }
    }
    return low;
  }

  /**
   * Compares the separator of a page with a key by their prefixes. Returns 0 if the prefixes do not
   * decide.
   */
  int comparePrefix(int page, byte[] key) {
    int prefixLength = shared.length;
    return key.length >= prefixLength
            && Arrays.equals(key, 0, prefixLength, shared, 0, prefixLength)
        ? Long.compareUnsigned(
            prefix(page), KeyOrder.prefix(key, prefixLength, key.length - prefixLength))
        : 0;
  }

  private int compareSeparator(int page, byte[] key, int offset, int length) {
    int start = separatorStart(page);
    int separator = block + FencesLayout.separators(pageCount) + start;
    return -KeyOrder.compare(
        key, offset, length, memory, separator, separatorStart(page + 1) - start);
  }

  /**
   * Collects the fences of a table while its pages are written.
   *
   * <p>Threads: one thread at a time.
   */
  static final class Builder {

    private int pageCount;
    private int[] units = new int[64];
    private int[] entriesBefore = new int[64];
    private int[] separatorStarts = new int[64];
    private byte[] separators = new byte[1024];
    private int separatorBytes;

    int pageCount() {
      return pageCount;
    }

    /**
     * Adds a page.
     *
     * @param unit start of the page in units
     * @param entries number of entries in the pages before it
     * @param separator array that begins with the separator between this page and the page before;
     *     ignored for the first page
     */
    void add(int unit, int entries, byte[] separator, int separatorLength) {
      if (pageCount == units.length) {
        int room = 2 * pageCount;
        units = Arrays.copyOf(units, room);
        entriesBefore = Arrays.copyOf(entriesBefore, room);
        separatorStarts = Arrays.copyOf(separatorStarts, room);
      }
      units[pageCount] = unit;
      entriesBefore[pageCount] = entries;
      separatorStarts[pageCount] = separatorBytes;
      if (pageCount > 0) {
        int end = Math.addExact(separatorBytes, separatorLength);
        if (end > separators.length) {
          separators = Arrays.copyOf(separators, Math.max(end, (int) Math.min(2L * end, 1 << 30)));
        }
        System.arraycopy(separator, 0, separators, separatorBytes, separatorLength);
        separatorBytes = end;
      }
      pageCount++;
    }

    /** The approximate length of the block with the present pages. */
    long bytesSoFar() {
      return FencesLayout.separators(pageCount) + (long) separatorBytes + FencesLayout.ALIGNMENT;
    }

    /**
     * Builds the block.
     *
     * @param endUnit end of the pages in units
     * @param entries number of entries in all pages
     * @param shared array that begins with the shared prefix of all keys
     */
    byte[] block(int endUnit, int entries, byte[] shared, int sharedLength) {
      int n = pageCount;
      byte[] block = new byte[FencesLayout.length(n, sharedLength + separatorBytes)];
      int bytes = FencesLayout.separators(n);
      System.arraycopy(shared, 0, block, bytes, sharedLength);
      System.arraycopy(separators, 0, block, bytes + sharedLength, separatorBytes);
      for (int i = 0; i < n; i++) {
        int start = i == 0 ? 0 : sharedLength + separatorStarts[i];
        int end =
            i + 1 == n ? sharedLength + separatorBytes : sharedLength + separatorStarts[i + 1];
        int length = end - start - sharedLength;
        long prefix = KeyOrder.prefix(block, bytes + start + sharedLength, length);
        LittleEndian.putLong(block, FencesLayout.PREFIX_BYTES * i, prefix);
        LittleEndian.putInt(block, FencesLayout.units(n) + FencesLayout.NUMBER_BYTES * i, units[i]);
        LittleEndian.putInt(
            block, FencesLayout.entriesBefore(n) + FencesLayout.NUMBER_BYTES * i, entriesBefore[i]);
        LittleEndian.putInt(
            block, FencesLayout.separatorStarts(n) + FencesLayout.NUMBER_BYTES * i, start);
      }
      LittleEndian.putInt(block, FencesLayout.units(n) + FencesLayout.NUMBER_BYTES * n, endUnit);
      LittleEndian.putInt(
          block, FencesLayout.entriesBefore(n) + FencesLayout.NUMBER_BYTES * n, entries);
      LittleEndian.putInt(
          block,
          FencesLayout.separatorStarts(n) + FencesLayout.NUMBER_BYTES * n,
          sharedLength + separatorBytes);
      return block;
    }
  }
}
