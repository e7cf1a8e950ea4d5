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
 * What random histories are made of: how many operations of which kinds, on how many keys, with
 * values of what size.
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

  /** 1,000 operations of every kind on 150 keys, with values of up to 20,000 bytes. */
  public static OpMix usual() {
    return new OpMix();
  }

  /** How many operations a history has. */
  public OpMix operations(int count) {
    operations = count;
    return this;
  }

  /** How many keys there are in each keyspace; a few of them are met most of the time. */
  public OpMix keys(int count) {
    keys = count;
    return this;
  }

  /** The size of the largest values, in bytes. */
  public OpMix largeValueBytes(int bytes) {
    largeValueBytes = bytes;
    return this;
  }

  /** How often a kind comes up, in about a thousand; 0 for never. */
  public OpMix weight(OpKind kind, int weight) {
    weights.put(kind, weight);
    return this;
  }

  /** Leaves out all kinds but these. */
  public OpMix only(OpKind... kinds) {
    weights.keySet().retainAll(Arrays.asList(kinds));
    return this;
  }

  /**
   * Adds an operation of the store under test that changes nothing a reader can see, for example a
   * compaction.
   *
   * @param name what to call it in a report
   * @param weight how often it comes up, in about a thousand
   * @param action what it does to the store
   */
  public OpMix engineOperation(String name, int weight, Consumer<KvStore> action) {
    engineOperations.add(new EngineOperation(name, weight, false, action));
    return this;
  }

  /** Adds an operation like {@link #engineOperation} that makes all writes durable, too. */
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
