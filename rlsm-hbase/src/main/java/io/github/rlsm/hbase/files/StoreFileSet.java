// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.files;

import io.github.rlsm.base.KeyRange;
import io.github.rlsm.hbase.config.PartitionSize;
import io.github.rlsm.hbase.config.StoreSettings;
import io.github.rlsm.hbase.layout.FileShape;
import io.github.rlsm.hbase.layout.Layout;
import io.github.rlsm.hbase.layout.PartitionMark;
import io.github.rlsm.hbase.metrics.StoreMetrics;
import io.github.rlsm.hbase.metrics.StoreMetrics.Shape;
import io.github.rlsm.hbase.values.KeyFileMark;
import io.github.rlsm.hbase.values.MergedSources;
import io.github.rlsm.policy.RunShape;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.protobuf.ProtobufMagic;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.StoreFileManager;
import org.apache.hadoop.hbase.regionserver.StoreFileReader;
import org.apache.hbase.thirdparty.com.google.common.collect.ImmutableCollection;
import org.apache.hbase.thirdparty.com.google.common.collect.ImmutableList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of one store. One immutable object holds the lists of files and their layout, so that
 * readers see both together.
 *
 * <p>Threads: HBase changes the set under the store's write lock and reads it under the read lock
 * or without a lock. Each change publishes a new state through one volatile field.
 */
public final class StoreFileSet implements StoreFileManager {

  /** The key of the {@link PartitionMark} in a file's metadata. */
  public static final byte[] MARK_KEY = "RLSM_PARTITION".getBytes(StandardCharsets.US_ASCII);

  /** The key of the {@link FileColumns} in a file's metadata. */
  public static final byte[] COLUMNS_KEY = "RLSM_COLUMNS".getBytes(StandardCharsets.US_ASCII);

  /** The key of the {@link KeyFileMark} in a key file's metadata. */
  public static final byte[] VALUES_KEY = "RLSM_VALUES".getBytes(StandardCharsets.US_ASCII);

  /**
   * The key of the number of bytes of large values in a complete file's metadata: a long,
   * big-endian.
   */
  public static final byte[] LARGE_VALUES_KEY =
      "RLSM_LARGE_BYTES".getBytes(StandardCharsets.US_ASCII);

  /** The key of the {@link MergedSources} in a merged value file's metadata. */
  public static final byte[] FORMER_KEY = "RLSM_FORMER".getBytes(StandardCharsets.US_ASCII);

  /**
   * The files and everything derived from them.
   *
   * @param read the files that scans read; value files covered by key files are not among them
   * @param scans what scans have paid for merges of the layout's partitions
   */
  private record State(
      ImmutableList<HStoreFile> files,
      ImmutableList<HStoreFile> compacted,
      ImmutableList<HStoreFile> read,
      ValueFiles values,
      Layout<HStoreFile> layout,
      ScanAccounts<HStoreFile> scans) {}

  private static final Logger LOG = LoggerFactory.getLogger(StoreFileSet.class);

  private final Supplier<StoreSettings> settings;
  private final int blockingFileCount;
  private final TableName table;
  private final StoreMetrics metrics;
  private final Runnable scansPaid;
  private final ValueAccount ordering;
  private final PassedVersions.Account dead;
  private final RunningCompactions compactions = new RunningCompactions();
  private List<FileShape<HStoreFile>> shapes = List.of();
  private Shape measured = Shape.NONE;
  private volatile State state;

  /**
   * Creates a store without files.
   *
   * @param settings the present options, which an operator may change
   * @param blockingFileCount the number of files over one row above which HBase delays flushes
   * @param table the table of the store
   * @param family the column family of the store
   * @param metrics counts lookups and the shape of the layout
   * @param scansPaid called by a scan that has completed the payment for a merge. The scan holds
   *     HBase's lock of the store's files, so the callee must not wait for other locks.
   */
  public StoreFileSet(
      Supplier<StoreSettings> settings,
      int blockingFileCount,
      TableName table,
      ColumnFamilyDescriptor family,
      StoreMetrics metrics,
      Runnable scansPaid) {
    this.table = table;
    this.scansPaid = scansPaid;
    this.ordering = new ValueAccount(scansPaid);
    this.dead = new PassedVersions.Account(this::passedDead, family);
    this.metrics = metrics;
    this.settings = settings;
    this.blockingFileCount = blockingFileCount;
    this.state = state(ScanAccounts.none(), List.of(), List.of());
  }

  private State state(Collection<HStoreFile> files, Collection<HStoreFile> compacted) {
    return state(state.scans(), files, compacted);
  }

