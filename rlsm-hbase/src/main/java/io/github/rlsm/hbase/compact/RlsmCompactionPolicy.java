// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.compact;

import io.github.rlsm.hbase.compact.Selection.Cuts;
import io.github.rlsm.hbase.compact.Selection.Reason;
import io.github.rlsm.hbase.compact.Thresholds.Files;
import io.github.rlsm.hbase.config.StoreSettings;
import io.github.rlsm.hbase.files.FileAge;
import io.github.rlsm.hbase.files.PartitionedStoreFile;
import io.github.rlsm.hbase.files.StoreFileSet.Moment;
import io.github.rlsm.hbase.files.ValueAccount;
import io.github.rlsm.hbase.layout.FileShape;
import io.github.rlsm.hbase.layout.Layout;
import io.github.rlsm.hbase.values.ValueOrder;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.StoreConfigInformation;
import org.apache.hadoop.hbase.regionserver.compactions.RatioBasedCompactionPolicy;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;

/**
 * Feeds HBase's options to the {@link Selector}. It keeps HBase's own rules for when a major
 * compaction is due and which compactions are large.
 *
 * <p>Threads: any; HBase replaces the options while compactions run.
 */
public final class RlsmCompactionPolicy extends RatioBasedCompactionPolicy {

  private final boolean partitioned;
  private final Consumer<String> problems;
  private volatile StoreSettings settings;

  /**
   * Creates the policy of one store.
   *
   * @param partitioned whether the rows are in byte order, so that the store may be partitioned
   * @param problems receives a message for each unusable option
   */
  public RlsmCompactionPolicy(
      Configuration conf,
      StoreConfigInformation store,
      boolean partitioned,
      Consumer<String> problems) {
    super(conf, store);
    this.partitioned = partitioned;
    this.problems = problems;
    this.settings = read(conf);
  }

  @Override
  public void setConf(Configuration conf) {
    super.setConf(conf);
    settings = read(conf);
  }

  /** The current options. */
  public StoreSettings settings() {
    return settings;
  }

  private StoreSettings read(Configuration conf) {
    StoreSettings all = StoreSettings.of(conf, storeConfigInfo.getMemStoreFlushSize(), problems);
    return partitioned ? all : all.undivided();
  }

  /** Whether a compaction is due. */
  public boolean isDue(Moment now, Collection<HStoreFile> busy) {
    return minor(now, busy, deadValues(now, busy), false).isPresent();
  }

  /**
   * Selects the files of a compaction.
   *
   * @param busy files that are being compacted
   * @param dead the values that are dead now
   * @param byUser whether a user requested it; then HBase's {@code compaction.min} suffices
   * @param forceMajor whether it must include all files
   */
  Optional<Selection<HStoreFile>> select(
      Moment now, Collection<HStoreFile> busy, DeadValues dead, boolean byUser, boolean forceMajor)
      throws IOException {
    Layout<HStoreFile> layout = now.layout();
    List<HStoreFile> files = files(layout);
    boolean few = files.size() < comConf.getMaxFilesToCompact();
    boolean forced = forceMajor && (byUser || few || byPartitions(layout));
    if (forced || (busy.isEmpty() && isMajorDue(layout, files))) {
      Optional<Selection<HStoreFile>> major = selector(now, busy, byUser).major();
      if (major.isPresent()) {
        return major;
      }
    }
    return minor(now, busy, dead, byUser);
  }

  /**
   * As in HBase, not with too many files; many files in many partitions do not count as too many.
   */
  private boolean isMajorDue(Layout<HStoreFile> layout, List<HStoreFile> files) throws IOException {
    return (files.size() < comConf.getMaxFilesToCompact() || byPartitions(layout))
        && shouldPerformMajorCompaction(files);
  }

  private boolean byPartitions(Layout<HStoreFile> layout) {
    return layout.depth() <= Math.max(comConf.getMaxFilesToCompact() - 1, rowFilesMax());
  }

  /**
   * After a major compaction, applies HBase's rule for a single file to the file of each partition.
   */
  @Override
  public boolean shouldPerformMajorCompaction(Collection<HStoreFile> files) throws IOException {
    boolean compacted = files != null
        && files.size() > 1
        && files.stream().allMatch(HStoreFile::isMajorCompactionResult)
        && files.stream().mapToLong(HStoreFile::getMaxSequenceId).distinct().count() == 1;
    if (!compacted) {
      return super.shouldPerformMajorCompaction(files);
    }
    for (HStoreFile file : files) {
      if (super.shouldPerformMajorCompaction(List.of(file))) {
        return true;
      }
    }
    return false;
  }

  /**
   * Selects the files of a compaction that is not a major one. Merges for scans come after merges
   * that keep the number of files low. Usually value files come last: they are emptied or merged
   * when nothing else is due. Files are emptied first, since their dead values need not be merged.
   * Under constant load something else is always due, so too many dead values, and then too many
   * value files, go first.
   */
  private Optional<Selection<HStoreFile>> minor(
      Moment now, Collection<HStoreFile> busy, DeadValues dead, boolean byUser) {
    List<HStoreFile> references =
        files(now.layout()).stream().filter(HStoreFile::isReference).toList();
    Selector<HStoreFile> selector = selector(now, busy, byUser);
    Optional<Selection<HStoreFile>> first =
        references.isEmpty() ? urgent(now, busy, dead) : Optional.empty();
    return first
        .or(() -> selector.minor(references))
        .or(() -> selector.forScans(now.scans()::paid))
        .or(() -> collect(now, busy, dead))
        .or(() -> orderValues(now, busy, dead))
        .or(() -> mergeValues(now, busy, dead, ValueTiers.FANOUT));
  }

