// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.files;

import io.github.rlsm.hbase.values.KeyFileMark;
import io.github.rlsm.hbase.values.MergedSources;
import io.github.rlsm.hbase.values.MergedSources.Former;
import io.github.rlsm.hbase.values.ValueReferenceTag.Pointer;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.ExtendedCell;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.hfile.BloomFilterMetrics;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.StoreFileInfo;
import org.apache.hadoop.hbase.regionserver.StoreFileReader;
import org.apache.hadoop.hbase.regionserver.StoreFileScanner;
import org.apache.hadoop.hbase.regionserver.StoreScanner;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * A store file whose scanners defer reading it. The file may be a key file. Then its scanners read
 * the values of its shadows from value files, which stay open while the key file is read.
 *
 * <p>Threads: as in HBase.
 */
public final class PartitionedStoreFile extends HStoreFile {

  /**
   * The number of value files that a user's scan of a store holds a block of. Together these blocks
   * are half a megabyte, as eight blocks of the default size. With fewer, a scan over the values of
   * many flushes would read a block again for each of the values in it.
   */
  private static final int OPEN_VALUES_MAX = 64;

  /** The scanners of value files that a scan uses. */
  private static final SharedByScan<ValueScanners> OF_SCAN = new SharedByScan<>();

  /** A long scan reads this many blocks of a file before it gets a separate reader of the file. */
  private static final long PREAD_BLOCKS = 4;

  /** A file with a smaller part of a store's values is unordered. */
  private static final int UNORDERED_FILES_MIN = 16;

  /** The largest request of a scan for values that are all in one file. */
  private static final int READ_AHEAD_MAX = 128 << 10;

  /** The largest one of a file with few values; a scan has up to 64 of them open. */
  private static final int READ_AHEAD_MIN = 16 << 10;

  private final Configuration conf;
  private final long preadBytesMax;
  private final NamedPath path;
  private final byte[] family;
  private LateFileScanner.@Nullable Known known;
  private @Nullable Cell last;
  private OptionalLong bulkLoadTimestamp = OptionalLong.empty();
  private Optional<KeyFileMark> mark = Optional.empty();
  private Optional<MergedSources> former = Optional.empty();
  private final Set<ValueSources> readFrom = ConcurrentHashMap.newKeySet();
  private volatile @Nullable ValueSources values;
  private volatile @Nullable ValueAccount account;
  private volatile PassedVersions.@Nullable Account dead;
  private volatile double share = 1;
  private final LongAdder paid = new LongAdder();
  private volatile @Nullable ValueIndex index;
  private final boolean isCached;
  private boolean placed;

  /** Creates a file that is not open yet. */
  public PartitionedStoreFile(
      StoreFileInfo info,
      ColumnFamilyDescriptor family,
      CacheConfig cacheConf,
      BloomFilterMetrics metrics,
      Configuration conf) {
    super(info, family.getBloomFilterType(), CacheOfFile.of(cacheConf), metrics);
    this.conf = conf;
    this.family = family.getName();
    this.isCached = cacheConf.shouldPrefetchOnOpen() || cacheConf.shouldCacheDataOnWrite();
    this.preadBytesMax = conf.getLong(
        StoreScanner.STORESCANNER_PREAD_MAX_BYTES, PREAD_BLOCKS * family.getBlocksize());
    this.path = new NamedPath(super.getPath());
  }

  /**
   * A path that caches its name. For every scan, HBase sorts a store's files by age, size, time of
   * bulk load and name. The many files of one compaction are equally old and often equally large,
   * so names are compared often.
   */
  private static final class NamedPath extends Path {
    private static final long serialVersionUID = 1;

    private final String name;

    NamedPath(Path path) {
      super(path.toUri());
      this.name = path.getName();
    }

    @Override
    public String getName() {
      return name;
    }
  }

  @Override
  public Path getPath() {
    return path;
  }

