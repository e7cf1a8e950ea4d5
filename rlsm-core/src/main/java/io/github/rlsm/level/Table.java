// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.level;

import io.github.rlsm.base.CheckListener;
import io.github.rlsm.base.EntryCursor;
import io.github.rlsm.base.EntryView;
import io.github.rlsm.base.KeyHash;
import io.github.rlsm.base.KeyRange;
import io.github.rlsm.io.MappedFaults;
import io.github.rlsm.io.MappedFile;
import io.github.rlsm.io.MappedFile.Advice;
import io.github.rlsm.kv.KvException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An open table: an immutable file of entries, each internal key at most once, found by key or read
 * in key order. FORMAT.md, "Table", tells its bytes.
 *
 * <p>A lookup touches one cache line of the filter; if that lets it pass, a few of the fences and
 * one page, of which it reads the header, a few fingerprints and about one entry. It allocates
 * nothing and copies nothing.
 *
 * <p>Errors: bytes that are not what was written are reported as
 * {@link io.github.rlsm.kv.CorruptionException} by whatever call meets them: those of footer,
 * fences, filter and properties when the table is opened, those of a page when it is first read
 * (each time, with {@link TableAccess#verifyEveryRead}).
 *
 * <p>Threads: safe for use by many threads. Nobody may call any method, nor touch memory that one
 * handed out, once {@link #close} has begun.
 */
public final class Table implements AutoCloseable {

  /** To ask about more would take longer than it helps: the kernel looks for each of its pages. */
  private static final int RESIDENCE_BYTES_MAX = 1 << 20;

  private final MappedFile file;
  private final long fileNumber;
  private final TableProperties properties;
  private final BloomFilter filter;
  private final Fences fences;
  private final Pages pages;

  /** On average: about how many entries a page has, known without a look at it. */
  private final int entriesPerPage;

  private Table(
      MappedFile file,
      long fileNumber,
      TableFooter footer,
      TableBlocks blocks,
      TableAccess access) {
    this.file = file;
    this.fileNumber = fileNumber;
    this.properties = blocks.properties();
    this.filter = blocks.filter();
    this.fences = blocks.fences();
    this.pages = new Pages(file, fileNumber, footer, blocks, access);
    this.entriesPerPage = (int) (properties.entries() / fences.pageCount());
  }

  /**
   * Opens a table and checks all of it but its pages. The table closes the file when it is closed;
   * if this throws, closing it is left to the caller.
   *
   * @param storeId the store that the table must belong to
   * @param fileNumber the number that it must have
   * @throws io.github.rlsm.kv.CorruptionException if the file is damaged, or another table
   * @throws io.github.rlsm.kv.FormatVersionException if it was written by a newer release, or is of
   *     another store
   * @throws io.github.rlsm.kv.InvalidOptionsException if its pages are compressed and the library
   *     to decompress them is missing
   */
  public static Table open(MappedFile file, long storeId, long fileNumber, TableAccess access) {
    Table table = MappedFaults.using(file.name(), () -> {
      TableFooter footer = TableBlocks.readFooter(file, storeId, fileNumber);
      TableBlocks blocks = TableBlocks.read(file, footer);
      return new Table(file, fileNumber, footer, blocks, access);
    });
    file.advise(Advice.RANDOM, 0, table.fences.offset(table.fences.pageCount()));
    return table;
  }

  /**
   * Looks a key up in its page, which the caller has asked {@link #mightContain} about before.
   *
   * @param hash {@link KeyHash} of the key
   * @param out filled if the key is here, also if it is deleted here; otherwise left as it was
   * @return whether the key is here
   */
  public boolean find(byte[] key, int offset, int length, long hash, EntryView out) {
    int page = fences.find(key, offset, length);
    return page >= 0 && findInPage(page, key, offset, length, hash, out);
  }

  private boolean findInPage(
      int page, byte[] key, int offset, int length, long hash, EntryView out) {
    ByteBuffer buffer = pages.pageUncounted(page);
    int start = pages.start(buffer, page);
    try {
      int entry = PageLayout.find(buffer, start, entriesPerPage, key, offset, length, hash);
      if (entry < 0) {
        return false;
      }
      long head = PageLayout.head(buffer, entry);
      int valueOffset = entry + PageLayout.keyStart(head) + length;
      int valueLength = PageLayout.valueLength(head);
      if (valueLength < 0 || valueLength > buffer.limit() - valueOffset) {
        throw pages.damage(page, null);
      }
      long seqno = PageLayout.seqno(buffer, start, entry);
      out.set(buffer, PageLayout.kind(head), seqno, valueOffset, valueLength);
      return true;
    } catch (IndexOutOfBoundsException e) {
      throw pages.damage(page, e);
    }
  }

  /**
   * Whether the table may hold a key of this hash. Touches the filter alone; false is certain, true
   * is wrong for about one absent key in a hundred at 10 bits for each key, in 500 at 14.
   */
  public boolean mightContain(long hash) {
    return filter.mightContain(hash);
  }

  /**
   * A cursor over the entries whose key lies in a range.
   *
   * @param descending whether it runs from the greatest key to the smallest
   */
  public EntryCursor cursor(KeyRange range, boolean descending) {
    ReadAhead readAhead = new ReadAhead(file, fences, descending);
    return new TableCursor(pages, fences, readAhead, narrowed(range), descending);
  }

  /**
   * An ascending cursor over the entries whose key lies in a range and whose value stands in one of
   * some segments of the value log: the faster the fewer they are.
   *
   * @param segments numbers, ascending; no page is read if there are none
   */
  public EntryCursor pointers(KeyRange range, int[] segments) {
    ReadAhead readAhead = new ReadAhead(file, fences, false);
    return new PointerCursor(pages, fences, readAhead, narrowed(range), segments);
  }

  /** The range without the ends that leave none of the table's keys out: nobody asks for them. */
  private KeyRange narrowed(KeyRange range) {
    byte[] from = range.from();
    byte[] to = range.to();
    boolean fromCounts = from != null && Arrays.compareUnsigned(from, properties.smallestKey()) > 0;
    boolean toCounts = to != null && Arrays.compareUnsigned(to, properties.largestKey()) <= 0;
    return fromCounts == (from != null) && toCounts == (to != null)
        ? range
        : KeyRange.of(fromCounts ? from : null, toCounts ? to : null);
  }

  /** What is in the table. */
  public TableProperties properties() {
    return properties;
  }

  /** The number in the file's name. */
  public long fileNumber() {
    return fileNumber;
  }

  /** Bytes of the whole file. */
  public long fileBytes() {
    return file.length();
  }

  /** Bytes, as stored, of the pages that may hold keys of the range. Reads no page. */
  public long estimateBytes(KeyRange range) {
    int first = fences.firstPage(range);
    int last = lastPage(range);
    return first > last ? 0 : fences.offset(last + 1) - fences.offset(first);
  }

  /** Entries in the pages that may hold keys of the range: never too few. Reads no page. */
  public long estimateEntries(KeyRange range) {
    int first = fences.firstPage(range);
    int last = lastPage(range);
    return first > last ? 0 : fences.entriesBefore(last + 1) - fences.entriesBefore(first);
  }

  /**
   * The share, 0 to 1, of the pages that may hold keys of the range which is in memory; of those in
   * its middle if there are many. Reads no page.
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

  /**
   * Entries whose key lies in the range, exactly. Reads the one or two pages at the range's ends.
   */
  public long countEntries(KeyRange range) {
    byte[] from = range.from();
    byte[] to = range.to();
    if (range.isEmpty()) {
      return 0;
    }
    long below = from == null ? 0 : entriesBelow(from);
    return (to == null ? properties.entries() : entriesBelow(to)) - below;
  }

  private long entriesBelow(byte[] key) {
    int page = fences.seek(key, 0, key.length);
    ByteBuffer buffer = pages.page(page);
    try {
      return (long) fences.entriesBefore(page)
          + PageLayout.rank(
              buffer, pages.start(buffer, page), fences.count(page), key, 0, key.length);
    } catch (IndexOutOfBoundsException e) {
      throw pages.damage(page, e);
    }
  }

  /**
   * A key that halves, by bytes stored, the part of the table that lies in a range: a page begins
   * at it, and keys of the range lie on both sides of it. Reads no page.
   *
   * @return null if less than two pages lie wholly in the range
   */
  public byte @Nullable [] medianKey(KeyRange range) {
    byte[] to = range.to();
    boolean toEnd = to == null || Arrays.compareUnsigned(properties.largestKey(), to) < 0;
    int first = fences.firstWholePage(range.from());
    int end = fences.endOfWholePages(toEnd ? null : to);
    return end - first < 2 ? null : fences.separator(fences.middlePage(first, end));
  }

  /**
   * Keys spread evenly over the pages that may hold keys of the range; the first may lie before it.
   * Reads no page.
   *
   * @param countMax most samples wanted, 1 or more
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

  /** The last page that may hold keys of the range; less than the first if none does. */
  private int lastPage(KeyRange range) {
    byte[] from = range.from();
    byte[] to = range.to();
    boolean above = from != null && Arrays.compareUnsigned(from, properties.largestKey()) > 0;
    boolean below = to != null && Arrays.compareUnsigned(to, properties.smallestKey()) <= 0;
    return above || below || range.isEmpty() ? -1 : fences.lastPage(range);
  }

  /**
   * Checks every byte of the table: checksums, and that order, hashes, fences, filter and
   * properties say the same as the entries.
   *
   * @throws io.github.rlsm.kv.CorruptionException for the first thing that is wrong
   */
  public void checkAll() {
    check(new CheckListener() {
      @Override
      public void read(long bytes) {}

      @Override
      public void damage(String name, long offset, @Nullable KeyRange keys, KvException cause) {
        throw cause;
      }
    });
  }

  /** As {@link #checkAll()}, but tells a listener of all damage. */
  public void check(CheckListener listener) {
    MappedFaults.using(file.name(), () -> {
      new TableCheck(file, fences, filter, pages, properties, listener).run();
      return this;
    });
  }

  /** Gives the table's memory back. Only its owner may call this, once no reader is left. */
  @Override
  public void close() {
    pages.close();
    file.close();
  }
}
