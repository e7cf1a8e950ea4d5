// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.compact;

import io.github.rlsm.base.EntryCursor;
import io.github.rlsm.base.KeyRange;
import io.github.rlsm.log.RelocatedSegment;
import io.github.rlsm.policy.Plan;
import io.github.rlsm.policy.Plan.Compaction.Slice;
import io.github.rlsm.policy.RunShape;
import io.github.rlsm.table.Table;
import io.github.rlsm.table.TableProperties;
import io.github.rlsm.valuelog.SegmentHoles;
import io.github.rlsm.valuelog.ValueLog;
import io.github.rlsm.version.Partition;
import io.github.rlsm.version.Run;
import io.github.rlsm.version.TableMeta;
import io.github.rlsm.version.Version;
import io.github.rlsm.version.VersionEdit;
import io.github.rlsm.versionset.LivePartition;
import io.github.rlsm.versionset.PinnedVersion;
import java.lang.ref.SoftReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Carries out a plan: reads and writes its files, and returns the function that creates its edit.
 *
 * <p>The edit is created at installation, from the version that is current then. A compaction
 * appends its runs after all runs that the partition has by then. A clean replaces exactly the runs
 * it read.
 *
 * <p>Threads: one at a time.
 */
public final class CompactionJob {

  private final PinnedVersion<Table> files;
  private final ValuePlaces values;
  private final SegmentHoles.NewHoles holes;
  private final DeadValues dead;
  private final Rewrite rewrite;
  private long movedBytes;
  private List<Integer> droppedSegments = List.of();

  /**
   * Creates a job on the version that the plan was made for. The version stays pinned until the job
   * is done.
   */
  public CompactionJob(PinnedVersion<Table> files, TableFactory tables, ValuePlaces values) {
    this.files = files;
    this.values = values;
    this.holes = values.log().holes().collect();
    this.dead = new DeadValues(files.version(), holes);
    this.rewrite = new Rewrite(tables, files.version().keyspaces(), level0(files), dead);
  }

  /** The runs of level 0, newest first. They are newer than all runs of partitions. */
  private static NewerRuns level0(PinnedVersion<Table> files) {
    NewerRuns runs = new NewerRuns();
    for (int i = 0; i < files.l0Count(); i++) {
      runs.add(files.version().l0().get(i), files.l0Table(i));
    }
    return runs;
  }

  /**
   * Runs the job. Returns the function that creates the edit from the version that is current at
   * installation.
   */
  public Function<Version, VersionEdit> run(Plan plan) {
    if (plan instanceof Plan.Compaction compact) {
      return compact(compact);
    }
    if (plan instanceof Plan.Clean clean) {
      return clean(clean);
    }
    return plan instanceof Plan.Split split ? split(split) : merge((Plan.Merge) plan);
  }

  private record Addition(Plan.Compaction.Target target, List<Run> runs) {}

  private Function<Version, VersionEdit> compact(Plan.Compaction plan) {
    List<TableMeta> written = new ArrayList<>();
    List<Addition> additions = new ArrayList<>();
    for (Plan.Compaction.Target target : plan.targets()) {
      List<Run> runs = new ArrayList<>();
      for (Plan.Compaction.NewRun newRun : target.runs()) {
        if (newRun instanceof Plan.Compaction.Link link) {
          runs.add(linked(link.slice()));
        } else {
          List<TableMeta> made = rewritten((Plan.Compaction.Rewrite) newRun);
          made.forEach(table -> runs.add(Rewrite.run(table)));
          written.addAll(made);
        }
      }
      additions.add(new Addition(target, runs));
    }
    return current -> {
      VersionEdit.Builder edit = VersionEdit.builder();
      written.forEach(edit::addTable);
      plan.victims().forEach(victim -> edit.removeL0(victim.id()));
      additions.forEach(addition -> append(edit, current, addition));
      dead.addTo(edit);
      return edit.build();
    };
  }

  private static void append(VersionEdit.Builder edit, Version current, Addition addition) {
    Plan.Compaction.Target target = addition.target;
    if (addition.runs.isEmpty()) {
      return;
    }
    Optional<Partition> before = target.partition() == null
        ? Optional.empty()
        : find(current, target.partition().range());
    List<Partition> replaced = before.map(List::of).orElse(List.of());
    // A concurrent clean may have found no live entry in the partition and removed it. Then its
    // range is free and belongs to this job: no other job could append to it.
    List<Run> runs = new ArrayList<>(before.map(Partition::runs).orElse(List.of()));
    runs.addAll(addition.runs);
    edit.replacePartitions(replaced, List.of(new Partition(target.range(), runs)));
  }

  private static Run linked(Slice slice) {
    return new Run(
        slice.run().id(), slice.range(), slice.size().bytes(), slice.size().entries());
  }

