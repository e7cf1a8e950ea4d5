// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.level;

import io.github.rlsm.base.LittleEndian;
import io.github.rlsm.io.MappedFile;
import io.github.rlsm.kv.CorruptionException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * The pages of an open table, verified and decompressed. A page that is not compressed is read
 * where it is mapped; its checksum and structure are checked the first time, or every time if so
 * asked.
 *
 * <p>Threads: safe for use by many threads. A set bit of {@link #verified} or {@link #plain}
 * publishes nothing: the bytes of the page it stands for never change, so who sees the bit may
 * believe it, and who does not see it yet looks once more.
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

  /** One bit for each page: it was verified. */
  private final long[] verified;

  /** One bit for each page, if pages may be compressed: this one is not. */
  private final long[] plain;

  Pages(
      MappedFile file,
      long fileNumber,
      TableFooter footer,
      TableBlocks blocks,
      TableAccess access) {
    this.file = file.name();
    this.fileNumber = fileNumber;
    this.memory = file.memory();
    this.footer = footer;
    this.fences = blocks.fences();
    TableProperties properties = blocks.properties();
    // No page has more than all keys and values and what describes them.
    this.rawLengthMax = Math.min(
        PageLayout.HEADER_BYTES
            + properties.keyBytes()
            + properties.valueBytes()
            + properties.entries() * PageLayout.ENTRY_OVERHEAD_BYTES_MAX,
        Integer.MAX_VALUE - 2 * PageLayout.SLACK_BYTES);
    this.cache = access.cache();
    this.counters = access.counters();
    this.verifyEveryRead = access.verifyEveryRead();
    boolean compressed = footer.compression() != Compression.NONE;
    this.codec = compressed ? footer.compression().codec() : null;
    this.cacheId = cache.newTable();
    int words = (fences.pageCount() + Long.SIZE - 1) / Long.SIZE;
    this.verified = new long[words];
    this.plain = new long[compressed ? words : 0];
  }

  /** The buffer that holds a page that may be read. */
  ByteBuffer page(int page) {
    counters.countPageRead();
    return pageUncounted(page);
  }

  /** As {@link #page}, for who counts the page himself. */
  ByteBuffer pageUncounted(int page) {
    if (codec != null) {
      return decompressedPage(codec, page);
    }
    if (!isVerified(page)) {
      verify(page, fences.offset(page));
    }
    return memory;
  }

  /** A page in the cache is returned without a look at the file, which may not be in memory. */
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

  /** Where in the buffer that {@link #page} gave for a page the page begins. */
  @SuppressWarnings("ReferenceEquality") // which buffer it is, not what is in it
  int start(ByteBuffer buffer, int page) {
    return buffer == memory ? fences.offset(page) : 0;
  }

  /** As {@link #page}, but checks the page again and keeps it out of the cache. */
  ByteBuffer freshPage(int page) {
    int offset = fences.offset(page);
    verify(page, offset);
    return codec == null || !isCompressed(offset) ? memory : decompress(codec, page, offset);
  }

  /** A page that was sound led out of itself: it went bad since, and its checksum may tell. */
  CorruptionException damage(int page, @Nullable IndexOutOfBoundsException cause) {
    int offset = fences.offset(page);
    verify(page, offset);
    return new CorruptionException(file, offset, "the page leads out of itself", cause);
  }

  /** Drops what the cache holds of this table. */
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
        footer.unitBytes(),
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
    return memory.get(offset + PageLayout.COMPRESSION) != Compression.NONE.code();
  }

  /** The page as it was before compression, in an array of its own, and verified. */
  private ByteBuffer decompress(PageCodec pageCodec, int page, int offset) {
    int rawLength = LittleEndian.getMappedInt(memory, offset + PageLayout.RAW_LENGTH);
    if (memory.get(offset + PageLayout.COMPRESSION) != footer.compression().code()
        || rawLength > rawLengthMax) {
      throw new CorruptionException(file, offset, "page " + page + " is not compressed as it may");
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
