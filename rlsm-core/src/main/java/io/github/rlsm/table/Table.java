// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.table;

import io.github.rlsm.base.CheckListener;
import io.github.rlsm.base.EntryCursor;
import io.github.rlsm.base.EntryView;
import io.github.rlsm.base.KeyHash;
import io.github.rlsm.base.KeyRange;
import io.github.rlsm.io.FileHeader;
import io.github.rlsm.io.MappedChecksum;
import io.github.rlsm.io.MappedFaults;
import io.github.rlsm.io.MappedFile;
import io.github.rlsm.io.MappedFile.Advice;
import io.github.rlsm.kv.CorruptionException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * An open table: an immutable file of entries with distinct internal keys. Finds an entry by its
 * key, and reads entries in key order. FORMAT.md, "Table", defines the bytes.
 *
 * <p>A lookup reads one cache line of the filter. If the key passes, the lookup reads a few fences
 * and one page: its header, a few fingerprints and about one entry. It allocates and copies
 * nothing.
 *
 * <p>Errors: a method that finds damaged bytes throws
 * {@link io.github.rlsm.kv.CorruptionException}. Footer, fences, filter and properties are checked
 * when the table is opened. A page is checked on its first read, or on each read with
 * {@link Access#verifyEveryRead}.
 *
 * <p>Threads: safe for use by many threads. Once {@link #close} has begun, no thread may call a
 * method or access memory that a method returned.
 */
public final class Table implements AutoCloseable {

  /**
   * The most bytes to query for residence. The kernel checks each page, so more would take too
   * long.
   */
  private static final int RESIDENCE_BYTES_MAX = 1 << 20;

  private final MappedFile file;
  private final long fileNumber;
  private final TableProperties properties;
  private final BloomFilter filter;
  private final Fences fences;
  private final Pages pages;

  /** The average number of entries in a page. Using it avoids a read of the fences. */
  private final int entriesPerPage;

  private Table(
      MappedFile file, long fileNumber, TableFooter footer, Blocks blocks, Access access) {
    this.file = file;
    this.fileNumber = fileNumber;
    this.properties = blocks.properties();
    this.filter = blocks.filter();
    this.fences = blocks.fences();
    this.pages = new Pages(file, fileNumber, footer, blocks, access);
    this.entriesPerPage = (int) (properties.entries() / fences.pageCount());
  }

  /**
   * Opens a table and checks all of it except its pages. The table closes the file when it is
   * closed. If this method throws, the caller closes the file.
   *
   * @param storeId the id of the table's store
   * @param fileNumber the expected file number
   * @throws io.github.rlsm.kv.CorruptionException if the file is damaged, or another table
   * @throws io.github.rlsm.kv.FormatVersionException if a newer release wrote the file, or it
   *     belongs to another store
   * @throws io.github.rlsm.kv.InvalidOptionsException if its pages are compressed and the library
   *     to decompress them is missing
   */
  public static Table open(MappedFile file, long storeId, long fileNumber, Access access) {
    return MappedFaults.using(file.name(), () -> {
      // Before the footer is read: that read too would make the kernel read ahead. Rejected: normal
      // access to fences and filter. If one of their pages has left memory, the kernel then reads
      // as much around it as the device's read-ahead allows, 8 MiB on some machines.
      file.advise(Advice.RANDOM, 0, file.length());
      TableFooter footer = Blocks.readFooter(file, storeId, fileNumber);
      int pagesEnd = footer.fencesOffset();
      file.advise(Advice.WILL_NEED, pagesEnd, file.length() - pagesEnd);
      Blocks blocks = Blocks.read(file, footer);
      return new Table(file, fileNumber, footer, blocks, access);
    });
  }

  /**
   * Finds the entry of a key. The caller has checked {@link #mightContain} before.
   *
   * @param hash {@link KeyHash} of the key
   * @param out receives the entry, which may be a tombstone; unchanged if there is no entry
   * @return whether the table has an entry of the key
   */
  public boolean find(byte[] key, int offset, int length, long hash, EntryView out) {
    return find(key, offset, length, hash, null, out);
  }

  /**
   * Like {@link #find(byte[], int, int, long, EntryView)}, for a page that may be missing in
   * memory.
   *
   * @param copy direct buffer that the page is copied to if possible, and that the entry may be in;
   *     null to read the page in place
   */
  public boolean find(
      byte[] key, int offset, int length, long hash, @Nullable ByteBuffer copy, EntryView out) {
    int page = fences.find(key, offset, length);
    if (page < 0) {
      return false;
    }
    ByteBuffer buffer = copy == null ? pages.pageUncounted(page) : pages.coldPage(page, copy);
    int start = pages.start(buffer, page);
    try {
      int slot = PageLayout.firstSlot(buffer, start, entriesPerPage, hash);
      int entry = slot < 0 ? -1 : PageLayout.find(buffer, start, slot, key, offset, length);
      if (entry < 0) {
        return false;
      }
      long head = PageLayout.head(buffer, entry);
      int valueOffset = entry + PageLayout.keyStart(head) + length;
      int valueLength = PageLayout.valueLength(head);
      if (valueLength < 0 || valueLength > buffer.limit() - valueOffset) {
        throw pages.damage(page, null);
      }
      out.set(buffer, PageLayout.kind(head), valueOffset, valueLength);
      return true;
    } catch (IndexOutOfBoundsException e) {
      throw pages.damage(page, e);
    }
  }

  /**
   * Whether the table may hold a key with this hash. Reads only the filter. A result of false is
   * certain. A result of true is wrong for about one absent key in 100 at 10 bits for each key, and
   * one in 500 at 14 bits.
   */
  public boolean mightContain(long hash) {
    return filter.mightContain(hash);
  }

  /**
   * Returns a cursor over the entries whose key lies in a range.
   *
   * @param descending whether it runs from the greatest key to the smallest
   */
  public EntryCursor cursor(KeyRange range, boolean descending) {
    return cursor(range, descending, Wanted.ALL);
  }

  /**
   * How many entries the caller of a cursor probably reads. Only read-ahead depends on it.
   *
   * @param entries the number of entries; {@link Long#MAX_VALUE} if it is unknown
   * @param atOnce the number of entries whose pages the cursor requests before it waits for the
   *     first of them; 0 if pages are probably in memory
   */
  public record Wanted(long entries, long atOnce) {

    /** An unknown number of entries, probably in memory. */
    public static final Wanted ALL = new Wanted(Long.MAX_VALUE, 0);

    /** What is wanted of a source that has a share of the entries: at least one entry at once. */
    public Wanted shared(double share) {
      return atOnce == 0 ? this : new Wanted(entries, Math.max(1, (long) (atOnce * share)));
    }
  }

  /**
   * Returns a cursor over the entries whose key lies in a range.
   *
   * @param descending whether it runs from the greatest key to the smallest
   * @param wanted how many entries the caller probably reads
   */
  public EntryCursor cursor(KeyRange range, boolean descending, Wanted wanted) {
    KeyRange own = narrowed(range);
    PageCursor.ReadAhead readAhead =
        new PageCursor.ReadAhead(file, fences, own, descending, pages(wanted));
    return new TableCursor(pages, fences, readAhead, own, descending);
  }

  private PageCursor.PagesWanted pages(Wanted wanted) {
    double perPage = Math.max(1, entriesPerPage);
    // The first wanted entry lies in the middle of its page, on average.
    double atOnce = wanted.atOnce() == 0 ? 0 : Math.ceil((wanted.atOnce() + perPage / 2) / perPage);
    return new PageCursor.PagesWanted((long) Math.ceil(wanted.entries() / perPage), (int) atOnce);
  }

  /**
   * Returns an ascending cursor over the entries whose key lies in a range, for a caller that reads
   * all of them. Every page is requested before the cursor reads it.
   */
  public EntryCursor all(KeyRange range) {
    KeyRange own = narrowed(range);
    PageCursor.ReadAhead readAhead = new PageCursor.ReadAhead(file, fences, own);
    return new TableCursor(pages, fences, readAhead, own, false);
  }

  /**
   * Returns an ascending cursor over the entries of a range whose value lies in one of several
   * value-log segments. The cursor is faster for fewer segments.
   *
   * @param segments numbers, ascending; if empty, the cursor reads no page
   */
  public EntryCursor pointers(KeyRange range, int[] segments) {
    KeyRange own = narrowed(range);
    PageCursor.ReadAhead readAhead = new PageCursor.ReadAhead(file, fences, own);
    return new PointerCursor(pages, fences, readAhead, own, segments);
  }

  /**
   * Removes the ends of the range that exclude no key of the table, so that cursors skip these
   * checks.
   */
  private KeyRange narrowed(KeyRange range) {
    byte[] from = range.from();
    byte[] to = range.to();
    boolean fromCounts =
        from != null && Arrays.compareUnsigned(from, properties.keys().smallest()) > 0;
    boolean toCounts =
        to != null && Arrays.compareUnsigned(to, properties.keys().largest()) <= 0;
    return fromCounts == (from != null) && toCounts == (to != null)
        ? range
        : KeyRange.of(fromCounts ? from : null, toCounts ? to : null);
  }

  /** Returns statistics of the table's content. */
  public TableProperties properties() {
    return properties;
  }

  /**
   * Makes the kernel prefer this table's fences and filter to pages of values. Does the same for
   * its other pages if the values that it points to take more room than they do. Reads these parts,
   * so call this only while nothing else needs the device. Only the first call has an effect.
   *
   * @param goesOn whether to go on. If not, the next call begins again
   */
  public void keepIndex(BooleanSupplier goesOn) {
    pages.keepIndex(goesOn);
  }

  /**
   * {@linkplain MappedFile#load Loads} the file into free memory.
   *
   * @param free bytes of memory to fill at most
   * @return the free bytes that are left; negative if the file did not fit
   */
  public long load(long free) {
    return file.load(free);
  }

  /** The number in the file's name. */
  public long fileNumber() {
    return fileNumber;
  }

  /** Bytes of the whole file. */
  public long fileBytes() {
    return file.length();
  }

  /**
   * The share, 0 to 1, of the range's pages that are in memory. Samples the middle of a long range.
   * Reads no page.
   */
  public double residentShare(KeyRange range) {
    int first = fences.firstPage(range);
    int last = lastPage(range);
    if (first > last) {
      return 1;
    }
    int start = fences.offset(first);
    int bytes = fences.offset(last + 1) - start;
    int asked = Math.min(bytes, RESIDENCE_BYTES_MAX);
    return (double) file.residentBytes(start + (bytes - asked) / 2, asked) / asked;
  }

  /** Measures the part of the table in a range. Reads one or two pages at the ends of the range. */
  public Part part(KeyRange range) {
    if (range.isEmpty()) {
      return new Part(0, 0);
    }
    byte[] from = range.from();
    byte[] to = range.to();
    Part before = from == null ? new Part(0, 0) : partBelow(from);
    Part upTo = to == null ? new Part(properties.entries(), fileBytes()) : partBelow(to);
    return new Part(upTo.entries - before.entries, upTo.bytes - before.bytes);
  }

  private Part partBelow(byte[] key) {
    int page = fences.seek(key, 0, key.length);
    ByteBuffer buffer = pages.page(page);
    try {
      int start = pages.start(buffer, page);
      int count = fences.count(page);
      int rank = PageLayout.rank(buffer, start, count, key, 0, key.length);
      double share = (double) PageLayout.entryBytes(buffer, start, count, rank)
          / PageLayout.entryBytes(buffer, start, count, count);
      double bytes = fences.offset(page) + share * fences.storedBytes(page);
      double whole = (double) fileBytes() / fences.offset(fences.pageCount());
      return new Part((long) fences.entriesBefore(page) + rank, Math.round(bytes * whole));
    } catch (IndexOutOfBoundsException e) {
      throw pages.damage(page, e);
    }
  }

  /**
   * Returns keys spread evenly over the pages that may hold keys of the range. The first key may
   * lie before the range. Reads no page.
   *
   * @param countMax the most samples to return, 1 or more
   */
  public List<KeySample> samples(KeyRange range, int countMax) {
    int first = fences.firstPage(range);
    int end = lastPage(range) + 1;
    List<KeySample> samples = new ArrayList<>();
    int page = first;
    while (page < end) {
      int left = countMax - samples.size();
      int next = left == 1 ? end : page + Math.max(1, (end - page) / left);
      int bytes = fences.offset(next) - fences.offset(page);
      samples.add(new KeySample(fences.separator(page), bytes));
      page = next;
    }
    return samples;
  }

  /**
   * Requests the first page of each sample from the device, without waiting for them.
   *
   * @param samples {@linkplain #samples samples} of this table
   */
  public void request(List<KeySample> samples) {
    for (KeySample sample : samples) {
      int page = fences.seek(sample.key, 0, sample.key.length);
      file.advise(Advice.WILL_NEED, fences.offset(page), fences.storedBytes(page));
    }
  }

  /** The average number of entries in a page, rounded down. */
  public int entriesPerPage() {
    return entriesPerPage;
  }

  /** The last page that may hold keys of the range; less than the first if no page does. */
  private int lastPage(KeyRange range) {
    byte[] from = range.from();
    byte[] to = range.to();
    boolean above =
        from != null && Arrays.compareUnsigned(from, properties.keys().largest()) > 0;
    boolean below = to != null && Arrays.compareUnsigned(to, properties.keys().smallest()) <= 0;
    return above || below || range.isEmpty() ? -1 : fences.lastPage(range);
  }

  /**
   * Checks every byte of the table: the checksums, and that order, hashes, fences, filter and
   * properties match the entries. Reports every damage to a listener.
   */
  public void check(CheckListener listener) {
    MappedFaults.using(file.name(), () -> {
      new TableCheck(file, fences, filter, pages, properties, listener).run();
      return this;
    });
  }

  /** Closes the file. Only the owner may call this, once no reader is left. */
  @Override
  public void close() {
    pages.close();
    file.close();
  }

  /**
   * The part of a table in a key range.
   *
   * @param entries the exact number of its entries
   * @param bytes the bytes of the file that its pages take, plus the same share of the rest. So
   *     parts add up to the whole file. The bytes of a page that holds an end of the range are
   *     divided by the lengths of its entries
   */
  public record Part(long entries, long bytes) {}

  /**
   * A key at the start of some pages of a table, and the bytes of the table up to the next sample.
   *
   * @param key at most the first key of these pages, and greater than all keys before them; need
   *     not be a key of the table
   * @param bytes length of the pages from this sample to the next, or to the end of the sampled
   *     range
   */
  @SuppressWarnings("ArrayRecordComponent") // samples are never compared
  public record KeySample(byte[] key, long bytes) {}

  /**
   * Objects and settings that all open tables of a store share.
   *
   * @param cache decompressed pages
   * @param counters the cost of reads
   * @param verifyEveryRead whether a page's checksum is checked on every read from the file, or
   *     only on the first read after the table was opened. Every read detects bytes that are
   *     damaged while the store is open, and makes lookups two to three times slower
   */
  public record Access(PageCache cache, ReadCounters counters, boolean verifyEveryRead) {}

  /**
   * The blocks of a table that are read and checked when it is opened: all except its pages.
   *
   * @param properties the content of the table in numbers
   * @param fences find the page of a key
   * @param filter the hashes that the table may contain
   */
  record Blocks(TableProperties properties, Fences fences, BloomFilter filter) {

    /** Reads the footer of a table. Checks that the file is a table with this store and number. */
    static TableFooter readFooter(MappedFile file, long storeId, long fileNumber) {
      String name = file.name();
      int length = file.length();
      int headerOffset = length - FileHeader.BYTES;
      if (length < TableFooter.BYTES || !FileHeader.isPresent(file.memory(), headerOffset)) {
        throw new CorruptionException(
            name,
            Math.max(0, headerOffset),
            "the file does not end with a table's footer: it is truncated, or not a table");
      }
      try {
        FileHeader.decode(file.memory().slice(headerOffset, FileHeader.BYTES), name)
            .expect(name, FileHeader.Kind.TABLE, storeId, fileNumber);
      } catch (CorruptionException e) {
        // The inner exception has an offset relative to the header, which other files have at
        // offset
        // 0.
        throw new CorruptionException(
            name, headerOffset, "the header at the file's end is wrong", e);
      }
      return TableFooter.decode(file.memory(), length, name);
    }

    /** Reads and checks the blocks that a footer describes. */
    static Blocks read(MappedFile file, TableFooter footer) {
      ByteBuffer memory = file.memory();
      String name = file.name();
      check(file, footer.propertiesOffset(), footer.properties(), "properties");
      TableProperties properties = PropertiesLayout.decode(
          memory, footer.propertiesOffset(), footer.properties().length());
      if (properties == null) {
        throw new CorruptionException(
            name, footer.propertiesOffset(), "the properties are inconsistent");
      }
      check(file, footer.fencesOffset(), footer.fences().block(), "fences");
      Fences fences = new Fences(memory, footer);
      String problem = fences.problem(footer.pages().length(), properties.entries());
      if (problem != null) {
        throw new CorruptionException(name, footer.fencesOffset(), problem);
      }
      check(file, footer.filterOffset(), footer.filter().block(), "filter");
      BloomFilter filter = new BloomFilter(
          memory,
          footer.filterOffset(),
          footer.filter().block().length(),
          footer.filter().probes());
      return new Blocks(properties, fences, filter);
    }

    private static void check(MappedFile file, int offset, TableFooter.Block block, String title) {
      CRC32C crc = new CRC32C();
      MappedChecksum.update(crc, file.memory(), offset, block.length());
      if ((int) crc.getValue() != block.checksum()) {
        throw new CorruptionException(
            file.name(), offset, "the checksum of the " + title + " is wrong");
      }
    }
  }
}