  private List<TableMeta> rewritten(Plan.Compaction.Rewrite plan) {
    List<EntryCursor> cursors = new ArrayList<>();
    long entries = 0;
    for (int i = plan.slices().size() - 1; i >= 0; i--) {
      Slice slice = plan.slices().get(i);
      cursors.add(l0Table(slice.run()).all(slice.range()));
      entries += slice.size().entries();
    }
    Rewrite.Sources sources = Rewrite.Sources.of(cursors, entries);
    return rewrite
        .run(TableFactory.WriteCause.COMPACT, sources, plan.dropsTombstones(), false)
        .tables();
  }

  private Table l0Table(RunShape run) {
    List<Run> l0 = files.version().l0();
    for (int i = 0; i < l0.size(); i++) {
      if (l0.get(i).table() == run.id()) {
        return files.l0Table(i);
      }
    }
    throw new IllegalStateException(
        "victim " + run.id() + " is not in level 0 of the pinned version");
  }

  private Function<Version, VersionEdit> clean(Plan.Clean plan) {
    if (plan.onTop()) {
      return edit(plan, rewrite.moveOnTop(leadingInto(plan), values, plan.move()), true);
    }
    boolean drops = plan.dropsTombstones();
    return edit(
        plan,
        plan.segments().isEmpty()
            ? rewrite.run(TableFactory.WriteCause.CLEAN, sources(plan), drops, isCold(plan))
            : rewrite.runMoving(sources(plan), drops, values, plan.move()),
        false);
  }

  private SegmentPointerScan leadingInto(Plan.Clean plan) {
    LivePartition<Table> live = live(plan.partition().range());
    SegmentPointerScan entries = new SegmentPointerScan(plan.segments());
    for (int i = plan.toRun() - 1; i >= plan.fromRun(); i--) {
      entries.add(live.partition().runs().get(i), live.table(i));
    }
    return entries;
  }

  /**
   * Whether most of the data to read is not in memory. Then it has not been read for long. Keeping
   * the new tables in memory would evict more useful pages: recent writes, or the log that is about
   * to be flushed.
   */
  private boolean isCold(Plan.Clean plan) {
    LivePartition<Table> live = live(plan.partition().range());
    double all = 0;
    double resident = 0;
    for (int i = plan.fromRun(); i < plan.toRun(); i++) {
      Run run = live.partition().runs().get(i);
      all += run.bytes();
      resident += run.bytes() * live.table(i).residentShare(run.range());
    }
    return resident < all / 2;
  }

  /** Cursors over the runs to read, newest first. */
  private Rewrite.Sources sources(Plan.Clean plan) {
    LivePartition<Table> live = live(plan.partition().range());
    List<EntryCursor> cursors = new ArrayList<>();
    long entries = 0;
    for (int i = plan.toRun() - 1; i >= plan.fromRun(); i--) {
      Run run = live.partition().runs().get(i);
      cursors.add(RunEntries.of(run, live.table(i)));
      entries += run.entries();
    }
    return Rewrite.Sources.of(cursors, entries);
  }

  private Function<Version, VersionEdit> edit(Plan.Clean plan, Rewrite.Made made, boolean onTop) {
    movedBytes = made.movedBytes();
    droppedSegments = made.droppedSegments();
    List<TableMeta> written = made.tables();
    LivePartition<Table> live = live(plan.partition().range());
    List<Run> read = List.copyOf(live.partition().runs().subList(plan.fromRun(), plan.toRun()));
    List<Run> kept = new ArrayList<>();
    for (int i = plan.fromRun(); onTop && i < plan.toRun(); i++) {
      kept.add(without(live.partition().runs().get(i), live.table(i), plan.segments()));
    }
    return current -> {
      Partition before = partition(current, plan.partition().range());
      List<Run> runs = new ArrayList<>(before.runs());
      List<Run> now = runs.subList(plan.fromRun(), plan.toRun());
      if (!now.equals(read)) {
        throw new IllegalStateException(
            "the runs of partition " + before.range() + " have changed since they were read");
      }
      now.clear();
      now.addAll(kept);
      now.addAll(written.stream().map(Rewrite::run).toList());
      VersionEdit.Builder edit = VersionEdit.builder();
      written.forEach(edit::addTable);
      edit.replacePartitions(
          List.of(before),
          runs.isEmpty() ? List.of() : List.of(new Partition(before.range(), runs)));
      made.segments().forEach(edit::addSegment);
      dead.addTo(edit);
      return edit.build();
    };
  }

  /**
   * The run after its values in the given segments were moved out. It may point into only some of
   * them.
   */
  private static Run without(Run run, Table table, Set<Integer> segments) {
    return run.withMovedOut(table.properties().segments().stream()
        .map(TableProperties.SegmentUse::segment)
        .filter(segments::contains)
        .toList());
  }

