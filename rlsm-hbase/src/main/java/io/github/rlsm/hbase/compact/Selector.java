// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.compact;

import io.github.rlsm.base.KeyRange;
import io.github.rlsm.hbase.compact.Selection.Cuts;
import io.github.rlsm.hbase.compact.Selection.Reason;
import io.github.rlsm.hbase.layout.FileShape;
import io.github.rlsm.hbase.layout.Layout;
import io.github.rlsm.hbase.layout.Partition;
import io.github.rlsm.hbase.layout.RunShapes;
import io.github.rlsm.hbase.write.FilePlan;
import io.github.rlsm.policy.Busy;
import io.github.rlsm.policy.CleanPlanner;
import io.github.rlsm.policy.LevelShape;
import io.github.rlsm.policy.PartitionShape;
import io.github.rlsm.policy.PolicySettings;
import io.github.rlsm.policy.RunShape;
import io.github.rlsm.policy.VictimPicker;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Chooses what to compact; pure.
 *
 * <p>In this order: references, without which a region cannot split again; a partition that is too
 * large; then wide files or the partition with most runs, whichever is further past its threshold.
 * Wide files go before the partition when twice as many as are due have piled up: beyond
 * {@code blockingStoreFiles} HBase holds writers up.
 *
 * <p>Every choice is {@linkplain Layout#closure closed} and free of files that are being compacted
 * already. Partitions are not divided while wide files are appended, since the bounds would move
 * under the files being written.
 *
 * @param <F> a handle of a file
 */
public final class Selector<F> {

  private static final double PIECES = 4;

  private final Layout<F> layout;
  private final Set<F> busy;
  private final Thresholds thresholds;
  private final CleanPlanner cleans;

  /** Chooses among the files of a layout, some of which are being compacted. */
  public Selector(Layout<F> layout, Collection<F> busy, Thresholds thresholds) {
    this.layout = layout;
    this.busy = new HashSet<>(busy);
    this.thresholds = thresholds;
    this.cleans = new CleanPlanner(settings(thresholds));
  }

  private static PolicySettings settings(Thresholds thresholds) {
    PolicySettings usual = PolicySettings.DEFAULT;
    return new PolicySettings(
        thresholds.wideFilesMin() - 1,
        thresholds.filesMax(),
        Long.MAX_VALUE,
        usual.partitionBytesMax(),
        usual.partitionBytesMin(),
        thresholds.runCountMax(),
        usual.deadFractionMax(),
        usual.pinnedFractionMax(),
        usual.linkBytesMin(),
        usual.newRangeEntriesMin(),
        usual.flushBytes(),
        usual.parallelism());
  }

  /** All files, into partitions of about equal size; empty if some are being compacted. */
  public Optional<Selection<F>> major() {
    if (!busy.isEmpty() || layout.files().isEmpty()) {
      return Optional.empty();
    }
    long bytes = layout.files().stream().mapToLong(FileShape::bytes).sum();
    return Optional.of(
        Selection.of(layout.files(), new Cuts(List.of(), pieceBytes(bytes)), Reason.MAJOR));
  }

  /** What is due by itself. */
  public Optional<Selection<F>> minor(Collection<F> references) {
    boolean pressed = layout.wideDepth() >= 2 * thresholds.wideFilesMin();
    return afterSplit(references)
        .or(() -> pressed ? move() : Optional.empty())
        .or(this::divide)
        .or(this::move);
  }

  private Optional<Selection<F>> afterSplit(Collection<F> references) {
    if (references.isEmpty()) {
      return Optional.empty();
    }
    Set<F> wanted = new HashSet<>(references);
    wanted.removeAll(busy);
    Set<FileShape<F>> chosen = new HashSet<>();
    for (FileShape<F> file : layout.files()) {
      if (wanted.contains(file.file())) {
        chosen.add(file);
      }
    }
    return closed(chosen, Cuts.at(layout.bounds()), Reason.REFERENCES);
  }

  private Optional<Selection<F>> divide() {
    long bytesMax = thresholds.partitionBytesMax();
    if (bytesMax == 0 || layout.wide().stream().anyMatch(this::isBusy)) {
      return Optional.empty();
    }
    for (Partition<F> partition : layout.partitions()) {
      if (partition.bytes() > bytesMax
          && !isUncut(partition)
          && partition.runs().stream().allMatch(this::mayBeChosen)) {
        Optional<Selection<F>> found = closed(
            new HashSet<>(partition.runs()),
            new Cuts(layout.bounds(), pieceBytes(partition.bytes())),
            Reason.DIVIDE);
        if (found.isPresent()) {
          return found;
        }
      }
    }
    return Optional.empty();
  }

  /** Whether it is one file that was written for it, so that dividing has been tried in vain. */
  private static <F> boolean isUncut(Partition<F> partition) {
    return partition.runs().size() == 1
        && partition
            .runs()
            .get(0)
            .hints()
            .mark()
            .filter(partition.range()::equals)
            .isPresent();
  }

  /**
   * Equal pieces of about a quarter of the largest size: a store that grows writes four bytes to
   * divide for three that came in, where with halves it would write two for one.
   */
  private long pieceBytes(long bytes) {
    long bytesMax = thresholds.partitionBytesMax();
    if (bytesMax == 0 || bytes <= bytesMax) {
      return FilePlan.UNCUT;
    }
    return bytes / Math.round(PIECES * bytes / bytesMax) + 1;
  }

  private Optional<Selection<F>> move() {
    double wideUrgency = (double) layout.wideDepth() / thresholds.wideFilesMin() - 1;
    Optional<Selection<F>> append = wideUrgency >= 0 ? append() : Optional.empty();
    double leastUrgency = append.isPresent() ? wideUrgency : 0;
    return mergeRuns(leastUrgency).or(() -> append);
  }

  /**
   * Wide files, by the shared policy: the densest with what is older and shares rows with them; one
   * such compaction at a time. What stands above a file that may not be chosen is left out.
   */
  private Optional<Selection<F>> append() {
    if (layout.wide().stream().anyMatch(this::isBusy)) {
      return Optional.empty();
    }
    List<FileShape<F>> free = newest(layout.wide());
    LevelShape level = new LevelShape(RunShapes.of(free), List.of());
    Set<FileShape<F>> victims = new HashSet<>();
    for (RunShape run : new VictimPicker(settings(thresholds)).pick(level, Busy.NONE)) {
      victims.add(free.get(Math.toIntExact(run.id())));
    }
    return victims.size() < 2
        ? Optional.empty()
        : closed(victims, Cuts.at(layout.bounds()), Reason.APPEND);
  }

  /** The newest files that may all be chosen. */
  private List<FileShape<F>> newest(List<FileShape<F>> shapes) {
    int from = shapes.size();
    while (from > 0 && mayBeChosen(shapes.get(from - 1))) {
      from--;
    }
    return shapes.subList(from, shapes.size());
  }

  private Optional<Selection<F>> mergeRuns(double leastUrgency) {
    Optional<Selection<F>> best = Optional.empty();
    double bestUrgency = leastUrgency;
    for (Partition<F> partition : layout.partitions()) {
      List<FileShape<F>> runs = candidates(partition);
      PartitionShape shape = shape(partition, runs);
      double urgency = cleans.urgency(shape);
      if (urgency > bestUrgency) {
        Optional<Selection<F>> found =
            cleans.plan(shape).flatMap(plan -> runs(runs.subList(plan.fromRun(), plan.toRun())));
        if (found.isPresent()) {
          best = found;
          bestUrgency = urgency;
        }
      }
    }
    return best;
  }

  /** The newest runs that may all be chosen: without old ones that are too large. */
  private List<FileShape<F>> candidates(Partition<F> partition) {
    List<FileShape<F>> runs = partition.runs();
    if (runs.stream().anyMatch(this::isBusy)) {
      return List.of();
    }
    return newest(runs);
  }

  /** In an undivided store every file counts, wherever its rows lie. */
  private PartitionShape shape(Partition<F> partition, List<FileShape<F>> runs) {
    return layout.partitions().size() > 1
        ? new PartitionShape(partition.range(), RunShapes.of(runs))
        : new PartitionShape(KeyRange.ALL, RunShapes.stacked(runs));
  }

  private Optional<Selection<F>> runs(List<FileShape<F>> chosen) {
    List<FileShape<F>> oldest = chosen.subList(0, Math.min(chosen.size(), thresholds.filesMax()));
    return oldest.size() < 2
        ? Optional.empty()
        : closed(new HashSet<>(oldest), Cuts.at(layout.bounds()), Reason.RUNS);
  }

  private Optional<Selection<F>> closed(Set<FileShape<F>> chosen, Cuts cuts, Reason reason) {
    Set<FileShape<F>> closure = layout.closure(chosen);
    return closure.isEmpty() || closure.stream().anyMatch(this::isBusy)
        ? Optional.empty()
        : Optional.of(Selection.of(closure, cuts, reason));
  }

  private boolean isBusy(FileShape<F> file) {
    return busy.contains(file.file());
  }

  private boolean mayBeChosen(FileShape<F> file) {
    return file.free() && file.bytes() <= thresholds.fileBytesMax() && !isBusy(file);
  }
}
