// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A random history. The same seed and mix always give the same operations. An operation refers to
 * snapshots and iterators by number, and does something harmless if that number is not open. So any
 * part of a history is a valid history, as shrinking requires.
 */
public final class OpSequence {

  private static final List<String> KEYSPACES = List.of("", "", "", "a", "a", "b", "c");
  private static final int OPEN_AT_ONCE = 4;

  /** The number of a snapshot that is never open; reads of it use the live keyspace. */
  private static final int LIVE = -1;

  private final SplittableRandom random;
  private final RandomData data;
  private final List<Op> operations = new ArrayList<>();

  private OpSequence(long seed, OpMix mix) {
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
        urn.add(() -> ofEngine(own));
      }
    }
    while (operations.size() < mix.operations()) {
      urn.get(random.nextInt(urn.size())).run();
    }
  }

  /** Returns the history of a seed. */
  public static OpSequence of(long seed, OpMix mix) {
    return new OpSequence(seed, mix);
  }

  /** The operations, in their order. */
  public List<Op> operations() {
    return List.copyOf(operations);
  }

  /** All keys that the operations use. */
  public List<byte[]> keys() {
    return List.copyOf(data.keys());
  }

  private void add(String description, Function<Side, @Nullable Object> action) {
    operations.add(new Op(description, action));
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
    switch (kind) {
      case PUT -> put(data.value());
      case LARGE_PUT -> put(data.largeValue());
      case DELETE -> delete();
      case BATCH -> batch();
      case COMPARE_AND_SET -> compareAndSet();
      case PUT_IF_ABSENT -> putIfAbsent();
      case GET -> get(LIVE);
      case MULTI_GET -> multiGet();
      case SCAN -> scan(LIVE);
      case SNAPSHOT_READ -> {
        get(number());
        scan(number());
      }
      case SNAPSHOT, SNAPSHOT_CLOSE -> snapshot(kind, number());
      case ITERATOR -> iterator();
      case ITERATOR_NEXT -> iteratorNext();
      case ITERATOR_CLOSE -> iteratorClose();
      case FLUSH -> onStore("flush", KvStore::flush);
      case SYNC -> onStore("sync", KvStore::sync);
      case REOPEN -> reopen();
      case KILL -> crash(StoreFactory.Crash.KILL);
      case POWER_LOSS -> crash(StoreFactory.Crash.POWER_LOSS);
      case KEYSPACE, DROP_KEYSPACE -> changeKeyspace(kind);
      case CHECK -> add("compare everything", side -> side.everything(data.keys()));
    }
  }

  private void ofEngine(OpMix.EngineOperation own) {
    add(own.name(), side -> {
      if (!side.isModel()) {
        own.action().accept(side.store());
      } else if (own.flushes()) {
        side.store().flush();
      }
      return null;
    });
  }

  private void reopen() {
    long seed = random.nextLong();
    add("close and open again, " + seed, side -> {
      side.reopen(seed);
      return null;
    });
  }

  private void crash(StoreFactory.Crash crash) {
    long seed = random.nextLong();
    add(crash + " and open again, " + seed, side -> side.crash(crash, seed));
  }

  private void onStore(String description, Consumer<KvStore> action) {
    add(description, side -> {
      action.accept(side.store());
      return null;
    });
  }

  private void put(byte[] value) {
    String keyspace = keyspace();
    byte[] key = data.key();
    Durability durability = durability();
    BufferForm form = BufferForm.random(random);
    boolean buffers = random.nextInt(4) == 0;
    add(
        "put into '" + keyspace + "' " + TestBytes.show(key) + " = " + TestBytes.show(value) + " "
            + durability + (buffers ? " from " + form : ""),
        side -> {
          if (buffers) {
            side.keyspace(keyspace).put(form.of(key), form.of(value), durability);
          } else {
            side.keyspace(keyspace).put(key, value, durability);
          }
          return null;
        });
  }

  private void delete() {
    String keyspace = keyspace();
    byte[] key = data.key();
    Durability durability = durability();
    add("delete from '" + keyspace + "' " + TestBytes.show(key) + " " + durability, side -> {
      side.keyspace(keyspace).delete(key, durability);
      return null;
    });
  }

  @SuppressWarnings("ArrayRecordComponent") // Never compared.
  private record Change(String keyspace, byte[] key, byte @Nullable [] value) {
    @Override
    public String toString() {
      return "'" + keyspace + "' " + TestBytes.show(key) + " = " + TestBytes.show(value);
    }
  }

  private void batch() {
    List<Change> changes = new ArrayList<>();
    int count = random.nextInt(12);
    for (int i = 0; i < count; i++) {
      byte[] value = random.nextInt(4) == 0 ? null : data.value();
      changes.add(new Change(keyspace(), data.key(), value));
    }
    Durability durability = durability();
    add("write batch " + changes + " " + durability, side -> {
      WriteBatch batch = new WriteBatch();
      for (Change change : changes) {
        Keyspace keyspace = side.keyspace(change.keyspace());
        if (change.value() == null) {
          batch.delete(keyspace, change.key());
        } else {
          batch.put(keyspace, change.key(), change.value());
        }
      }
      side.store().write(batch, durability);
      return null;
    });
  }

  private void compareAndSet() {
    String keyspace = keyspace();
    byte[] key = data.key();
    byte[] replacement = random.nextInt(5) == 0 ? null : data.value();
    boolean right = random.nextInt(4) > 0;
    byte[] wrong = random.nextBoolean() ? null : data.value();
    Durability durability = durability();
    add(
        "compare-and-set in '" + keyspace + "' " + TestBytes.show(key) + " from "
            + (right ? "the current value" : TestBytes.show(wrong)) + " to "
            + TestBytes.show(replacement) + " " + durability,
        side -> {
          Keyspace target = side.keyspace(keyspace);
          byte[] expected = right ? target.get(key) : wrong;
          return target.compareAndSet(key, expected, replacement, durability);
        });
  }

  private void putIfAbsent() {
    String keyspace = keyspace();
    byte[] key = data.key();
    byte[] value = data.value();
    Durability durability = durability();
    add(
        "put if absent into '" + keyspace + "' " + TestBytes.show(key) + " = "
            + TestBytes.show(value) + " " + durability,
        side -> side.keyspace(keyspace).putIfAbsent(key, value, durability));
  }

  private static String where(int snapshot, String keyspace) {
    return "'" + keyspace + "'" + (snapshot == LIVE ? "" : " in snapshot " + snapshot);
  }

  private void get(int snapshot) {
    String keyspace = keyspace();
    byte[] key = data.key();
    add("get from " + where(snapshot, keyspace) + " " + TestBytes.show(key), side -> {
      KvReader reader = side.reader(snapshot, keyspace);
      return Arrays.asList(reader.get(key), reader.contains(key));
    });
  }

  private void multiGet() {
    String keyspace = keyspace();
    int snapshot = random.nextInt(3) == 0 ? number() : LIVE;
    List<byte[]> keys = new ArrayList<>();
    int count = random.nextInt(40);
    for (int i = 0; i < count; i++) {
      keys.add(data.key());
    }
    add(
        "multi-get from " + where(snapshot, keyspace) + " "
            + keys.stream().map(TestBytes::show).toList(),
        side -> side.reader(snapshot, keyspace).multiGet(keys));
  }

  private void scan(int snapshot) {
    String keyspace = keyspace();
    ScanOptions options = data.scan();
    add(
        "scan " + where(snapshot, keyspace) + " " + options,
        side -> Side.scan(side.reader(snapshot, keyspace), options));
  }

  private void snapshot(OpKind kind, int number) {
    boolean open = kind == OpKind.SNAPSHOT;
    add((open ? "open" : "close") + " snapshot " + number, side -> {
      if (open) {
        side.openSnapshot(number);
      } else {
        side.closeSnapshot(number);
      }
      return null;
    });
  }

  private void iterator() {
    int number = number();
    String keyspace = keyspace();
    int snapshot = random.nextInt(3) == 0 ? number() : LIVE;
    ScanOptions options = data.scan();
    add("open iterator " + number + " of " + where(snapshot, keyspace) + " " + options, side -> {
      side.openIterator(number, side.reader(snapshot, keyspace), options);
      return null;
    });
  }

  private void iteratorNext() {
    int number = number();
    int steps = 1 + random.nextInt(8);
    add("move iterator " + number + " by " + steps, side -> {
      List<@Nullable Object> seen = new ArrayList<>();
      KvIterator iterator = side.iterator(number);
      for (int i = 0; i < steps && iterator != null; i++) {
        boolean more = iterator.next();
        seen.add(more);
        seen.add(more ? iterator.key() : null);
      }
      seen.add(iterator == null ? null : valueIfAny(iterator));
      return seen;
    });
  }

  private static Object valueIfAny(KvIterator iterator) {
    try {
      return iterator.value();
    } catch (IllegalStateException e) {
      return "no value";
    }
  }

  private void iteratorClose() {
    int number = number();
    add("close iterator " + number, side -> {
      side.closeIterator(number);
      return null;
    });
  }

  private void changeKeyspace(OpKind kind) {
    String name = List.of("a", "b", "c").get(random.nextInt(3));
    if (kind == OpKind.KEYSPACE) {
      add("make keyspace '" + name + "'", side -> {
        side.renewKeyspace(name);
        return null;
      });
    } else {
      onStore("drop keyspace '" + name + "'", store -> store.dropKeyspace(name));
    }
  }
}
