// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.workload;

import io.github.rlsm.bench.store.StoreSettings;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The amount of data in a measurement, and the size of its entries.
 *
 * @param name the name on the command line and in reports
 * @param keys number of keys to load
 * @param valueBytes bytes of each value
 * @param sync whether every write must survive power loss when it returns
 * @param order the order in which the keys are loaded; results from before it existed lack it
 */
public record Workload(String name, long keys, int valueBytes, boolean sync, KeyOrder order) {

  /** Replaces a missing order. */
  public Workload {
    order = order == null ? KeyOrder.RANDOM : order;
  }

  private static final long KEYS_MIN = 1_000;
  private static final long REHEARSAL_KEYS_MAX = 100_000;
  private static final long REHEARSAL_BYTES_MAX = 256L << 20;

  private static final List<Workload> ALL = List.of(
      new Workload("small", 10_000_000, 100, false, KeyOrder.RANDOM),
      new Workload("1k", 3_000_000, 1_000, false, KeyOrder.RANDOM),
      new Workload("16k", 200_000, 16_000, false, KeyOrder.RANDOM),
      new Workload("sync", 200_000, 100, true, KeyOrder.RANDOM));

  /** All workloads at full size. */
  public static List<Workload> all() {
    return ALL;
  }

  /**
   * Parses a comma-separated list of workloads, at full size.
   *
   * @throws IllegalArgumentException if a name is unknown
   */
  public static List<Workload> parse(String names) {
    return Arrays.stream(names.split(","))
        .map(String::trim)
        .map(Workload::named)
        .toList();
  }

  private static Workload named(String name) {
    return ALL.stream()
        .filter(workload -> workload.name.equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no workload \"" + name + "\"; there are "
            + ALL.stream().map(Workload::name).collect(Collectors.joining(", "))));
  }

  /** A copy with a scaled number of keys, at least 1,000. */
  public Workload scaled(double factor) {
    return withKeys(Math.max(KEYS_MIN, Math.round((double) keys * factor)));
  }

  /** A copy whose keys are loaded in another order. */
  public Workload ordered(KeyOrder newOrder) {
    return new Workload(name, keys, valueBytes, sync, newOrder);
  }

  /** A small copy, which is run first to warm up the compiler. */
  public Workload rehearsal() {
    long fitting = REHEARSAL_BYTES_MAX / valueBytes;
    return withKeys(Math.min(keys, Math.min(REHEARSAL_KEYS_MAX, fitting)));
  }

  /** A copy of which a little more is loaded than fits in memory, if this one has so much. */
  public Workload writeRehearsal(long memoryBytes) {
    long notFitting = memoryBytes / 10 * 11 / entryBytes();
    return withKeys(Math.min(keys, notFitting));
  }

  /** Bytes of a key and its value. */
  public long entryBytes() {
    return (long) StoreSettings.KEY_BYTES + valueBytes;
  }

  /** Bytes of all keys and values. */
  public long dataBytes() {
    return keys * entryBytes();
  }

  private Workload withKeys(long newKeys) {
    return new Workload(name, newKeys, valueBytes, sync, order);
  }
}
