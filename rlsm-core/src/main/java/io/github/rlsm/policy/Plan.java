// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import io.github.rlsm.base.KeyRange;
import io.github.rlsm.policy.RunMetrics.SliceSize;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A job on the levels of a shard that was decided and is not yet done. */
public sealed interface Plan {

  /** Estimated bytes that the job reads and writes again; 0 if it changes only metadata. */
  long rewrittenBytes();

  /**
   * Moves L0 runs into L1. The edit removes the victims from L0. In the same step it gives each
   * target its range and appends the target's new runs, in order. They follow all runs that the
   * partition has when the edit is installed.
   *
   * @param victims the runs that leave L0, from oldest to newest
   * @param targets the partitions that get the victims' keys, in ascending key order and disjoint;
   *     each key of the victims lies in one target
   */
  record Compaction(List<RunShape> victims, List<Target> targets) implements Plan {

    /** Copies the lists. */
    public Compaction {
      victims = List.copyOf(victims);
      targets = List.copyOf(targets);
    }

    @Override
    public long rewrittenBytes() {
      return targets.stream()
          .flatMap(target -> target.runs().stream())
          .mapToLong(NewRun::rewrittenBytes)
          .sum();
    }

    /**
     * A partition that gets new runs.
     *
     * @param partition the partition before the plan, or null to create one
     * @param range the partition's range after the plan: unchanged or wider
     * @param runs the runs to append, from oldest to newest
     */
    public record Target(@Nullable PartitionShape partition, KeyRange range, List<NewRun> runs) {

      /** Copies the list. */
      public Target {
        runs = List.copyOf(runs);
      }

      /** Whether the plan widens an existing partition. */
      public boolean isWidened() {
        return partition != null && !range.equals(partition.range());
      }
    }

    /** A run to append to a partition. */
    public sealed interface NewRun {

      /** Estimated bytes to copy. */
      long rewrittenBytes();
    }

    /**
     * Links a slice as a run: no data is read or written.
     *
     * @param slice the slice to link
     */
    public record Link(Slice slice) implements NewRun {
      @Override
      public long rewrittenBytes() {
        return 0;
      }
    }

    /**
     * Merges slices into a new table, keeping the newest version of each key.
     *
     * @param slices from oldest to newest, at least one
     * @param dropsTombstones whether the new run is the oldest of its partition, so that its
     *     tombstones shadow nothing and can be dropped
     */
    public record Rewrite(List<Slice> slices, boolean dropsTombstones) implements NewRun {

      /** Copies the list. */
      public Rewrite {
        slices = List.copyOf(slices);
      }

      @Override
      public long rewrittenBytes() {
        return slices.stream().mapToLong(slice -> slice.size().bytes()).sum();
      }
    }

    /**
     * A part of a victim, by key range.
     *
     * @param run the victim
     * @param range the part's keys, inside the victim's span; the whole span for the whole victim
     * @param size the part's size
     */
    public record Slice(RunShape run, KeyRange range, SliceSize size) {

      /** Checks that the range is not empty and lies inside the run. */
      public Slice {
        if (range.isEmpty() || !run.span().covers(range)) {
          throw new IllegalArgumentException(
              "slice " + range + " is empty or outside run " + run.id() + " " + run.span());
        }
      }

      /** Whether the slice is the whole run. */
      public boolean isWhole() {
        return range.covers(run.span());
      }
    }
  }