  @Override
  public OptionalLong getBulkLoadTimestamp() {
    return bulkLoadTimestamp;
  }

  /** Opens the file and reads its metadata. Call this before the file is published. */
  public void open() throws IOException {
    initReader();
    bulkLoadTimestamp = super.getBulkLoadTimestamp();
    // Where all blocks are in the cache, a block is cheaper than a read of the file.
    placed = !isCached && PlacedCell.isIn(getReader());
    FileColumns columns =
        FileColumns.decode(family, getMetadataValue(StoreFileSet.COLUMNS_KEY)).orElse(null);
    known = getFirstKey()
        .map(first -> KeyValueUtil.createFirstOnRow(
            first.getRowArray(), first.getRowOffset(), first.getRowLength()))
        .map(before -> new LateFileScanner.Known(before, columns))
        .orElse(null);
    last = getLastKey().orElse(null);
    if (!getReader().isBulkLoaded()) {
      former = MergedSources.decode(getMetadataValue(StoreFileSet.FORMER_KEY));
      if (!isReference() && getReader().getHFileReader().getFileContext().isIncludesTags()) {
        mark = KeyFileMark.decode(getMetadataValue(StoreFileSet.VALUES_KEY));
      }
    }
  }

  /**
   * The file's references to value files; empty if the file is not a key file. Half a key file does
   * not count as one, because the values may be in the other region. A bulk-loaded file does not
   * count either, because its value files have other names now.
   */
  public Optional<KeyFileMark> mark() {
    return mark;
  }

  /**
   * The name that HBase gave the file when it was written. Links keep this name behind a prefix,
   * and half files before a suffix.
   */
  public String name() {
    String name = path.getName();
    String withoutLink = name.substring(name.lastIndexOf('-') + 1);
    int suffix = isReference() ? withoutLink.indexOf('.') : -1;
    return suffix < 0 ? withoutLink : withoutLink.substring(0, suffix);
  }

  /**
   * The files that this file consists of: the former files of a merged value file, or the file
   * itself.
   */
  public List<Former> parts() {
    return former
        .map(MergedSources::files)
        .orElseGet(() -> List.of(new Former(name(), ValueFiles.span(this))));
  }

  /**
   * The names by which key files refer to this file: its own name and the names of its former
   * files.
   */
  public Set<String> names() {
    Set<String> names = new HashSet<>();
    names.add(name());
    parts().forEach(part -> names.add(part.name()));
    return names;
  }

  /**
   * Bytes of large values that were written to the file; the file's size if it does not record
   * them.
   */
  public long largeValueBytes() {
    byte[] bytes = getMetadataValue(StoreFileSet.LARGE_VALUES_KEY);
    return bytes != null && bytes.length == Long.BYTES
        ? Math.max(0, Bytes.toLong(bytes))
        : Math.max(0, FileAge.bytes(this));
  }

  /** Whether every cell of the file is older than a time. */
  public boolean isExpired(long before) {
    StoreFileReader reader = getReader();
    return reader != null && reader.getMaxTimestamp() < before;
  }

  /**
   * Sets the files that hold the values of the shadows, in the order of the mark. Call this before
   * the file is scanned.
   */
  void readValuesFrom(List<PartitionedStoreFile> files) {
    ValueSources before = values;
    if (before != null && before.files().equals(files)) {
      return;
    }
    values = new ValueSources(this, files);
    if (before != null) {
      before.retire();
    }
  }

  /** Sets the account for which scans of this key file pay. Call this before it is scanned. */
  void scansPay(ValueAccount to) {
    account = to;
  }

  /** Sets the account for which scans pay that pass dead versions. */
  void scansPay(PassedVersions.Account to) {
    dead = to;
  }

  /** Adds a scan's payment for a read of this value file. */
  void pay(long bytes) {
    paid.add(bytes);
  }

  /** The bytes that scans have paid for reads of this value file, since it was opened. */
  long paid() {
    return paid.sum();
  }

