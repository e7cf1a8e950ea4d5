// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.level;

import io.github.rlsm.base.KeyOrder;
import io.github.rlsm.base.KeyRange;
import io.github.rlsm.base.LittleEndian;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The fences of a table, read from its mapped memory: which page a key belongs to.
 * {@link FencesLayout} tells the bytes.
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

  /** Where a page begins is its number times this; 0 if some page has more than one unit. */
  private final int pageStride;

  /** Made of the block that a footer names; to be asked for its {@link #problem} before use. */
  Fences(ByteBuffer memory, TableFooter footer) {
    this.memory = memory;
    this.block = footer.fencesOffset();
    this.blockLength = footer.fences().length();
    this.pageCount = footer.pageCount();
    this.unitBytes = footer.unitBytes();
    this.pageStride = unit(pageCount) == pageCount ? unitBytes : 0;
    this.shared = new byte[footer.sharedLength()];
    memory.get(block + FencesLayout.separators(pageCount), shared);
  }

  /** What is wrong with the numbers that lead to pages and separators; null if nothing is. */
  @Nullable
  String problem(long pagesLength, long entries) {
    if (unit(0) != 0 || entriesBefore(0) != 0 || separatorStart(0) != 0) {
      return "the first fence does not begin at 0";
    }
    for (int i = 0; i < pageCount; i++) {
      if (unit(i) >= unit(i + 1)) {
        return "page " + i + " ends before it begins";
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
      return "the pages end at unit " + unit(pageCount) + " and at byte " + pagesLength;
    }
    if (entriesBefore(pageCount) != entries) {
      return entriesBefore(pageCount) + " entries in the fences, " + entries + " in the properties";
    }
    int separatorBytes = separatorStart(pageCount);
    return FencesLayout.length(pageCount, separatorBytes) == blockLength
        ? null
        : separatorBytes + " bytes of separators in a block of " + blockLength;
  }

  int pageCount() {
    return pageCount;
  }

  /** Where a page begins, in units; for the number of pages, where the last one ends. */
  int unit(int page) {
    return LittleEndian.getMappedInt(memory, block + FencesLayout.units(pageCount) + 4 * page);
  }

  /** Where a page begins, in bytes from the file start. */
  int offset(int page) {
    return pageStride != 0 ? page * pageStride : unit(page) * unitBytes;
  }

  /** Bytes that a page takes in the file. */
  int storedBytes(int page) {
    return (unit(page + 1) - unit(page)) * unitBytes;
  }

  int entriesBefore(int page) {
    return LittleEndian.getMappedInt(
        memory, block + FencesLayout.entriesBefore(pageCount) + 4 * page);
  }

  /** Entries in a page. */
  int count(int page) {
    return entriesBefore(page + 1) - entriesBefore(page);
  }

  private int separatorStart(int page) {
    return LittleEndian.getMappedInt(
        memory, block + FencesLayout.separatorStarts(pageCount) + 4 * page);
  }

  /**
   * A copy of a page's separator.
   *
   * @throws IndexOutOfBoundsException if the block was sound when the table was opened and is not
   *     any more: the file was cut
   */
  byte[] separator(int page) {
    int start = separatorStart(page);
    int length = separatorStart(page + 1) - start;
    Objects.checkFromIndexSize(start, length, memory.capacity()); // before it is allocated
    byte[] separator = new byte[length];
    memory.get(block + FencesLayout.separators(pageCount) + start, separator);
    return separator;
  }

  /** The prefix that the fences claim for a page, to be checked against its separator. */
  long prefix(int page) {
    return LittleEndian.getLong(memory, block + 8 * page);
  }

  int sharedLength() {
    return shared.length;
  }

  /** The page that holds the key if the table does; −1 if the table cannot hold it. */
  int find(byte[] key, int offset, int length) {
    int prefixLength = shared.length;
    if (length < prefixLength
        || !Arrays.equals(key, offset, offset + prefixLength, shared, 0, prefixLength)) {
      return -1;
    }
    return search(key, offset, length);
  }

  /**
   * The page in which the search for a key's neighbours begins: all keys of earlier pages are
   * smaller, all keys of later pages greater than it.
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

  /** The last page that can hold a key of the range; less than the first if none can. */
  int lastPage(KeyRange range) {
    byte[] to = range.to();
    if (to == null) {
      return pageCount - 1;
    }
    int page = seek(to, 0, to.length);
    return compareSeparator(page, to, 0, to.length) == 0 ? page - 1 : page;
  }

  /** The first page that holds no key smaller than this one; the number of pages if none does. */
  int firstWholePage(byte @Nullable [] from) {
    if (from == null) {
      return 0;
    }
    int page = seek(from, 0, from.length);
    return compareSeparator(page, from, 0, from.length) >= 0 ? page : page + 1;
  }

  /**
   * The page after the last one of which the fences tell that all its keys are smaller than this.
   */
  int endOfWholePages(byte @Nullable [] to) {
    return to == null ? pageCount : seek(to, 0, to.length);
  }

  /** The page, after the first and before the end, that halves the bytes of the pages between. */
  int middlePage(int first, int end) {
    int low = first + 1;
    int high = end - 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (unit(middle) - unit(first) < unit(end) - unit(middle)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /**
   * About how many of a page's {@code count} keys are smaller than a key that belongs to it, as if
   * keys were spread evenly between the fences; −1 if these do not tell.
   */
  int guessRank(int page, int count, byte[] key, int offset, int length) {
    if (page + 1 >= pageCount || length < shared.length) {
      return -1;
    }
    long low = prefix(page);
    long width = (prefix(page + 1) - low) >>> 1;
    long prefix = KeyOrder.prefix(key, offset + shared.length, length - shared.length);
    long distance = (prefix - low) >>> 1;
    // A key that does not belong here, or fences that are out of order, make it leave the page.
    return distance > width || width == 0 ? -1 : (int) ((double) distance / width * count);
  }

  private int search(byte[] key, int offset, int length) {
    long prefix = KeyOrder.prefix(key, offset + shared.length, length - shared.length);
    long wanted = prefix ^ SIGN;
    int page = 0;
    // The last page whose prefix is not greater. One conditional move a step, nothing to
    // mispredict.
    for (int left = pageCount; left > 1; ) {
      int half = left >>> 1;
      page += (prefix(page + half) ^ SIGN) <= wanted ? half : 0;
      left -= half;
    }
    return prefix(page) == prefix ? searchTies(key, offset, length, prefix, page) : page;
  }

  /** Of the pages up to {@code last} with this same prefix, or the one before, the key's own. */
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

  private int compareSeparator(int page, byte[] key, int offset, int length) {
    int start = separatorStart(page);
    int separator = block + FencesLayout.separators(pageCount) + start;
    return -KeyOrder.compare(
        key, offset, length, memory, separator, separatorStart(page + 1) - start);
  }
}
