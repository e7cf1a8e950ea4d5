// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.compact;

import io.github.rlsm.hbase.compact.Selection.Cuts;
import io.github.rlsm.hbase.compact.Selection.Reason;
import io.github.rlsm.hbase.layout.FileShape;
import io.github.rlsm.hbase.layout.Layout;
import io.github.rlsm.hbase.layout.Partition;
import io.github.rlsm.hbase.layout.RunShapes;
import io.github.rlsm.hbase.write.FilePlan;
import io.github.rlsm.policy.CleanPlanner;
import io.github.rlsm.policy.LevelShape;
import io.github.rlsm.policy.PartitionShape;
import io.github.rlsm.policy.Plan;
import io.github.rlsm.policy.PolicySettings;
import io.github.rlsm.policy.RunShape;
import io.github.rlsm.policy.RunningPlans;
import io.github.rlsm.policy.VictimPicker;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToLongFunction;

/**
 * Selects the files of a compaction; pure.
 *
 * <p>The order is: references, which keep a region from splitting again; wide files; runs of the
 * partition with the most runs, by the embedded engine's {@link CleanPlanner}. Nothing is due
 * unless too many files lie over a row ({@link Thresholds.Files}). The more files are allowed, the
 * less often a byte is rewritten. Wide files go first, because appending them is quick and helps
 * all partitions, while partitions are merged one at a time.
 *
 * <p>A partition is divided when all of it is rewritten anyway and it exceeds its largest size. A
 * partition is never rewritten for its size alone. A large partition does not slow readers down. If
 * a single row or new versions of old rows made it large, the rewrite would gain nothing.
 *
 * <p>Every selection is {@linkplain Layout#closure closed} and contains no file that is being
 * compacted. Partitions are not divided while wide files are appended, because the bounds would
 * change while the files are written.
 *
 * @param <F> a handle of a file
 */
public final class Selector<F> {

  /** A partition of the largest size is divided into about this many pieces. */
  private static final double PIECES = 2;

  private final Layout<F> layout;
  private final Set<F> busy;
  private final Thresholds thresholds;
  private final PolicySettings settings;

  /** Creates a selector for the files of a layout, some of which are being compacted. */
  public Selector(Layout<F> layout, Collection<F> busy, Thresholds thresholds) {
    this.layout = layout;
    this.busy = new HashSet<>(busy);
    this.thresholds = thresholds;
    this.settings = settings(thresholds, thresholds.files().runs());
  }

  private static PolicySettings settings(Thresholds thresholds, int runsMax) {
    PolicySettings usual = PolicySettings.DEFAULT;
    return new PolicySettings(
        new PolicySettings.Level0(thresholds.files().wide(), filesMax(thresholds), Long.MAX_VALUE),
        usual.partitions(),
        new PolicySettings.Runs(
            runsMax, usual.linkBytesMin(), usual.deadFractionMax(), usual.pinnedFractionMax()),
        usual.flushBytes(),
        usual.parallelism());
  }

  /** One compaction can read all files that accumulate before it is due. */
  private static int filesMax(Thresholds thresholds) {
    int due = Math.max(thresholds.files().wide(), thresholds.files().runs()) + 1;
    return Math.max(thresholds.filesMax(), due);
  }

  /**
   * Selects all files, cut into partitions of about equal size; empty if some are being compacted.
   */
  public Optional<Selection<F>> major() {
    if (!busy.isEmpty() || layout.files().isEmpty()) {
      return Optional.empty();
    }
    long bytes = layout.files().stream().mapToLong(FileShape::bytes).sum();
    return Optional.of(
        Selection.of(layout.files(), new Cuts(List.of(), pieceBytes(bytes)), Reason.MAJOR));
  }

