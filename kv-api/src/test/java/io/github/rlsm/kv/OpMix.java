// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The composition of random histories: number and kinds of operations, number of keys, value sizes.
 *
 * <p>Threads: one thread at a time.
 */
public final class OpMix {

  /** An operation that only the store under test has, and whether it makes all writes durable. */
  record EngineOperation(String name, int weight, boolean flushes, Consumer<KvStore> action) {}

  private final Map<OpKind, Integer> weights = new EnumMap<>(OpKind.class);
  private final List<EngineOperation> engineOperations = new ArrayList<>();
  private int operations = 1_000;
  private int keys = 150;
  private int largeValueBytes = 20_000;

  private OpMix() {
    for (OpKind kind : OpKind.values()) {
      weights.put(kind, kind.usualWeight());
    }
  }

  /**
   * Returns a mix of 1,000 operations of every kind on 150 keys, with values up to 20,000 bytes.
   */
  public static OpMix usual() {
    return new OpMix();
  }

  /** Sets the number of operations of a history. */
  public OpMix operations(int count) {
    operations = count;
    return this;
  }

  /** Sets the number of keys in each keyspace. Most operations use a few popular keys. */
  public OpMix keys(int count) {
    keys = count;
    return this;
  }

  /** Sets the size of the largest values, in bytes. */
  public OpMix largeValueBytes(int bytes) {
    largeValueBytes = bytes;
    return this;
  }

  /** Sets the frequency of a kind, per thousand operations; 0 excludes it. */
  public OpMix weight(OpKind kind, int weight) {
    weights.put(kind, weight);
    return this;
  }

  /** Leaves out all other kinds. */
  public OpMix only(OpKind... kinds) {
    weights.keySet().retainAll(Arrays.asList(kinds));
    return this;
  }

  /**
   * Adds an operation of the store under test that changes no result of a read, for example a
   * compaction.
   *
   * @param name the name in a report
   * @param weight the frequency, per thousand operations
   * @param action the effect on the store
   */
  public OpMix engineOperation(String name, int weight, Consumer<KvStore> action) {
    engineOperations.add(new EngineOperation(name, weight, false, action));
    return this;
  }

  /** Adds an operation like {@link #engineOperation} that also makes all writes durable. */
  public OpMix engineFlush(String name, int weight, Consumer<KvStore> action) {
    engineOperations.add(new EngineOperation(name, weight, true, action));
    return this;
  }

  Map<OpKind, Integer> weights() {
    return weights;
  }

  List<EngineOperation> engineOperations() {
    return engineOperations;
  }

  int operations() {
    return operations;
  }

  int keys() {
    return keys;
  }

  int largeValueBytes() {
    return largeValueBytes;
  }
}
