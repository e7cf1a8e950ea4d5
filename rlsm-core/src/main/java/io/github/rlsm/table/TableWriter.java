// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.table;

import io.github.rlsm.base.CursorEntry;
import io.github.rlsm.base.EntryKind;
import io.github.rlsm.base.KeyBounds;
import io.github.rlsm.base.KeyHash;
import io.github.rlsm.base.KeyOrder;
import io.github.rlsm.base.LittleEndian;
import io.github.rlsm.base.ValuePointer;
import io.github.rlsm.io.AppendFile;
import io.github.rlsm.io.FileHeader;
import io.github.rlsm.kv.InvalidOptionsException;
import io.github.rlsm.table.TableFooter.Block;
import io.github.rlsm.table.TableFooter.FenceSection;
import io.github.rlsm.table.TableFooter.FilterSection;
import io.github.rlsm.table.TableFooter.PageSection;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Writes one table: {@link #add} entries in ascending order of key, then {@link #finish}, then
 * {@link #close}. The owner of the file forces and closes it.
 *
 * <p>After any exception, the file is unusable, and {@link #close} is the only legal call.
 *
 * <p>Threads: one thread at a time.
 */
public final class TableWriter implements AutoCloseable {

  private static final int OUTPUT_BYTES = 1 << 20;

  /** The longest page with more than one entry, because entry offsets have 16 bits. */
  private static final int SHARED_PAGE_BYTES_MAX = 1 << 16;

  /**
   * A page takes another unit if it would otherwise waste more than this fraction (1/8) of its
   * bytes.
   */
  private static final int WASTE_DIVISOR = 8;

  private static final int UNITS_MAX = 8;

  // Constant after construction.
  private final AppendFile file;
  private final Settings settings;
  private final FileHeader header;
  private final int unitBytes;
  private final PageCompression.@Nullable Codec codec;
  private final ByteBuf pooledOutput;
  private final ByteBuffer output;

  private final CRC32C crc = new CRC32C();
  private final Size size;
  private final PageBuilder page;
  private final Fences.Builder fences = new Fences.Builder();
  private final BloomFilter.Builder filter;
  private final TableProperties.Counter counter = new TableProperties.Counter();
  private byte[] smallestKey = {};
  private byte[] lastKey = new byte[64];
  private int lastKeyLength;
  private byte[] compressed = {};
  private final ByteBuffer encodedPointer =
      ByteBuffer.allocate(ValuePointer.BYTES).order(ByteOrder.LITTLE_ENDIAN);

  /** The longest that the page being built may become before it is written. */
  private long pageLengthMax;

  private long pagesLength;
  private boolean finished;
  private boolean closed;

  /**
   * Creates a writer of a table without entries.
   *
   * @param file the file, empty
   * @param size the largest size of the table
   * @param storeId the id of the table's store
   * @param fileNumber the number in the file's name
   * @throws io.github.rlsm.kv.InvalidOptionsException if the library of the chosen compression is
   *     missing
   */
  public TableWriter(AppendFile file, Settings settings, Size size, long storeId, long fileNumber) {
    if (file.length() != 0) {
      throw new IllegalArgumentException(file.name() + " is not empty");
    }
    this.file = file;
    this.settings = settings;
    this.size = size;
    this.header = new FileHeader(FileHeader.Kind.TABLE, storeId, fileNumber);
    this.unitBytes = TableFooter.unitBytes(settings.pageBytes(), settings.compression());
    this.codec = settings.compression() == PageCompression.NONE
        ? null
        : settings.compression().codec();
    this.page = new PageBuilder(settings.pageBytes());
    this.filter = new BloomFilter.Builder(settings.filterBitsPerKey(), this::entriesMax);
    this.pooledOutput = PooledByteBufAllocator.DEFAULT.directBuffer(OUTPUT_BYTES, OUTPUT_BYTES);
    this.output = pooledOutput.nioBuffer(0, OUTPUT_BYTES);
  }

  /**
   * Adds an entry. The bytes are copied before this returns.
   *
   * @param entry its key is greater than the key of the entry before
   * @throws IllegalArgumentException if the key is not greater than the key before, or the entry
   *     has an unknown kind or an illegal length
   */
  public void add(CursorEntry entry) {
    add(entry, entry.kind(), entry.buffer(), entry.valueOffset(), entry.valueLength());
  }

  /** Like {@link #add}, but with a pointer to the value instead of the entry's value or pointer. */
  public void addPointer(CursorEntry entry, ValuePointer pointer) {
    pointer.write(encodedPointer, 0);
    add(entry, EntryKind.POINTER, encodedPointer, 0, ValuePointer.BYTES);
  }

  /** Adds the key and seqno of an entry, with another kind and value. */
  private void add(
      CursorEntry entry, int kind, ByteBuffer value, int valueOffset, int valueLength) {
    int keyLength = entry.keyLength();
    long seqno = entry.seqno();
    checkEntry(keyLength, kind, seqno, valueLength);
    ByteBuffer key = entry.buffer();
    int keyOffset = entry.keyOffset();
    boolean first = counter.entries() == 0;
    if (!first && KeyOrder.compare(lastKey, 0, lastKeyLength, key, keyOffset, keyLength) >= 0) {
      throw new IllegalArgumentException("keys must be added in strictly ascending order");
    }
    long head = PageLayout.head(kind, keyLength, valueLength);
    long entryBytes = (long) PageLayout.keyStart(head) + keyLength + valueLength;
    long length = page.lengthWith(entryBytes, seqno);
    if (page.count() > 0 && !fits(length)) {
      writePage();
    }
    if (page.count() == 0) {
      beginPage(key, keyOffset, keyLength, page.lengthWith(entryBytes, seqno));
    }
    copyKey(key, keyOffset, keyLength);
    if (first) {
      smallestKey = Arrays.copyOf(lastKey, keyLength);
    }
    long hash = KeyHash.hash(lastKey, 0, keyLength);
    page.add(lastKey, hash, head, seqno, value, valueOffset);
    filter.add(hash);
    counter.count(kind, seqno, keyLength, valueLength);
    if (kind == EntryKind.POINTER) {
      counter.countPointer(value, valueOffset);
    }
  }

  private void checkEntry(int keyLength, int kind, long seqno, int valueLength) {
    if (finished || closed) {
      throw new IllegalStateException("the table is finished or its writer is closed");
    }
    boolean legal = switch (kind) {
      case EntryKind.PUT -> valueLength >= 0;
      case EntryKind.DELETE -> valueLength == 0;
      case EntryKind.POINTER -> valueLength == ValuePointer.BYTES;
      default -> false;
    };
    if (!legal || keyLength < 1 || keyLength > PageLayout.KEY_BYTES_MAX || seqno < 0) {
      throw new IllegalArgumentException("illegal entry: kind " + kind + ", key of " + keyLength
          + " bytes, value of " + valueLength + " bytes, seqno " + seqno);
    }
  }

  /**
   * Whether the page being built may have this length. Gives it more units if necessary and
   * allowed.
   */
  private boolean fits(long length) {
    if (length > SHARED_PAGE_BYTES_MAX) {
      return false;
    }
    if (length <= pageLengthMax) {
      return true;
    }
    long grown = roundUp(length, settings.pageBytes());
    boolean wasteful = (pageLengthMax - page.length()) * WASTE_DIVISOR > pageLengthMax;
    if (codec != null || !wasteful || grown > (long) UNITS_MAX * settings.pageBytes()) {
      return false;
    }
    pageLengthMax = grown;
    return true;
  }

  private void beginPage(ByteBuffer key, int keyOffset, int keyLength, long length) {
    pageLengthMax = roundUp(length, settings.pageBytes());
    if (pagesLength + pageLengthMax > Integer.MAX_VALUE) {
      throw new IllegalStateException("a table cannot be larger than 2 GiB");
    }
    int common = 0;
    int commonMax = Math.min(lastKeyLength, keyLength - 1);
    while (common < commonMax && lastKey[common] == key.get(keyOffset + common)) {
      common++;
    }
    // The common prefix and the next byte of the new key separate the pages.
    int unit = (int) (pagesLength / unitBytes);
    copyKey(key, keyOffset, keyLength);
    fences.add(unit, (int) counter.entries(), lastKey, common + 1);
  }

  private void copyKey(ByteBuffer key, int offset, int length) {
    if (length > lastKey.length) {
      lastKey = new byte[PageLayout.KEY_BYTES_MAX];
    }
    key.get(offset, lastKey, 0, length);
    lastKeyLength = length;
  }

  private void writePage() {
    int length = page.length();
    int padded = (int) roundUp(length, unitBytes);
    byte[] image = page.build(padded);
    if (codec != null) {
      int stored = compress(codec, image, length);
      if (roundUp(stored, unitBytes) < padded) {
        image = compressed;
        padded = (int) roundUp(stored, unitBytes);
        Arrays.fill(image, stored, padded, (byte) 0);
      }
    }
    crc.reset();
    crc.update(image, PageLayout.COUNT, padded - PageLayout.COUNT);
    int place = PageLayout.place(header.fileNumber(), (int) (pagesLength / unitBytes));
    LittleEndian.putInt(image, PageLayout.CHECKSUM, (int) crc.getValue() ^ place);
    write(image, padded);
    pagesLength += padded;
    page.clear();
  }

  /** Compresses the page into {@link #compressed}, with an adapted header. */
  private int compress(PageCompression.Codec pageCodec, byte[] image, int length) {
    int headerBytes = PageLayout.HEADER_BYTES;
    int room = headerBytes + pageCodec.compressedLengthMax(length - headerBytes) + unitBytes;
    if (compressed.length < room) {
      compressed = new byte[room];
    }
    System.arraycopy(image, 0, compressed, 0, headerBytes);
    int stored = headerBytes
        + pageCodec.compress(image, headerBytes, length - headerBytes, compressed, headerBytes);
    compressed[PageLayout.COMPRESSION] = (byte) settings.compression().code();
    LittleEndian.putInt(compressed, PageLayout.STORED_LENGTH, stored);
    return stored;
  }

  /** The approximate length of the file if the table were finished now. */
  public long bytesSoFar() {
    long bytes = pagesLength + fences.bytesSoFar() + filter.bytesSoFar() + TableFooter.BYTES;
    return page.count() == 0 ? bytes : bytes + page.length();
  }

  /** The most entries that the table will probably have: the entries to come are about as long. */
  private long entriesMax() {
    double each = (double) bytesSoFar() / counter.entries();
    return Math.min(size.entriesMax(), (long) (size.bytesMax() / each));
  }

  /** Length of the pages written so far, which are the beginning of the file. */
  public long pagesLength() {
    return pagesLength;
  }

  /**
   * Writes the rest of the table. Does not force the file.
   *
   * @return statistics of the table's content
   * @throws IllegalStateException if the table has no entry, or would be larger than 2 GiB
   */
  public TableProperties finish() {
    if (finished || closed || counter.entries() == 0) {
      throw new IllegalStateException("the table is finished, or empty, or its writer is closed");
    }
    finished = true;
    writePage();
    byte[] largestKey = Arrays.copyOf(lastKey, lastKeyLength);
    TableProperties properties = counter.properties(new KeyBounds(smallestKey, largestKey));
    int mismatch = Arrays.mismatch(smallestKey, largestKey);
    int sharedLength = mismatch < 0 ? largestKey.length : mismatch;
    int endUnit = (int) (pagesLength / unitBytes);
    byte[] fencesBlock = fences.block(endUnit, (int) counter.entries(), smallestKey, sharedLength);
    byte[][] filterPieces = filter.pieces();
    Block filterBlock = Block.of(filterPieces);
    byte[] propertiesBlock = PropertiesLayout.encode(properties);
    long blocksLength = (long) fencesBlock.length + filterBlock.length() + propertiesBlock.length;
    if (pagesLength + blocksLength + TableFooter.BYTES > Integer.MAX_VALUE) {
      throw new IllegalStateException("a table cannot be larger than 2 GiB");
    }
    int filterBits = settings.filterBitsPerKey();
    TableFooter footer = new TableFooter(
        new PageSection(
            (int) pagesLength, fences.pageCount(), settings.pageBytes(), settings.compression()),
        new FenceSection(Block.of(fencesBlock), sharedLength),
        new FilterSection(filterBlock, FilterLayout.probes(filterBits), filterBits),
        Block.of(propertiesBlock));
    write(fencesBlock, fencesBlock.length);
    for (byte[] piece : filterPieces) {
      write(piece, piece.length);
    }
    write(propertiesBlock, propertiesBlock.length);
    write(footer.encode(header), TableFooter.BYTES);
    flushOutput();
    return properties;
  }

  private void write(byte[] bytes, int length) {
    int written = 0;
    while (written < length) {
      if (!output.hasRemaining()) {
        flushOutput();
      }
      int part = Math.min(length - written, output.remaining());
      output.put(bytes, written, part);
      written += part;
    }
  }

  private void flushOutput() {
    output.flip();
    file.append(output);
    output.clear();
  }

  private static long roundUp(long bytes, int unit) {
    return (bytes + unit - 1) / unit * unit;
  }

  /**
   * Releases the writer's memory. Leaves an unfinished file as it is. Closing twice does nothing.
   */
  @Override
  public void close() {
    if (!closed) {
      closed = true;
      pooledOutput.release();
    }
  }

  /**
   * The largest size of a table. The filter of a large table is created for this size before the
   * table has all of its entries.
   *
   * @param entriesMax the most entries that the table may get
   * @param bytesMax the length, in bytes, at which the table will be finished
   */
  public record Size(long entriesMax, long bytesMax) {

    /** A table of which only the number of entries is known. */
    public static Size of(long entriesMax) {
      return new Size(entriesMax, Integer.MAX_VALUE);
    }
  }

  /**
   * Settings for writing tables. Each table stores all that its reader needs, so tables with
   * different settings can coexist.
   *
   * @param pageBytes size of a page before compression, in bytes: a power of two from 512 to
   *     32,768. Small pages read fewer useless bytes on a cold lookup. Large pages need fewer
   *     fences and compress better
   * @param filterBitsPerKey size of the filter, in bits for each key, 0 (no filter) to 30. With
   *     each further bit, about a third fewer lookups of absent keys read a page
   * @param compression the compression of pages
   */
  public record Settings(int pageBytes, int filterBitsPerKey, PageCompression compression) {

    /** Pages of 4 KiB, filters of 10 bits for each key, no compression. */
    public static final Settings DEFAULT = new Settings(4096, 10, PageCompression.NONE);

    static final int PAGE_BYTES_MIN = 512;
    static final int PAGE_BYTES_MAX = 32_768;
    static final int FILTER_BITS_MAX = 30;

    /**
     * Checks the settings.
     *
     * @throws InvalidOptionsException if a setting is out of range
     */
    public Settings {
      List<String> problems = new ArrayList<>();
      if (!isPageSize(pageBytes)) {
        problems.add("pageBytes is " + pageBytes + "; choose a power of two from " + PAGE_BYTES_MIN
            + " to " + PAGE_BYTES_MAX);
      }
      if (filterBitsPerKey < 0 || filterBitsPerKey > FILTER_BITS_MAX) {
        problems.add(
            "filterBitsPerKey is " + filterBitsPerKey + "; choose 0 to " + FILTER_BITS_MAX);
      }
      if (!problems.isEmpty()) {
        throw new InvalidOptionsException(problems);
      }
    }

    static boolean isPageSize(int bytes) {
      return bytes >= PAGE_BYTES_MIN && bytes <= PAGE_BYTES_MAX && Integer.bitCount(bytes) == 1;
    }
  }
}