  /**
   * Rewrites adjacent runs of a partition as one, or reads them to move values. The edit concerns
   * exactly these runs. They still have the same indexes when it is installed, because compactions
   * add runs only at the end.
   *
   * @param partition the partition as it was when the plan was made
   * @param fromRun index of the oldest run to rewrite
   * @param toRun index after the newest run to rewrite
   * @param dropsTombstones whether tombstones can be dropped, because no older run can have the
   *     same keys
   * @param reason why the clean is due
   * @param move the move of values that goes with it; names segments if and only if the reason is
   *     {@link Reason#SPACE} or {@link Reason#VALUES}
   */
  record Clean(
      PartitionShape partition,
      int fromRun,
      int toRun,
      boolean dropsTombstones,
      Reason reason,
      Move move)
      implements Plan {

    /**
     * A move of values out of value segments.
     *
     * @param segments value segments to move values out of
     * @param bytes estimated bytes of these values
     * @param onTop whether the runs stay. If true, the entries whose values were moved become a new
     *     run just above these runs, and these runs' pointers into {@code segments} become stale.
     *     If false, one run replaces all of them
     */
    public record Move(Set<Integer> segments, long bytes, boolean onTop) {

      /**
       * The minimum share of needed pages for which a move reads everything, perhaps several times.
       * With fewer needed pages, it reads each of them once. A device reads about four times as
       * fast in sequence.
       */
      public static final double WHOLE_READ = 0.25;

      /** The maximum number of segments. */
      public static final int SEGMENTS_MAX = 1 << 16;

      /** Moves no values. */
      static final Move NONE = new Move(Set.of(), 0, false);

      /** Copies the set, and checks its size. */
      public Move {
        segments = Set.copyOf(segments);
        if (segments.size() > SEGMENTS_MAX) {
          throw new IllegalArgumentException(
              "a move cannot empty " + segments.size() + " segments, more than " + SEGMENTS_MAX);
        }
      }
    }

    /** The reason for a clean. */
    public enum Reason {
      /** Too many runs in total, or too many runs over one key. */
      RUNS,
      /** The share of shadowed entries and tombstones is too large. */
      GARBAGE,
      /** A run links a table that is mostly unused, and pins its space. */
      LINKS,
      /** Extra seeks of scans have cost more than the rewrite, see {@link ScanPlanner}. */
      SCANS,
      /** Scans of values out of key order have cost more than the move, see {@link ScanPlanner}. */
      VALUES,
      /**
       * The store takes too much space, and a rewrite would find dead values that can become holes.
       */
      HOLES,
      /** The store takes too much space, and value segments are to be reclaimed. */
      SPACE
    }

    /** Creates a plan that moves no values. */
    public Clean(
        PartitionShape partition, int fromRun, int toRun, boolean dropsTombstones, Reason reason) {
      this(partition, fromRun, toRun, dropsTombstones, reason, Move.NONE);
    }

    /** Checks the indexes, and that reason and segments agree. */
    public Clean {
      Set<Integer> segments = move.segments;
      if (segments.isEmpty() == (reason == Reason.SPACE || reason == Reason.VALUES)) {
        throw new IllegalArgumentException(
            "a clean for " + reason + " names the segments " + segments);
      }
      if (!segments.isEmpty() && toRun != partition.runs().size()) {
        throw new IllegalArgumentException("a move ends at run " + toRun + " of "
            + partition.runs().size() + ", below the newest run");
      }
      if (move.onTop && segments.isEmpty()) {
        throw new IllegalArgumentException(
            "a clean for " + reason + " moves no values, but is to write on top");
      }
      if (fromRun < 0 || fromRun >= toRun || toRun > partition.runs().size()) {
        throw new IllegalArgumentException("cannot rewrite runs " + fromRun + " to " + toRun
            + " of " + partition.runs().size());
      }
    }

    /** The value segments to move values out of; empty if no values move. */
    public Set<Integer> segments() {
      return move.segments;
    }

    /** Whether the runs stay and the moved entries become a new run above them. */
    public boolean onTop() {
      return move.onTop;
    }

    /** The runs to read, from oldest to newest. */
    public List<RunShape> runs() {
      return partition.runs().subList(fromRun, toRun);
    }

    @Override
    public long rewrittenBytes() {
      return runs().stream().mapToLong(RunShape::bytes).sum();
    }
  }

  /**
   * Splits a partition without touching data. Each piece links the slices of the partition's runs
   * in its range, in the same order.
   *
   * @param partition the partition before the split
   * @param pieces at least two ranges in ascending order that together cover the partition's range
   */
  record Split(PartitionShape partition, List<KeyRange> pieces) implements Plan {

    /** Copies the list. */
    public Split {
      pieces = List.copyOf(pieces);
    }

    @Override
    public long rewrittenBytes() {
      return 0;
    }
  }

  /**
   * Merges two adjacent partitions without touching data: the result links the runs of both.
   *
   * @param left the partition with the smaller keys
   * @param right the next partition
   * @param order the runs of the result from oldest to newest, as indexes into the runs of
   *     {@code left} followed by the runs of {@code right}
   */
  record Merge(PartitionShape left, PartitionShape right, List<Integer> order) implements Plan {

    /** Copies the list. */
    public Merge {
      order = List.copyOf(order);
    }

    /** The range of the result: both ranges and the gap between them. */
    public KeyRange range() {
      return KeyRange.of(left.range().from(), right.range().to());
    }

    @Override
    public long rewrittenBytes() {
      return 0;
    }
  }
}