  /** Selects the files of a minor compaction that is due. */
  public Optional<Selection<F>> minor(Collection<F> references) {
    return afterSplit(references).or(this::append).or(this::mergeRuns);
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

  /** The size of equal pieces, each about half of the largest partition size. */
  private long pieceBytes(long bytes) {
    long bytesMax = thresholds.partitionBytesMax();
    if (bytesMax == 0 || bytes <= bytesMax) {
      return FilePlan.UNCUT;
    }
    return bytes / Math.round(PIECES * bytes / bytesMax) + 1;
  }

  /**
   * Selects wide files by the shared policy: the densest file and the older files that share rows
   * with it. Only one such compaction runs at a time. Files newer than one that may not be selected
   * are considered; older ones are not.
   */
  private Optional<Selection<F>> append() {
    if (layout.wideDepth() <= thresholds.files().wide() || isAppending()) {
      return Optional.empty();
    }
    List<FileShape<F>> free = newest(layout.wide());
    LevelShape level = new LevelShape(RunShapes.of(free), List.of());
    Set<FileShape<F>> victims = new HashSet<>();
    for (RunShape run : new VictimPicker(settings).pick(level, RunningPlans.NONE)) {
      victims.add(free.get(Math.toIntExact(run.id())));
    }
    return victims.size() < 2
        ? Optional.empty()
        : closed(victims, Cuts.at(layout.bounds()), Reason.APPEND);
  }

  private boolean isAppending() {
    return layout.wide().stream().anyMatch(this::isBusy);
  }

  /** The longest sequence of newest files that may all be selected. */
  private List<FileShape<F>> newest(List<FileShape<F>> shapes) {
    int from = shapes.size();
    while (from > 0 && mayBeChosen(shapes.get(from - 1))) {
      from--;
    }
    return shapes.subList(from, shapes.size());
  }

  private Optional<Selection<F>> mergeRuns() {
    Optional<Selection<F>> best = Optional.empty();
    double bestUrgency = 0;
    for (Partition<F> partition : layout.partitions()) {
      List<FileShape<F>> runs = newest(partition.runs());
      CleanPlanner cleans = new CleanPlanner(settings(thresholds, runsMax(partition, runs)));
      PartitionShape shape = layout.shape(partition, runs);
      double urgency = cleans.urgency(shape);
      if (urgency > bestUrgency) {
        Optional<Selection<F>> found =
            cleans.plan(shape).flatMap(plan -> merge(partition, chosen(plan, runs), Reason.RUNS));
        if (found.isPresent()) {
          best = found;
          bestUrgency = urgency;
        }
      }
    }
    return best;
  }

  /**
   * The allowed number of a partition's newest runs. While older runs are being merged, the merge
   * counts as one run, and the newest runs may be merged at the same time. A merge of large runs
   * takes many flushes. Without such a merge, older runs do not count. They are too large to be
   * chosen.
   */
  private int runsMax(Partition<F> partition, List<FileShape<F>> newest) {
    List<FileShape<F>> older = partition.runs().subList(0, partition.runs().size() - newest.size());
    List<FileShape<F>> still = older.stream().filter(file -> !isBusy(file)).toList();
    int runsMax = thresholds.files().runs();
    return still.size() == older.size()
        ? runsMax
        : Math.max(1, runsMax - 1 - layout.shape(partition, still).depth());
  }

  /** The plan's files; all files if the first division is due. */
  private List<FileShape<F>> chosen(Plan.Clean plan, List<FileShape<F>> runs) {
    long bytes = runs.stream().mapToLong(FileShape::bytes).sum();
    boolean divides = thresholds.dividesEarly()
        && layout.partitions().size() == 1
        && pieceBytes(bytes) != FilePlan.UNCUT;
    return divides ? runs : runs.subList(plan.fromRun(), plan.toRun());
  }

  private Optional<Selection<F>> merge(
      Partition<F> partition, List<FileShape<F>> chosen, Reason reason) {
    boolean whole = chosen.size() == partition.runs().size() && !isAppending();
    long piece = whole ? pieceBytes(partition.bytes()) : FilePlan.UNCUT;
    if (piece != FilePlan.UNCUT) {
      return closed(new HashSet<>(chosen), new Cuts(layout.bounds(), piece), Reason.DIVIDE);
    }
    List<FileShape<F>> oldest = chosen.subList(0, Math.min(chosen.size(), filesMax(thresholds)));
    return oldest.size() < 2
        ? Optional.empty()
        : closed(new HashSet<>(oldest), Cuts.at(layout.bounds()), reason);
  }

  /**
   * Selects the runs whose merge scans have overpaid most; empty if scans have paid for none. The
   * embedded engine's rule decides ({@link CleanPlanner#forScans}).
   *
   * @param paid the bytes that scans of a partition have read unnecessarily
   */
  public Optional<Selection<F>> forScans(ToLongFunction<Partition<F>> paid) {
    Optional<Selection<F>> best = Optional.empty();
    double bestShare = 1;
    for (Partition<F> partition : layout.partitions()) {
      long bytes = paid.applyAsLong(partition);
      List<FileShape<F>> runs = bytes == 0 ? List.of() : newest(partition.runs());
      Optional<CleanPlanner.ForScans> rewrite =
          CleanPlanner.forScans(layout.shape(partition, runs));
      double share = rewrite.isEmpty() ? 0 : bytes / rewrite.get().price();
      if (share >= bestShare) {
        Plan.Clean plan = rewrite.get().plan();
        Optional<Selection<F>> found =
            merge(partition, runs.subList(plan.fromRun(), plan.toRun()), Reason.SCANS);
        if (found.isPresent()) {
          best = found;
          bestShare = share;
        }
      }
    }
    return best;
  }

  /**
   * Selects the files of the partition with the largest weight, or else wide files; empty if all
   * weights are zero.
   *
   * @param weight the gain from rewriting a file
   */
  public Optional<Selection<F>> collect(ToLongFunction<F> weight) {
    Optional<Selection<F>> best = Optional.empty();
    long most = 0;
    List<List<FileShape<F>>> stacks = new ArrayList<>();
    layout.partitions().forEach(partition -> stacks.add(partition.runs()));
    stacks.add(layout.wide());
    for (List<FileShape<F>> stack : stacks) {
      List<FileShape<F>> heavy = stack.stream()
          .filter(file -> weight.applyAsLong(file.file()) > 0 && !isBusy(file))
          .toList();
      long sum =
          heavy.stream().mapToLong(file -> weight.applyAsLong(file.file())).sum();
      if (sum > most) {
        Optional<Selection<F>> found =
            closed(new HashSet<>(heavy), Cuts.at(layout.bounds()), Reason.COLLECT);
        if (found.isPresent()) {
          best = found;
          most = sum;
        }
      }
    }
    return best;
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