  /** Bytes of values that were moved between segments. */
  public long movedBytes() {
    return movedBytes;
  }

  /** The value segments that the job has written and dropped from memory, by number. */
  public List<Integer> droppedSegments() {
    return droppedSegments;
  }

  /** The whole blocks of the value log that the job has made dead. */
  public SegmentHoles.NewHoles holes() {
    return holes;
  }

  private Function<Version, VersionEdit> split(Plan.Split plan) {
    LivePartition<Table> live = live(plan.partition().range());
    List<Partition> pieces = new ArrayList<>();
    for (KeyRange range : plan.pieces()) {
      List<Run> runs = new ArrayList<>();
      for (int i = 0; i < live.runCount(); i++) {
        Run run = live.run(i);
        KeyRange part = run.range().intersection(range);
        Table.Part size = live.table(i).part(part);
        if (size.entries() > 0) {
          runs.add(new Run(run.table(), part, size.bytes(), size.entries(), run.movedOut()));
        }
      }
      if (!runs.isEmpty()) {
        pieces.add(new Partition(range, runs));
      }
    }
    return current -> VersionEdit.builder()
        .replacePartitions(List.of(unchanged(current, live.partition())), pieces)
        .build();
  }

  private Function<Version, VersionEdit> merge(Plan.Merge plan) {
    Partition left = live(plan.left().range()).partition();
    Partition right = live(plan.right().range()).partition();
    List<Run> both = new ArrayList<>(left.runs());
    both.addAll(right.runs());
    List<Run> ordered = plan.order().stream().map(both::get).toList();
    return current -> VersionEdit.builder()
        .replacePartitions(
            List.of(unchanged(current, left), unchanged(current, right)),
            List.of(new Partition(plan.range(), ordered)))
        .build();
  }

  private LivePartition<Table> live(KeyRange range) {
    List<Partition> partitions = files.version().partitions();
    for (int i = 0; i < partitions.size(); i++) {
      if (partitions.get(i).range().equals(range)) {
        return files.partition(i);
      }
    }
    throw new IllegalStateException("the pinned version has no partition over " + range);
  }

  private static Partition partition(Version version, KeyRange range) {
    return find(version, range)
        .orElseThrow(
            () -> new IllegalStateException("the current version has no partition over " + range));
  }

  private static Optional<Partition> find(Version version, KeyRange range) {
    return version.partitions().stream()
        .filter(partition -> partition.range().equals(range))
        .findFirst();
  }

  private static Partition unchanged(Version current, Partition partition) {
    Partition now = partition(current, partition.range());
    if (!now.equals(partition)) {
      throw new IllegalStateException(
          "partition " + now.range() + " has changed since the plan was made");
    }
    return now;
  }

  /**
   * The source and the destination of jobs that move values. All jobs of a store share one object.
   *
   * <p>Thread-safe.
   */
  public static final class ValuePlaces {

    private final ValueLog log;
    private final Supplier<RelocatedSegment> segments;
    private final Executor helpers;
    private final int threads;

    /**
     * Lists of values that earlier jobs have returned. A list lives longer than young objects do,
     * so the G1 collector moves it to the old generation. There a list that is not used again stays
     * until the next marking, which makes the heap larger. The collector may clear the references
     * when no job has moved values for a while.
     */
    private final Queue<SoftReference<MoveList>> spareLists = new ConcurrentLinkedQueue<>();

    /**
     * Creates the places of a store's values.
     *
     * @param log the value log
     * @param segments creates a segment for moved values
     * @param helpers threads that copy values when they are idle. A task that starts after the job
     *     has ended does nothing, and a task may be dropped
     * @param threads the number of threads that copy values of one job, helpers included
     */
    public ValuePlaces(
        ValueLog log, Supplier<RelocatedSegment> segments, Executor helpers, int threads) {
      this.log = log;
      this.segments = segments;
      this.helpers = helpers;
      this.threads = threads;
    }

    /** The value log. */
    public ValueLog log() {
      return log;
    }

    Executor helpers() {
      return helpers;
    }

    int threads() {
      return threads;
    }

    RelocatedSegment begin() {
      return segments.get();
    }

    /** Returns an empty list, to be {@linkplain #giveBack given back}. */
    MoveList takeList() {
      for (SoftReference<MoveList> spare = spareLists.poll();
          spare != null;
          spare = spareLists.poll()) {
        MoveList list = spare.get();
        if (list != null) {
          return list;
        }
      }
      return new MoveList();
    }

    /** Keeps a list, which the caller no longer uses, for the next job. */
    void giveBack(MoveList list) {
      if (list.isWorthKeeping()) {
        list.clear();
        spareLists.add(new SoftReference<>(list));
      }
    }
  }
}