  /** Files of the previous state keep their shapes, because decoding metadata takes time. */
  private State state(
      ScanAccounts<HStoreFile> scans,
      Collection<HStoreFile> files,
      Collection<HStoreFile> compacted) {
    ImmutableList<HStoreFile> sorted = ImmutableList.sortedCopyOf(FileAge.OLDEST_FIRST, files);
    PartitionSize size = settings.get().partitions();
    IdentityHashMap<HStoreFile, FileShape<HStoreFile>> known = new IdentityHashMap<>();
    for (FileShape<HStoreFile> shape : shapes) {
      known.put(shape.file(), shape);
    }
    shapes = sorted.stream()
        .map(file -> known.computeIfAbsent(file, added -> shape(added, size.isDivided())))
        .toList();
    ValueFiles values = ValueFiles.of(sorted);
    values.keys().forEach(file -> ((PartitionedStoreFile) file).scansPay(ordering));
    sorted.stream()
        .filter(PartitionedStoreFile.class::isInstance)
        .forEach(file -> ((PartitionedStoreFile) file).scansPay(dead));
    List<FileShape<HStoreFile>> read =
        shapes.stream().filter(shape -> values.isRead(shape.file())).toList();
    Layout<HStoreFile> layout = layout(read, size);
    ordering.changed(
        values.values().values().stream().map(ValueFiles.Value::file).toList(),
        values.orderStepBytesMax(size.of(FileShape.bytes(read))));
    Shape was = measured;
    measured = measure(layout, values);
    warn(was, measured, values);
    metrics.changed(table, was, measured);
    return new State(
        sorted,
        ImmutableList.sortedCopyOf(FileAge.OLDEST_FIRST, compacted),
        read.stream().map(FileShape::file).collect(ImmutableList.toImmutableList()),
        values,
        layout,
        scans.in(layout, FileAge::bytes));
  }

  private static State withCompacted(State old, Collection<HStoreFile> compacted) {
    return new State(
        old.files(),
        ImmutableList.sortedCopyOf(FileAge.OLDEST_FIRST, compacted),
        old.read(),
        old.values(),
        old.layout(),
        old.scans());
  }

  /** Computes the layout of files that are not part of a store yet. */
  public static Layout<HStoreFile> layoutOf(Collection<HStoreFile> files, PartitionSize size) {
    return layout(
        files.stream()
            .sorted(FileAge.OLDEST_FIRST)
            .map(file -> shape(file, size.isDivided()))
            .toList(),
        size);
  }

  private static Layout<HStoreFile> layout(List<FileShape<HStoreFile>> files, PartitionSize size) {
    return Layout.of(files, size.of(FileShape.bytes(files)));
  }

  private static Shape measure(Layout<HStoreFile> layout, ValueFiles values) {
    return layout.files().isEmpty()
        ? Shape.NONE
        : new Shape(
            layout.partitions().size(),
            layout.files().size() - layout.wide().size(),
            layout.wide().size(),
            layout.depth(),
            new StoreMetrics.Values(
                values.values().size(),
                values.space().values(),
                values.space().dead(),
                values.stale().size()));
  }

  private static void warn(Shape was, Shape now, ValueFiles values) {
    if (now.values().ignoredKeyFiles() > was.values().ignoredKeyFiles()) {
      LOG.warn(
          "Key files are ignored because value files they name are missing. If HBase's engine"
              + " compacted these, nothing is lost, and a compaction removes the key files: {}",
          values.stale());
    }
  }

  /** Spans are in byte order, which is guaranteed only for the rows of tables with partitions. */
  private static FileShape<HStoreFile> shape(HStoreFile file, boolean partitioned) {
    Optional<Cell> first = file.getFirstKey();
    Optional<Cell> last = file.getLastKey();
    KeyRange span = null;
    if (first.isPresent() && last.isPresent()) {
      span = partitioned
          ? RunShape.span(CellUtil.cloneRow(first.get()), CellUtil.cloneRow(last.get()))
          : KeyRange.ALL;
    }
    return new FileShape<>(
        file,
        span,
        Math.max(0, FileAge.bytes(file)) + bytesElsewhere(file),
        entries(file),
        PartitionMark.decode(file.getMetadataValue(MARK_KEY)),
        !file.isReference() && !file.excludeFromMinorCompaction());
  }

  /**
   * A key file counts with the size of its values, so that ranges are as large as without
   * separation.
   */
  private static long bytesElsewhere(HStoreFile file) {
    return file instanceof PartitionedStoreFile own
        ? own.mark().map(KeyFileMark::bytes).orElse(0L)
        : 0;
  }

  private static long entries(HStoreFile file) {
    StoreFileReader reader = file.getReader();
    return reader == null ? 0 : Math.max(0, reader.getEntries());
  }