  /**
   * Selects value files that cannot wait. Halves after a split cannot. Dead values cannot if they
   * exceed their limit by a larger factor than the files over a row exceed theirs. So writers do
   * not wait for their collection while they take less than twice the allowed space. Many small
   * value files cannot wait either.
   */
  private Optional<Selection<HStoreFile>> urgent(
      Moment now, Collection<HStoreFile> busy, DeadValues dead) {
    double excess = dead.space().excess(settings.values().deadPercentMax());
    double depth = (double) now.layout().depth() / rowFilesMax();
    if (dead.halves() || excess > Math.max(1, depth)) {
      Optional<Selection<HStoreFile>> collected = collect(now, busy, dead);
      if (collected.isPresent()) {
        return collected;
      }
    }
    return mergeValues(now, busy, dead, ValueTiers.URGENT);
  }

  /** The values that are dead now, except for files that are being compacted. */
  DeadValues deadValues(Moment now, Collection<HStoreFile> busy) {
    int percentMax = settings.values().deadPercentMax();
    long lifetime = storeConfigInfo.getStoreFileTtl();
    DeadValues.Rule rule = lifetime == Long.MAX_VALUE
        ? DeadValues.Rule.withoutLifetime(percentMax)
        : new DeadValues.Rule(percentMax, EnvironmentEdgeManager.currentTime() - lifetime);
    return DeadValues.of(now, busy, rule);
  }

  /** Selects the files to rewrite so that value files with mostly dead values become empty. */
  private Optional<Selection<HStoreFile>> collect(
      Moment now, Collection<HStoreFile> busy, DeadValues dead) {
    if (!dead.isWorthIt()) {
      return Optional.empty();
    }
    return dead.isRetired()
        ? Optional.of(new Selection<>(List.of(), Cuts.NONE, Reason.COLLECT))
        : selector(now, busy, false).collect(dead::weight);
  }

  /** Selects small value files by {@link ValueTiers}, except for files that are to be emptied. */
  private Optional<Selection<HStoreFile>> mergeValues(
      Moment now, Collection<HStoreFile> busy, DeadValues dead, int filesMin) {
    long bytesMin = settings.values().fileBytesMin();
    return ValueTiers.choose(aliveValues(now, busy, dead), filesMin, FileAge::bytes, bytesMin)
        .map(files -> new Selection<>(files, Cuts.NONE, Reason.VALUES));
  }

  /** Selects value files whose merge scans have paid for, by {@link ValueOrder}. */
  private Optional<Selection<HStoreFile>> orderValues(
      Moment now, Collection<HStoreFile> busy, DeadValues dead) {
    long paid = now.ordering().paid();
    if (paid == 0) {
      return Optional.empty();
    }
    long partition = settings.partitions().of(FileShape.bytes(now.layout().files()));
    long stepBytesMax = now.values().orderStepBytesMax(partition);
    List<HStoreFile> read = aliveValues(now, busy, dead).stream()
        .filter(file -> ValueAccount.canMerge((PartitionedStoreFile) file))
        .toList();
    return ValueOrder.choose(read, FileAge::bytes, stepBytesMax)
        .filter(merge -> merge.price() <= paid)
        .map(merge -> new Selection<>(merge.files(), Cuts.NONE, Reason.ORDER));
  }

  /** The value files that may be merged, from the oldest to the newest. */
  private static List<HStoreFile> aliveValues(
      Moment now, Collection<HStoreFile> busy, DeadValues dead) {
    return now.files().stream()
        .filter(file -> now.values().isValueFile(file)
            && !busy.contains(file)
            && !dead.files().containsKey(((PartitionedStoreFile) file).name()))
        .toList();
  }

  private static List<HStoreFile> files(Layout<HStoreFile> layout) {
    return layout.files().stream().map(shape -> shape.file()).toList();
  }

  private Selector<HStoreFile> selector(Moment now, Collection<HStoreFile> busy, boolean byUser) {
    Layout<HStoreFile> layout = now.layout();
    int filesMin = Math.max(2, comConf.getMinFilesToCompact());
    Thresholds thresholds = new Thresholds(
        settings.partitions().of(FileShape.bytes(layout.files())),
        settings.partitions().isFixed(),
        byUser || isTiny(layout)
            ? new Files(filesMin - 1, filesMin - 1)
            : Files.of(layout, settings.partitions(), isOfKeys(now), rowFilesMax()),
        comConf.getMaxFilesToCompact(),
        comConf.getMaxCompactSize(false));
    return new Selector<>(layout, busy, thresholds);
  }

  /**
   * Whether the files have fewer bytes than one run that a flush writes. HBase's threshold is lower
   * and keeps such a store in few files. Rewriting it costs little.
   */
  private boolean isTiny(Layout<HStoreFile> layout) {
    return FileShape.bytes(layout.files()) < settings.flushRunBytesMin();
  }

  /** Whether most files are key files, which are small beside the values that they refer to. */
  private static boolean isOfKeys(Moment now) {
    return 2 * now.values().keys().size() > now.layout().files().size();
  }

  /** With more files than {@code blockingStoreFiles}, writers would wait. */
  private int rowFilesMax() {
    return (int) Math.min(settings.rowFilesMax(), storeConfigInfo.getBlockingFileCount());
  }
}