  /** Sets this value file's part of the store's values, from 0 to 1. */
  void share(double now) {
    share = now;
  }

  /**
   * Whether this value file has so many of a store's values that the values of neighbouring rows
   * are neighbours in it.
   */
  boolean isOrdered() {
    return share * UNORDERED_FILES_MIN >= 1;
  }

  /** The name of the value file with an index; null if there is none. */
  @Nullable
  String valueFile(int index) {
    return mark.filter(now -> index < now.files().size())
        .map(now -> now.files().get(index).name())
        .orElse(null);
  }

  /**
   * Reads a cell of this value file at the offset that a shadow names. Cheaper than a scanner,
   * which searches the block in the index, and reads and verifies all of it.
   *
   * @return null if the cell is not there, or its value is damaged
   */
  public @Nullable Cell cellAt(ExtendedCell shadow, Pointer pointer) throws IOException {
    return cellAt(readAhead(), shadow, pointer);
  }

  /** As {@link #cellAt}, with the reader of a scan. */
  @Nullable
  Cell cellAt(ReadAhead ahead, ExtendedCell shadow, Pointer pointer) throws IOException {
    return placed ? PlacedCell.read(ahead, shadow, pointer) : null;
  }

  /** Creates a reader of this file that begins with small requests. */
  ReadAhead readAhead() {
    return readAhead(0);
  }

  /**
   * Creates a reader that begins with the values that a hundred rows probably have in this file.
   */
  ReadAhead readAheadOfScan() {
    return readAhead((int) (share * READ_AHEAD_MAX));
  }

  /** A part for the values that the file has of a range of rows, and one for uneven shares. */
  private int readAheadMax() {
    return READ_AHEAD_MIN + (int) (share * (READ_AHEAD_MAX - READ_AHEAD_MIN));
  }

  private ReadAhead readAhead(int bytesMin) {
    StoreFileReader reader = getReader();
    return new ReadAhead(
        reader.getHFileReader().getContext().getInputStreamWrapper(),
        reader.length(),
        bytesMin,
        readAheadMax());
  }

  /** Whether the file may have rows at a cell's row or after it. */
  boolean hasRowsFrom(Cell cell) {
    Cell end = last;
    return end != null && getComparator().compareRows(end, cell) >= 0;
  }

  /** Ends the use of value files, because this file was archived. */
  void archived() {
    ValueSources last = values;
    if (last != null) {
      last.retire();
    }
  }

  /** Notes that a key file names this value file. */
  void link(ValueSources sources) {
    readFrom.add(sources);
  }

  /** Forgets a key file that no longer names this value file. */
  void unlink(ValueSources sources) {
    readFrom.remove(sources);
  }

  /**
   * Returns the current sources of values and counts a scanner in them; null if the file is not a
   * key file. The sources may be replaced between the read of the field and the count, which keeps
   * compacted value files alive. So the field is checked again.
   */
  private @Nullable ValueSources begin() {
    ValueSources now = values;
    while (now != null) {
      now.begin();
      ValueSources after = values;
      if (after == now) {
        return now;
      }
      now.end();
      now = after;
    }
    return null;
  }

  /** A value file is in use while a scan uses a key file that names it. */
  @Override
  public boolean isReferencedInReads() {
    return isHeld() || readFrom.stream().anyMatch(ValueSources::isRead);
  }

  /** Whether a scan uses this file itself, as HBase counts it. */
  boolean isHeld() {
    return super.isReferencedInReads();
  }

