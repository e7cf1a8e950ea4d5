// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import io.github.rlsm.kv.Ops.Change;
import io.github.rlsm.kv.Ops.Condition;
import io.github.rlsm.kv.Ops.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * A random history. The same seed and mix always give the same operations. An operation refers to
 * snapshots and iterators by number, and does something harmless if that number is not open. So any
 * part of a history is a valid history, as shrinking requires.
 */
public final class OpSequence {

  private static final List<String> KEYSPACES = List.of("", "", "", "a", "a", "b", "c");
  private static final int OPEN_AT_ONCE = 4;

  private final StoreFactory factory;
  private final SplittableRandom random;
  private final RandomData data;
  private final List<Op> operations = new ArrayList<>();

  private OpSequence(long seed, OpMix mix, StoreFactory factory) {
    this.factory = factory;
    this.random = new SplittableRandom(seed);
    this.data = new RandomData(random.split(), mix);
    List<Runnable> urn = new ArrayList<>();
    for (Map.Entry<OpKind, Integer> entry : mix.weights().entrySet()) {
      for (int i = 0; i < entry.getValue(); i++) {
        urn.add(() -> draw(entry.getKey()));
      }
    }
    for (OpMix.EngineOperation own : mix.engineOperations()) {
      for (int i = 0; i < own.weight(); i++) {
        urn.add(() -> operations.add(Ops.ofEngine(own)));
      }
    }
    while (operations.size() < mix.operations()) {
      urn.get(random.nextInt(urn.size())).run();
    }
  }

  /** Returns the history of a seed for stores of a factory. */
  static OpSequence of(long seed, OpMix mix, StoreFactory factory) {
    return new OpSequence(seed, mix, factory);
  }

  /** The operations, in their order. */
  public List<Op> operations() {
    return List.copyOf(operations);
  }

  /** All keys that the operations use. */
  public List<byte[]> keys() {
    return List.copyOf(data.keys());
  }

  private String keyspace() {
    return KEYSPACES.get(random.nextInt(KEYSPACES.size()));
  }

  private Durability durability() {
    int kind = random.nextInt(20);
    return kind < 9 ? Durability.BUFFERED : kind < 19 ? Durability.OS : Durability.SYNC;
  }

  private int number() {
    return random.nextInt(OPEN_AT_ONCE);
  }

  private void draw(OpKind kind) {
    if (kind == OpKind.SNAPSHOT_READ) {
      operations.add(get(number()));
      operations.add(scan(number()));
    } else {
      operations.add(operation(kind));
    }
  }

  private Op operation(OpKind kind) {
    return switch (kind) {
      case PUT -> put(data.value());
      case LARGE_PUT -> put(data.largeValue());
      case DELETE -> Ops.delete(keyspace(), data.key(), durability());
      case BATCH -> batch();
      case COMPARE_AND_SET -> compareAndSet();
      case PUT_IF_ABSENT ->
        Ops.putIfAbsent(new Change(keyspace(), data.key(), data.value()), durability());
      case GET -> get(Ops.LIVE);
      case MULTI_GET -> multiGet();
      case SCAN -> scan(Ops.LIVE);
      case SNAPSHOT_READ -> throw new IllegalArgumentException("these are two operations");
      case SNAPSHOT -> Ops.openSnapshot(number());
      case SNAPSHOT_CLOSE -> Ops.closeSnapshot(number());
      case ITERATOR -> iterator();
      case ITERATOR_NEXT -> Ops.moveIterator(number(), 1 + random.nextInt(8));
      case ITERATOR_CLOSE -> Ops.closeIterator(number());
      case FLUSH -> Ops.flush();
      case SYNC -> Ops.sync();
      case REOPEN -> Ops.reopen(opening());
      case KILL -> Ops.crash(StoreFactory.Crash.KILL, opening());
      case POWER_LOSS -> Ops.crash(StoreFactory.Crash.POWER_LOSS, opening());
      case KEYSPACE -> Ops.makeKeyspace(nameOfKeyspace());
      case DROP_KEYSPACE -> Ops.dropKeyspace(nameOfKeyspace());
      case CHECK -> Ops.check(data.keys());
    };
  }

  private String opening() {
    return factory.opening(random.nextLong());
  }

  private Op put(byte[] value) {
    Change change = new Change(keyspace(), data.key(), value);
    Durability durability = durability();
    BufferForm form = BufferForm.random(random);
    return Ops.put(change, durability, random.nextInt(4) == 0 ? form : null);
  }

  private Op batch() {
    List<Change> changes = new ArrayList<>();
    int count = random.nextInt(12);
    for (int i = 0; i < count; i++) {
      byte[] value = random.nextInt(4) == 0 ? null : data.value();
      changes.add(new Change(keyspace(), data.key(), value));
    }
    return Ops.batch(changes, durability());
  }

  private Op compareAndSet() {
    String keyspace = keyspace();
    byte[] key = data.key();
    byte[] replacement = random.nextInt(5) == 0 ? null : data.value();
    boolean right = random.nextInt(4) > 0;
    byte[] wrong = random.nextBoolean() ? null : data.value();
    Condition condition = new Condition(right, wrong, replacement);
    return Ops.compareAndSet(keyspace, key, condition, durability());
  }

  private Op get(int snapshot) {
    return Ops.get(new Source(keyspace(), snapshot), data.key());
  }

  private Op multiGet() {
    String keyspace = keyspace();
    int snapshot = random.nextInt(3) == 0 ? number() : Ops.LIVE;
    List<byte[]> keys = new ArrayList<>();
    int count = random.nextInt(40);
    for (int i = 0; i < count; i++) {
      keys.add(data.key());
    }
    return Ops.multiGet(new Source(keyspace, snapshot), keys);
  }

  private Op scan(int snapshot) {
    return Ops.scan(new Source(keyspace(), snapshot), data.scan());
  }

  private Op iterator() {
    int number = number();
    String keyspace = keyspace();
    int snapshot = random.nextInt(3) == 0 ? number() : Ops.LIVE;
    return Ops.openIterator(number, new Source(keyspace, snapshot), data.scan());
  }

  private String nameOfKeyspace() {
    return List.of("a", "b", "c").get(random.nextInt(3));
  }
}
