// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.table;

import io.github.rlsm.base.LittleEndian;
import io.github.rlsm.io.MappedFile;
import io.github.rlsm.kv.CorruptionException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
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

  private final String file;
  private final long fileNumber;
  private final ByteBuffer memory;
  private final TableFooter footer;
  private final Fences fences;
  private final long rawLengthMax;
  private final PageCache cache;
  private final ReadCounters counters;
  private final boolean verifyEveryRead;
  private final @Nullable PageCodec codec;
  private final long cacheId;

  /** One bit for each page: whether it was verified. */
  private final long[] verified;

  /** One bit for each page of a compressed table: whether this page is uncompressed. */
  private final long[] plain;

  Pages(
      MappedFile file,
      long fileNumber,
      TableFooter footer,
      TableBlocks blocks,
      Table.Access access) {
    this.file = file.name();
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
    int words = (fences.pageCount() + Long.SIZE - 1) / Long.SIZE;
    this.verified = new long[words];
    this.plain = new long[compressed ? words : 0];
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
    if (!isVerified(page)) {
      verify(page, fences.offset(page));
    }
    return memory;
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
  private ByteBuffer decompressedPage(PageCodec pageCodec, int page) {
    boolean cacheable = (plain[page >>> 6] & (1L << page)) == 0;
    ByteBuffer cached = cacheable ? cache.get(cacheId, page) : null;
    if (cached != null) {
      counters.countCacheHit();
      return cached;
    }
    int offset = fences.offset(page);
    if (!isVerified(page)) {
      verify(page, offset);
    }
    if (!isCompressed(offset)) {
      WORD.getAndBitwiseOr(plain, page >>> 6, 1L << page);
      return memory;
    }
    ByteBuffer content = decompress(pageCodec, page, offset);
    cache.put(cacheId, page, content);
    return content;
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
    return new CorruptionException(file, offset, "an offset in the page points outside it", cause);
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
      throw new CorruptionException(file, offset, "page " + page + ": " + problem);
    }
    WORD.getAndBitwiseOr(verified, page >>> 6, 1L << page);
  }

  private boolean isCompressed(int offset) {
    return memory.get(offset + PageLayout.COMPRESSION) != PageCompression.NONE.code();
  }

  /** Decompresses a page into a new array, and verifies the result. */
  private ByteBuffer decompress(PageCodec pageCodec, int page, int offset) {
    int rawLength = LittleEndian.getMappedInt(memory, offset + PageLayout.RAW_LENGTH);
    if (memory.get(offset + PageLayout.COMPRESSION)
            != footer.pages().compression().code()
        || rawLength > rawLengthMax) {
      throw new CorruptionException(
          file, offset, "page " + page + " has an unexpected compression or length");
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
      throw new CorruptionException(file, offset, "page " + page + ": " + problem);
    }
    return content;
  }
}