  /**
   * Readers of half files or from coprocessors create their own scanners. The reader of a
   * bulk-loaded file does too, because the scanner sets the sequence id of its cells.
   */
  @Override
  public StoreFileScanner getPreadScanner(
      boolean cacheBlocks, long readPt, long scannerOrder, boolean canOptimizeForNonNullColumn) {
    OF_SCAN.begin(scannerOrder);
    PassedVersions passed = passed(scannerOrder);
    StoreFileReader reader = getReader();
    LateFileScanner.Known now = known;
    ValueSources sources = now == null ? null : begin();
    if (sources != null && now != null) {
      return new ShadowScanner(
          this,
          new ShadowScanner.Values(sources, usersScanners(cacheBlocks)),
          blocks(cacheBlocks),
          now,
          new LateFileScanner.Scope(readPt, scannerOrder, false, passed));
    }
    if (now == null || !isOrdinary(reader)) {
      return super.getPreadScanner(cacheBlocks, readPt, scannerOrder, canOptimizeForNonNullColumn);
    }
    return new LateFileScanner(
        reader,
        blocks(cacheBlocks),
        now,
        new LateFileScanner.Scope(readPt, scannerOrder, canOptimizeForNonNullColumn, passed));
  }

  private HFileScanner blocks(boolean cacheBlocks) {
    return getReader().getHFileReader().getScanner(conf, cacheBlocks, true, false);
  }

  private static boolean isOrdinary(StoreFileReader reader) {
    return reader.getClass() == StoreFileReader.class && !reader.isBulkLoaded();
  }

  /**
   * A key file has no separate stream for a long scan or a compaction, because the file is small,
   * and the shared stream is read by position.
   */
  @Override
  public StoreFileScanner getStreamScanner(
      boolean canUseDropBehind,
      boolean cacheBlocks,
      boolean isCompaction,
      long readPt,
      long scannerOrder,
      boolean canOptimizeForNonNullColumn)
      throws IOException {
    OF_SCAN.begin(scannerOrder);
    PassedVersions passed = isCompaction ? null : passed(scannerOrder);
    LateFileScanner.Known now = known;
    ValueSources sources = now == null ? null : begin();
    if (sources == null || now == null) {
      LateFileScanner.Scope scope =
          new LateFileScanner.Scope(readPt, scannerOrder, canOptimizeForNonNullColumn, passed);
      if (isCompaction && !cacheBlocks && isReadOnce()) {
        return compactionScanner(canUseDropBehind, scope);
      }
      LateStreamScanner.Opening opening = () -> super.getStreamScanner(
          canUseDropBehind,
          cacheBlocks,
          isCompaction,
          readPt,
          scannerOrder,
          canOptimizeForNonNullColumn);
      return isCompaction || now == null || !isOrdinary(getReader())
          ? opening.open()
          : new LateStreamScanner(
              getReader(),
              blocks(cacheBlocks),
              now,
              scope,
              new LateStreamScanner.Stream(opening, preadBytesMax));
    }
    return new ShadowScanner(
        this,
        new ShadowScanner.Values(
            sources,
            isCompaction
                ? new ValueScanners(
                    new OfCompaction(canUseDropBehind), Integer.MAX_VALUE, () -> 0, null)
                : usersScanners(cacheBlocks)),
        isCompaction && isReadOnce()
            ? ReusedBlocks.byPosition(getReader().getHFileReader(), getCacheConf(), conf)
            : getReader().getHFileReader().getScanner(conf, cacheBlocks, true, isCompaction),
        isCompaction ? null : now,
        new LateFileScanner.Scope(readPt, scannerOrder, false, passed));
  }

  /**
   * The scanners of value files for a user's scan. The key files of a scan share them. Otherwise
   * each key file would read the block in which the values of neighbouring rows lie.
   */
  private ValueScanners usersScanners(boolean cacheBlocks) {
    ValueAccount to = account;
    ValueScanners ofScan = OF_SCAN.get();
    if (ofScan != null && ofScan.isOf(to)) {
      return ofScan;
    }
    ValueScanners created =
        new ValueScanners(new OfUser(cacheBlocks), OPEN_VALUES_MAX, System::nanoTime, to);
    OF_SCAN.set(created);
    return created;
  }