  /** The current layout of the files that scans read. */
  public Layout<HStoreFile> layout() {
    return state.layout();
  }

  /** The files that scans read now, oldest first. */
  public List<HStoreFile> readFiles() {
    return state.read();
  }

  /** A consistent snapshot of the files, from which a compaction chooses. */
  public Moment now() {
    State now = state;
    return new Moment(now.files(), now.layout(), now.values(), now.scans(), ordering);
  }

  /**
   * A consistent snapshot of the files.
   *
   * @param files all files
   * @param layout the layout of the files that scans read
   * @param values the files that scans do not read
   * @param scans what scans have paid for merges; scans go on paying
   * @param ordering what scans have paid for key order of values; scans go on paying
   */
  public record Moment(
      List<HStoreFile> files,
      Layout<HStoreFile> layout,
      ValueFiles values,
      ScanAccounts<HStoreFile> scans,
      ValueAccount ordering) {}

  @Override
  public void loadFiles(List<HStoreFile> storeFiles) {
    state = state(storeFiles, state.compacted());
  }

  @Override
  public void insertNewFiles(Collection<HStoreFile> added) {
    List<HStoreFile> files = new ArrayList<>(state.files());
    files.addAll(added);
    state = state(files, state.compacted());
    Layout<HStoreFile> layout = state.layout();
    if (layout.partitions().size() > 1) {
      Set<HStoreFile> fresh = new HashSet<>(added);
      layout.partitions().stream()
          .flatMap(partition -> partition.runs().stream())
          .filter(run -> fresh.contains(run.file()))
          .forEach(run -> metrics.adopted(run.bytes()));
    }
  }

  @Override
  public void addCompactionResults(
      Collection<HStoreFile> compactedFiles, Collection<HStoreFile> results) {
    Set<HStoreFile> gone = new HashSet<>(compactedFiles);
    List<HStoreFile> files = new ArrayList<>(state.files());
    files.removeIf(gone::contains);
    files.addAll(results);
    List<HStoreFile> compacted = new ArrayList<>(state.compacted());
    compacted.addAll(compactedFiles);
    state = state(files, compacted);
    compactions.ended(compactedFiles);
    // As in HBase, only after the new state is published: from here on the files may be archived.
    compactedFiles.forEach(HStoreFile::markCompactedAway);
  }

  @Override
  public void removeCompactedFiles(Collection<HStoreFile> archived) {
    Set<HStoreFile> gone = new HashSet<>(archived);
    List<HStoreFile> compacted = new ArrayList<>(state.compacted());
    compacted.removeIf(gone::contains);
    state = withCompacted(state, compacted);
    for (HStoreFile file : archived) {
      if (file instanceof PartitionedStoreFile own) {
        own.archived();
      }
    }
  }

  @Override
  public ImmutableCollection<HStoreFile> clearFiles() {
    State old = state;
    state = state(List.of(), old.compacted());
    return old.files();
  }

  @Override
  public Collection<HStoreFile> clearCompactedFiles() {
    State old = state;
    state = withCompacted(old, List.of());
    return old.compacted();
  }

  @Override
  public ImmutableList<HStoreFile> getStoreFiles() {
    return state.files();
  }

  @Override
  public ImmutableList<HStoreFile> getCompactedfiles() {
    return state.compacted();
  }

  /** The compactions that are running. */
  public RunningCompactions compactions() {
    return compactions;
  }

  /**
   * The largest number of files over one row, not the number of all files. HBase compares the
   * result with a limit on read amplification ({@code hbase.hstore.blockingStoreFiles}) and delays
   * flushes above it.
   *
   * <p>Above the limit, the files of a running compaction count as the one file they become, but
   * the result does not fall below the limit. Delaying a flush would not speed up the compaction.
   * The engine uses the limit fully, so there would be no room for flushes during a compaction. At
   * most as many files as the limit are left out of the count, so an endless compaction cannot lead
   * to endless files. A row is never in more than twice the limit. Up to the limit all files count,
   * since HBase and monitoring take the result for the number of files.
   */
  @Override
  public int getStorefileCount() {
    Layout<HStoreFile> layout = state.layout();
    int depth = layout.depth();
    int limit = Math.max(0, blockingFileCount);
    if (depth <= limit) {
      return depth;
    }
    return Math.max(limit, Math.max(layout.depthAfter(compactions.inputs()), depth - limit));
  }

  @Override
  public int getCompactedFilesCount() {
    return state.compacted().size();
  }

