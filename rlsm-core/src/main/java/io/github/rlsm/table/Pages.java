// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.table;

import io.github.rlsm.base.EntryKind;
import io.github.rlsm.base.LittleEndian;
import io.github.rlsm.base.ValuePointer;
import io.github.rlsm.io.MappedChecksum;
import io.github.rlsm.io.MappedFile;
import io.github.rlsm.io.MappedFile.Advice;
import io.github.rlsm.kv.CorruptionException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The pages of an open table, verified and decompressed. An uncompressed page is read in place,
 * from the mapping. Its checksum and structure are checked on the first read, or on every read if
 * so configured.
 *
 * <p>Threads: safe for use by many threads. The bits of {@link #verified} and {@link #plain} need
 * no publication, because the bytes of a page never change. A thread that sees a bit can rely on
 * it. A thread that does not see it yet checks the page again.
 */
final class Pages {

  private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);

  /** Log2 of the bytes of a window: the most that Linux reads ahead by default. */
  private static final int WINDOW_BITS = 17;

  private static final int WINDOW_BYTES = 1 << WINDOW_BITS;

  private final MappedFile file;
  private final long fileNumber;
  private final ByteBuffer memory;
  private final TableFooter footer;
  private final Fences fences;
  private final long rawLengthMax;
  private final PageCache cache;
  private final ReadCounters counters;
  private final boolean verifyEveryRead;
  private final PageCompression.@Nullable Codec codec;
  private final long cacheId;

  /** One bit for each page: whether it was verified. */
  private final long[] verified;

  /** One bit for each page of a compressed table: whether this page is uncompressed. */
  private final long[] plain;

  /**
   * One bit for each window: whether its pages were requested. Empty if the table is not an index.
   */
  private final long[] requested;

  /** Whether {@link #keepIndex} has read its part of the file. */
  private final AtomicBoolean kept = new AtomicBoolean();

  Pages(
      MappedFile file,
      long fileNumber,
      TableFooter footer,
      Table.Blocks blocks,
      Table.Access access) {
    this.file = file;
    this.fileNumber = fileNumber;
    this.memory = file.memory();
    this.footer = footer;
    this.fences = blocks.fences();
    TableProperties properties = blocks.properties();
    // An upper bound of a page's length: all keys and values of the table, with their overhead.
    this.rawLengthMax = Math.min(
        PageLayout.HEADER_BYTES
            + properties.keyBytes()
            + properties.valueBytes()
            + properties.entries() * PageLayout.ENTRY_OVERHEAD_BYTES_MAX,
        Integer.MAX_VALUE - 2 * PageLayout.SLACK_BYTES);
    this.cache = access.cache();
    this.counters = access.counters();
    this.verifyEveryRead = access.verifyEveryRead();
    boolean compressed = footer.pages().compression() != PageCompression.NONE;
    this.codec = compressed ? footer.pages().compression().codec() : null;
    this.cacheId = cache.newTable();
    this.verified = bits(fences.pageCount());
    this.plain = bits(compressed ? fences.pageCount() : 0);
    boolean isIndex = properties.separatedBytes() > footer.pages().length();
    int windows = (footer.pages().length() + WINDOW_BYTES - 1) >>> WINDOW_BITS;
    this.requested = bits(isIndex ? windows : 0);
  }

  private static long[] bits(int count) {
    return new long[(count + Long.SIZE - 1) / Long.SIZE];
  }

  /** Returns a buffer that contains the verified page. */
  ByteBuffer page(int page) {
    counters.countPageRead();
    return pageUncounted(page);
  }

  /** Like {@link #page}, for a caller that counts the page itself. */
  ByteBuffer pageUncounted(int page) {
    if (codec != null) {
      return decompressedPage(codec, page);
    }
    ensureVerified(page, fences.offset(page));
    return memory;
  }

  private void ensureVerified(int page, int offset) {
    if (!isVerified(page)) {
      requestWindow(offset);
      verify(page, offset);
    }
  }

  /**
   * Requests all pages of a window when the first of them is read. This is done only if the table
   * is an index: if the values that it points to take more room than its pages. Pages of an index
   * are used more often than pages of values. Each window is requested at most once, so the table
   * is read at most once.
   *
   * <p>Rejected: a request for each page. Then a get waits twice for the device if neither its page
   * nor its value is in memory.
   */
  private void requestWindow(int offset) {
    int window = offset >>> WINDOW_BITS;
    if (requested.length > 0 && (requested[window >>> 6] & (1L << window)) == 0) {
      WORD.getAndBitwiseOr(requested, window >>> 6, 1L << window);
      int start = window << WINDOW_BITS;
      int length = Math.min(WINDOW_BYTES, footer.pages().length() - start);
      file.advise(Advice.WILL_NEED, start, length);
    }
  }

  /**
   * Reads fences and filter twice by system calls, and the pages too if the table is an index. So
   * the kernel counts this memory as used often and evicts pages of values first. Only the first
   * call has an effect.
   *
   * <p>Rejected: a request for read-ahead. It brings the pages in as unused ones, and the kernel
   * evicts them in the order in which they came in.
   *
   * @param goesOn whether to go on. If not, the next call begins again
   */
  void keepIndex(BooleanSupplier goesOn) {
    if (!kept.compareAndSet(false, true)) {
      return;
    }
    ByteBuf pooled = PooledByteBufAllocator.DEFAULT.directBuffer(WINDOW_BYTES, WINDOW_BYTES);
    try {
      ByteBuffer into = pooled.nioBuffer(0, WINDOW_BYTES);
      int start = requested.length == 0 ? footer.fencesOffset() : 0;
      int end = file.length();
      for (int at = start; at < end; at += WINDOW_BYTES) {
        if (!goesOn.getAsBoolean()) {
          kept.set(false);
          return;
        }
        if (!readTwice(at, Math.min(WINDOW_BYTES, end - at), into)) {
          return; // not supported, or an error, which a reader of the mapping will meet
        }
      }
    } finally {
      pooled.release();
    }
  }

  private boolean readTwice(int offset, int length, ByteBuffer into) {
    boolean once = file.read(offset, length, into);
    return once && file.read(offset, length, into);
  }

  /**
   * Reads a byte of each of the first cache lines that a seek in the page needs: of its header and
   * of its key order. Does not check the page, so the result means nothing.
   *
   * @param count the number of entries in the page
   * @param rank the approximate rank of the key
   */
  int touch(int page, int count, int rank) {
    if (codec != null) {
      return 0;
    }
    int start = fences.offset(page);
    int order = start + PageLayout.order(count) + 2 * rank;
    return memory.get(start) + memory.get(Math.min(order, memory.limit() - 1));
  }

  /** Returns a cached page without reading the file, whose pages may not be in memory. */
  private ByteBuffer decompressedPage(PageCompression.Codec pageCodec, int page) {
    boolean cacheable = (plain[page >>> 6] & (1L << page)) == 0;
    ByteBuffer cached = cacheable ? cache.get(cacheId, page) : null;
    if (cached != null) {
      counters.countCacheHit();
      return cached;
    }
    int offset = fences.offset(page);
    ensureVerified(page, offset);
    if (!isCompressed(offset)) {
      WORD.getAndBitwiseOr(plain, page >>> 6, 1L << page);
      return memory;
    }
    ByteBuffer content = decompress(pageCodec, page, offset);
    cache.put(cacheId, page, content);
    return content;
  }

  /**
   * Like {@link #pageUncounted}, for a page that is probably not in memory. Copies a verified
   * uncompressed page by a system call, so the kernel keeps pages that are used often.
   *
   * @param copy direct buffer for the page; not used if it is too small
   */
  ByteBuffer coldPage(int page, ByteBuffer copy) {
    if (codec == null && isVerified(page)) {
      int length = fences.storedBytes(page);
      if (length <= copy.capacity() - PageLayout.SLACK_BYTES
          && file.read(fences.offset(page), length, copy.clear())) {
        return copy.limit(length + PageLayout.SLACK_BYTES);
      }
    }
    return pageUncounted(page);
  }

  /** Start of the page in the buffer that {@link #page} returned for it. */
  @SuppressWarnings("ReferenceEquality") // compares the identity of the buffer
  int start(ByteBuffer buffer, int page) {
    return buffer == memory ? fences.offset(page) : 0;
  }

  /** Like {@link #page}, but verifies the page again and does not cache it. */
  ByteBuffer freshPage(int page) {
    int offset = fences.offset(page);
    verify(page, offset);
    return codec == null || !isCompressed(offset) ? memory : decompress(codec, page, offset);
  }

  /**
   * Returns the error for a verified page whose offsets point outside it, so it was damaged later.
   * Verifies the page again first, because the checksum may give a better error.
   */
  CorruptionException damage(int page, @Nullable IndexOutOfBoundsException cause) {
    int offset = fences.offset(page);
    verify(page, offset);
    return new CorruptionException(
        file.name(), offset, "an offset in the page points outside it", cause);
  }

  /** Removes the table's pages from the cache. */
  void close() {
    if (codec != null) {
      cache.forget(cacheId, fences.pageCount());
    }
  }

  private boolean isVerified(int page) {
    return (verified[page >>> 6] & (1L << page)) != 0 && !verifyEveryRead;
  }

  private void verify(int page, int offset) {
    counters.countPageVerified();
    int storedBytes = fences.storedBytes(page);
    String problem = PageVerifier.checkStored(
        memory,
        offset,
        storedBytes,
        footer.pages().unitBytes(),
        PageLayout.place(fileNumber, fences.unit(page)),
        fences.count(page));
    if (problem == null && !isCompressed(offset)) {
      problem = PageVerifier.checkContent(memory, offset);
    }
    if (problem != null) {
      throw new CorruptionException(file.name(), offset, "page " + page + ": " + problem);
    }
    WORD.getAndBitwiseOr(verified, page >>> 6, 1L << page);
  }

  private boolean isCompressed(int offset) {
    return memory.get(offset + PageLayout.COMPRESSION) != PageCompression.NONE.code();
  }

  /** Decompresses a page into a new array, and verifies the result. */
  private ByteBuffer decompress(PageCompression.Codec pageCodec, int page, int offset) {
    int rawLength = LittleEndian.getMappedInt(memory, offset + PageLayout.RAW_LENGTH);
    if (memory.get(offset + PageLayout.COMPRESSION)
            != footer.pages().compression().code()
        || rawLength > rawLengthMax) {
      throw new CorruptionException(
          file.name(), offset, "page " + page + " has an unexpected compression or length");
    }
    int storedLength = LittleEndian.getMappedInt(memory, offset + PageLayout.STORED_LENGTH);
    byte[] stored = new byte[storedLength - PageLayout.HEADER_BYTES];
    memory.get(offset + PageLayout.HEADER_BYTES, stored);
    byte[] raw = new byte[rawLength + PageLayout.SLACK_BYTES];
    memory.get(offset, raw, 0, PageLayout.HEADER_BYTES);
    String problem = pageCodec.decompress(
        stored, raw, PageLayout.HEADER_BYTES, rawLength - PageLayout.HEADER_BYTES);
    ByteBuffer content = ByteBuffer.wrap(raw).order(ByteOrder.LITTLE_ENDIAN);
    if (problem == null) {
      problem = PageVerifier.checkContent(content, 0);
    }
    if (problem != null) {
      throw new CorruptionException(file.name(), offset, "page " + page + ": " + problem);
    }
    return content;
  }

  /**
   * Checks a page before any other code trusts its content: that its bytes are those written for
   * this place, and that all its lengths and offsets stay inside it. A page that passes needs no
   * further checks. {@link TableCheck} checks the order of hashes and keys.
   *
   * <p>Each method returns a description of the damage, or null.
   */
  static final class PageVerifier {

    private PageVerifier() {}

    /**
     * Checks a page in its stored form.
     *
     * @param storedBytes bytes of the page in the file, with padding
     * @param unitBytes size of the units that the page is padded to
     * @param place {@link PageLayout#place} of the page
     * @param count the expected number of entries
     */
    static @Nullable String checkStored(
        ByteBuffer memory, int page, int storedBytes, int unitBytes, int place, int count) {
      CRC32C crc = new CRC32C();
      MappedChecksum.update(crc, memory, page + PageLayout.COUNT, storedBytes - PageLayout.COUNT);
      int checksum = LittleEndian.getInt(memory, page + PageLayout.CHECKSUM) ^ place;
      if (checksum != (int) crc.getValue()) {
        return "the page's checksum is wrong";
      }
      int storedLength = LittleEndian.getMappedInt(memory, page + PageLayout.STORED_LENGTH);
      if (storedLength > storedBytes
          || storedLength <= storedBytes - unitBytes
          || storedLength <= PageLayout.HEADER_BYTES) {
        return "the page has " + storedLength + " bytes, which do not fit its " + storedBytes
            + " in the file";
      }
      if (PageLayout.count(memory, page) != count) {
        return "the page has " + PageLayout.count(memory, page) + " entries, expected " + count;
      }
      int rawLength = LittleEndian.getMappedInt(memory, page + PageLayout.RAW_LENGTH);
      int compression = memory.get(page + PageLayout.COMPRESSION);
      if (compression == PageCompression.NONE.code()
          ? rawLength != storedLength
          : rawLength <= storedLength) {
        return "the page has " + rawLength + " bytes, but " + storedLength + " stored";
      }
      return null;
    }

    /** Checks the content of an uncompressed or decompressed page. */
    static @Nullable String checkContent(ByteBuffer buffer, int page) {
      int count = PageLayout.count(buffer, page);
      int length = LittleEndian.getMappedInt(buffer, page + PageLayout.RAW_LENGTH);
      int seqnoBytes = PageLayout.seqnoBytes(buffer, page);
      if (seqnoBytes > Long.BYTES
          || LittleEndian.getLong(buffer, page + PageLayout.BASE_SEQNO) < 0) {
        return "the page's seqnos are out of range";
      }
      if (count < 1 || length > buffer.limit() - page || PageLayout.entries(count) > length) {
        return "the page has " + length + " bytes for " + count + " entries";
      }
      long end = PageLayout.entries(count);
      for (int rank = 0; rank < count; rank++) {
        long offset = PageLayout.entryAtRank(buffer, page, count, rank) - (long) page;
        if (offset != end + seqnoBytes || offset + PageLayout.ENTRY_HEADER_BYTES_MIN > length) {
          return "entry " + rank + " begins at " + offset + " in the page";
        }
        long head = PageLayout.head(buffer, page + (int) offset);
        end = offset + PageLayout.keyStart(head);
        end += PageLayout.keyLength(head);
        end += PageLayout.valueLength(head) & 0xFFFF_FFFFL;
        if (end > length || !isEntry(head)) {
          return "entry " + rank + " ends at " + end + " of " + length + " or has an unknown kind";
        }
      }
      for (int slot = 0; slot < count; slot++) {
        if (!isInOrder(buffer, page, count, PageLayout.entryAtSlot(buffer, page, slot))) {
          return "slot " + slot + " points to no entry";
        }
      }
      return end == length ? null : "entries end at " + end + " of " + length;
    }

    /** Whether an offset is in the key order, whose offsets ascend. */
    private static boolean isInOrder(ByteBuffer buffer, int page, int count, int entry) {
      int low = 0;
      int high = count - 1;
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (PageLayout.entryAtRank(buffer, page, count, middle) < entry) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      return PageLayout.entryAtRank(buffer, page, count, low) == entry;
    }

    private static boolean isEntry(long head) {
      int kind = PageLayout.kind(head);
      int valueLength = PageLayout.valueLength(head);
      return EntryKind.isKnown(kind)
          && PageLayout.isKnownTag(head)
          && PageLayout.keyLength(head) > 0
          && (kind != EntryKind.DELETE || valueLength == 0)
          && (kind != EntryKind.POINTER || valueLength == ValuePointer.BYTES);
    }
  }
}