  /** How a user's scan or Get reads value files. */
  private record OfUser(boolean cacheBlocks) implements ValueScanners.Opening {
    @Override
    public StoreFileScanner open(PartitionedStoreFile file, boolean ofScan) throws IOException {
      return file.valueScanner(cacheBlocks, ofScan);
    }

    @Override
    public @Nullable ValueWalk walk(PartitionedStoreFile file, boolean ofFewRows)
        throws IOException {
      return file.placed && isOrdinary(file.getReader())
          ? file.walk(cacheBlocks && file.isOrdered(), ofFewRows)
          : null;
    }
  }

  /** How a compaction reads value files. */
  private record OfCompaction(boolean canUseDropBehind) implements ValueScanners.Opening {
    @Override
    public StoreFileScanner open(PartitionedStoreFile file, boolean ofScan) throws IOException {
      return file.streamScanner(canUseDropBehind);
    }

    @Override
    public @Nullable ValueWalk walk(PartitionedStoreFile file, boolean ofFewRows) {
      return null;
    }
  }

  private @Nullable PassedVersions passed(long scannerOrder) {
    PassedVersions.Account to = dead;
    return to == null ? null : to.ofScan(scannerOrder);
  }

  /**
   * A scanner of this value file. A scan of neighbouring rows needs one value of each block of an
   * unordered file. Such blocks would evict others that are read again sooner, and eight times as
   * many blocks as with ordinary files. So a scan uses them if they are in the cache, but does not
   * add them.
   */
  private StoreFileScanner valueScanner(boolean cacheBlocks, boolean ofScan) throws IOException {
    boolean caches = cacheBlocks && (!ofScan || isOrdered());
    StoreFileReader reader = getReader();
    if (!ofScan || !isOrdinary(reader)) {
      return super.getPreadScanner(caches, Long.MAX_VALUE, 0, false);
    }
    HFileScanner blocks = index().through(readAhead()).getScanner(conf, caches, true, false);
    return new LateFileScanner(reader, blocks, null, LateFileScanner.Scope.OF_VALUES);
  }

  private ValueWalk walk(boolean cacheBlocks, boolean ofFewRows) throws IOException {
    HFile.Reader reader = getReader().getHFileReader();
    ReadAhead ahead = readAhead(ofFewRows ? 0 : readAheadMax());
    return new ValueWalk(
        new ValueBlocks(index(), ahead, cacheBlocks),
        ahead,
        reader.getTrailer().getLastDataBlockOffset(),
        reader.getFileContext());
  }

  /** The index of this value file; it is created again if the file was opened again. */
  private ValueIndex index() throws IOException {
    HFile.Reader reader = getReader().getHFileReader();
    ValueIndex now = index;
    if (now == null || !now.isOf(reader)) {
      now = new ValueIndex(reader, readAhead(), getCacheConf(), conf);
      index = now;
    }
    return now;
  }

  private StoreFileScanner streamScanner(boolean canUseDropBehind) throws IOException {
    return isReadOnce()
        ? compactionScanner(canUseDropBehind, LateFileScanner.Scope.OF_VALUES)
        : super.getStreamScanner(canUseDropBehind, false, true, Long.MAX_VALUE, 0, false);
  }

  /** Whether a compaction may read the file by this class's own scanner. */
  private boolean isReadOnce() {
    StoreFileReader reader = getReader();
    return isOrdinary(reader)
        && !isReference()
        && !getFileInfo().isLink()
        && reader.getHFileReader().getDataBlockEncoding() == DataBlockEncoding.NONE;
  }

  private StoreFileScanner compactionScanner(boolean canUseDropBehind, LateFileScanner.Scope scope)
      throws IOException {
    CacheConfig caching = getCacheConf();
    StoreFileReader reader = getReader();
    HFileScanner blocks = ReusedBlocks.byStream(
        reader.getHFileReader(),
        caching,
        canUseDropBehind && caching.shouldDropBehindCompaction(),
        conf);
    return new LateFileScanner(reader, blocks, null, scope);
  }
}
