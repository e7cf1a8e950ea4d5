// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.background;

import io.github.rlsm.compact.Level0GarbageEstimate;
import io.github.rlsm.compact.ValueSegments;
import io.github.rlsm.kv.CorruptionException;
import io.github.rlsm.kv.KvException;
import io.github.rlsm.policy.PartitionShape;
import io.github.rlsm.policy.ValueUse;
import io.github.rlsm.policy.ValueUse.SpaceShape;
import io.github.rlsm.policy.ValueUse.ValueSegmentShape;
import io.github.rlsm.table.Table;
import io.github.rlsm.valuelog.SegmentHoles;
import io.github.rlsm.valuelog.ValueLog;
import io.github.rlsm.version.Run;
import io.github.rlsm.version.SegmentAccount;
import io.github.rlsm.version.TableMeta;
import io.github.rlsm.version.Version;
import io.github.rlsm.versionset.PinnedVersion;
import io.github.rlsm.versionset.VersionSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Reports the disk space of the current version to the policies. Excludes data that only a snapshot
 * needs and the log of the data in memory, because no job could free them. Also excludes level-0
 * tables, which are transient and bounded in number.
 *
 * <p>Threads: one at a time for {@link #use}; any for the rest.
 */
final class SpaceSurvey {

  private final VersionSet<Table> versions;
  private final ValueLog log;
  private final SegmentHoles holes;
  private final Level0GarbageEstimate overwritten = new Level0GarbageEstimate();

  /**
   * The error of each segment in which a value could not be read. Such segments are not collected.
   */
  private final Map<Integer, KvException> damaged = new ConcurrentHashMap<>();

  private @Nullable ValueSegments known;
  private volatile long liveValueBytes;

  SpaceSurvey(VersionSet<Table> versions, ValueLog log) {
    this.versions = versions;
    this.log = log;
    this.holes = log.holes();
  }

  /** Records that a value of the segment cannot be read. The segment stays as it is. */
  void damaged(int segment, KvException damage) {
    damaged.putIfAbsent(segment, damage);
  }

  /** Returns the damage found in the segment with the lowest number. */
  Optional<KvException> damage() {
    return damaged.entrySet().stream().min(Map.Entry.comparingByKey()).map(Map.Entry::getValue);
  }

  /** Returns the bytes of live values in value segments, as of the last {@link #use}. */
  long liveValueBytes() {
    return liveValueBytes;
  }

  /**
   * Returns the disk space in use.
   *
   * @param partitions the shapes of the version's partitions, as the planner sees them
   */
  @SuppressWarnings("ReferenceEquality") // versions and their descriptions are compared by identity
  ValueUse use(PinnedVersion<Table> files, List<PartitionShape> partitions) {
    ValueSegments segments = known;
    if (segments == null
        || segments.version() != files.version()
        || segments.described() != partitions) {
      segments = new ValueSegments(files, partitions, overwritten, holes);
      known = segments;
    }
    return new Use(segments, space(segments));
  }

  private final class Use implements ValueUse {

    private final ValueSegments segments;
    private final SpaceShape space;

    Use(ValueSegments segments, SpaceShape space) {
      this.segments = segments;
      this.space = space;
    }

    @Override
    public SpaceShape space() {
      return space;
    }

    @Override
    public Map<Integer, Long> bytes(PartitionShape partition, int run) {
      return segments.bytes(partition, run);
    }

    @Override
    public long holeBytes(PartitionShape partition) {
      return segments.holeBytes(partition);
    }

    @Override
    public boolean isInKeyOrder(PartitionShape partition, int segment) {
      return ask(log::isMoved, segment)
          || (!ask(log::isSortedByFlush, segment) && segments.isWrittenByKey(partition, segment));
    }

    @Override
    public boolean isSorted(int segment) {
      return ask(log::isMoved, segment) || ask(log::isSortedByFlush, segment);
    }

    @Override
    public boolean isInMemory(int segment) {
      return ask(log::isInMemory, segment);
    }

    private boolean ask(IntPredicate question, int segment) {
      try {
        return question.test(segment);
      } catch (CorruptionException e) {
        damaged(segment, e);
        return true; // no value can be relocated out of the segment
      }
    }

    @Override
    public Set<Integer> inL0() {
      return segments.inL0();
    }
  }

  private SpaceShape space(ValueSegments segments) {
    Version version = segments.version();
    long disk = versions.manifestBytes();
    disk += version.tables().stream().mapToLong(TableMeta::fileBytes).sum();
    disk -= version.l0().stream().mapToLong(Run::bytes).sum();
    disk += version.segments().stream().mapToLong(SegmentAccount::fileBytes).sum();
    disk -= version.segments().stream()
        .mapToLong(each -> holes.bytes(each.number()))
        .sum();
    List<ValueSegmentShape> all = segments.shapes();
    long values = all.stream().mapToLong(ValueSegmentShape::liveBytes).sum();
    liveValueBytes = values;
    List<ValueSegmentShape> free =
        all.stream().filter(segment -> !damaged.containsKey(segment.number())).toList();
    return new SpaceShape(
        disk,
        segments.liveBytes(),
        segments.liveTableBytes() + values,
        segments.newShare(),
        version.nextSegmentNumber(),
        free);
  }
}
