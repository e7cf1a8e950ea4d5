// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import io.github.rlsm.policy.ValueUse.SpaceShape;
import io.github.rlsm.policy.ValueUse.ValueSegmentShape;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Values by run and segment, all of them live. */
final class ValuesBySegment implements ValueUse {

  private final Map<Long, Map<Integer, Long>> byRun = new HashMap<>();
  private final Map<Long, Long> holes = new HashMap<>();
  private final Set<Integer> inL0 = new HashSet<>();
  private final Set<Integer> inKeyOrder = new HashSet<>();
  private final Set<Integer> sorted = new HashSet<>();
  private final Set<Integer> onDevice = new HashSet<>();
  private final List<ValueSegmentShape> segments = new ArrayList<>();
  private long disk;
  private long live;
  private long stored;

  ValuesBySegment space(long disk, long live) {
    this.disk = disk;
    this.live = live;
    return this;
  }

  ValuesBySegment stored(long bytes) {
    stored = bytes;
    return this;
  }

  ValuesBySegment segment(int number, long total, long live) {
    segments.add(new ValueSegmentShape(number, total, live));
    return this;
  }

  ValuesBySegment run(long id, int segment, long bytes) {
    byRun.computeIfAbsent(id, key -> new HashMap<>()).put(segment, bytes);
    return this;
  }

  /** Sets the bytes that a clean of the partition with that first run would turn into holes. */
  ValuesBySegment holes(long id, long bytes) {
    holes.put(id, bytes);
    return this;
  }

  ValuesBySegment l0(int segment) {
    inL0.add(segment);
    return this;
  }

  ValuesBySegment inKeyOrder(int segment) {
    inKeyOrder.add(segment);
    return this;
  }

  /** Marks a segment as written by a flush in key order. */
  ValuesBySegment sorted(int segment) {
    sorted.add(segment);
    return this;
  }

  /** Marks a segment as not in memory. */
  ValuesBySegment onDevice(int segment) {
    onDevice.add(segment);
    return this;
  }

  @Override
  public SpaceShape space() {
    return new SpaceShape(disk, live, stored, 0.25, 10, segments);
  }

  @Override
  public Map<Integer, Long> bytes(PartitionShape partition, int run) {
    return byRun.getOrDefault(partition.runs().get(run).id(), Map.of());
  }

  @Override
  public long holeBytes(PartitionShape partition) {
    return holes.getOrDefault(partition.runs().get(0).id(), 0L);
  }

  @Override
  public boolean isInKeyOrder(PartitionShape partition, int segment) {
    return inKeyOrder.contains(segment);
  }

  @Override
  public boolean isSorted(int segment) {
    return sorted.contains(segment) || inKeyOrder.contains(segment);
  }

  @Override
  public boolean isInMemory(int segment) {
    return !onDevice.contains(segment);
  }

  @Override
  public Set<Integer> inL0() {
    return inL0;
  }
}