  /**
   * For one row, returns the files that span it: files of one partition, and wide files. HBase asks
   * their Bloom filters afterwards, outside of the store's lock. For two given rows, returns all
   * files with rows between them. If one end is open, returns all files, because a reverse scan to
   * the first row looks the same here as a forward scan to the last row. HBase knows the direction
   * and skips the files before or after a scan. Value files that key files cover are never
   * returned.
   */
  @Override
  public Collection<HStoreFile> getFilesForScan(
      byte[] startRow,
      boolean includeStartRow,
      byte[] stopRow,
      boolean includeStopRow,
      boolean onlyLatestVersion) {
    State now = state;
    if (includeStartRow && includeStopRow && isRow(startRow, stopRow)) {
      return filesWith(now.layout(), startRow);
    }
    if (now.scans().scanned(startRow)) {
      scansPaid.run();
    }
    if (startRow.length == 0 || stopRow.length == 0) {
      return now.read();
    }
    boolean forward = Arrays.compareUnsigned(startRow, stopRow) <= 0;
    KeyRange rows = forward ? RunShape.span(startRow, stopRow) : RunShape.span(stopRow, startRow);
    List<HStoreFile> found = new ArrayList<>();
    for (FileShape<HStoreFile> shape : now.layout().files()) {
      KeyRange span = shape.span();
      if (span != null && span.intersects(rows)) {
        found.add(shape.file());
      }
    }
    return found;
  }

  private void passedDead(Cell row, long bytes) {
    if (state.scans().passedDead(CellUtil.cloneRow(row), bytes)) {
      scansPaid.run();
    }
  }

  private static boolean isRow(byte[] startRow, byte[] stopRow) {
    return startRow.length > 0 && Arrays.equals(startRow, stopRow);
  }

  private List<HStoreFile> filesWith(Layout<HStoreFile> layout, byte[] row) {
    List<HStoreFile> found = new ArrayList<>();
    layout.spanning(row).forEach(shape -> found.add(shape.file()));
    metrics.looked(found.size());
    return found;
  }

  @Override
  public Iterator<HStoreFile> getCandidateFilesForRowKeyBefore(KeyValue targetKey) {
    return state.files().reverse().iterator();
  }

  @Override
  public Iterator<HStoreFile> updateCandidateFilesForRowKeyBefore(
      Iterator<HStoreFile> candidateFiles, KeyValue targetKey, Cell candidate) {
    return candidateFiles;
  }

  @Override
  public Optional<byte[]> getSplitPoint() throws IOException {
    return SplitPoint.of(state.layout());
  }

  /**
   * The number of files that may be added before HBase delays flushes. Too many dead values, and
   * halves of value files after a split, count like too many files. HBase then requests the next
   * compaction after each one, and otherwise after the next flush.
   */
  @Override
  public int getStoreCompactionPriority() {
    int priority = blockingFileCount - getStorefileCount();
    if (deadValueExcess() > 1 || state.values().hasHalves()) {
      return Math.min(0, priority);
    }
    return priority == Store.PRIORITY_USER ? priority + 1 : priority;
  }

  private double deadValueExcess() {
    return state.values().space().excess(settings.get().values().deadPercentMax());
  }

  /**
   * Returns files whose cells have all expired, with these exceptions. The file with the largest
   * sequence id stays, because it tells HBase which edits need no replay. A file that names the
   * inputs of its compaction stays while the inputs may still lie in the store's folder; otherwise
   * the next opening would revive them. Key files and value files that need each other stay or go
   * together ({@link ExpiredFiles}).
   */
  @Override
  public Collection<HStoreFile> getUnneededFiles(long maxTs, List<HStoreFile> filesCompacting) {
    State now = state;
    List<HStoreFile> older = now.files().subList(0, Math.max(0, now.files().size() - 1));
    return ExpiredFiles.of(
        older,
        now.values(),
        file -> (now.compacted().isEmpty() || !namesInputs(file))
            && file.getReader().getMaxTimestamp() < maxTs
            && !filesCompacting.contains(file));
  }

  /** HBase writes the list of inputs to every file; an empty list is only a magic number. */
  private static boolean namesInputs(HStoreFile file) {
    byte[] inputs = file.getMetadataValue(HStoreFile.COMPACTION_EVENT_KEY);
    return inputs != null && inputs.length > ProtobufMagic.lengthOfPBMagic();
  }

  /**
   * Counts all files over a row, including files that are being merged, because their merge is
   * urgent. Dead values raise the pressure from their limit on. HBase slows compactions down below
   * a pressure of 1, and not above.
   */
  @Override
  public double getCompactionPressure() {
    int depth = state.layout().depth();
    double ofFiles = (double) (depth - 2) / Math.max(1, blockingFileCount - 2);
    return Math.max(0, Math.max(ofFiles, deadValueExcess() - 1));
  }

  @Override
  public Comparator<HStoreFile> getStoreFileComparator() {
    return FileAge.OLDEST_FIRST;
  }
}
