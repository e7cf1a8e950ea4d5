// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Creates operations. Each has a line of text with all of its arguments, which {@link OpParser}
 * turns into the same operation again.
 */
final class Ops {

  /** The number of a snapshot that is never open; reads of it use the live keyspace. */
  static final int LIVE = -1;

  private Ops() {}

  /** A keyspace as of a snapshot, or the live one if that snapshot is not open. */
  record Source(String keyspace, int snapshot) {

    KvReader on(Side side) {
      return side.reader(snapshot, keyspace);
    }

    @Override
    public String toString() {
      return quoted(keyspace) + (snapshot == LIVE ? "" : " in snapshot " + snapshot);
    }
  }

  /** A put of one key, or a delete if the value is null. */
  @SuppressWarnings("ArrayRecordComponent") // Never compared.
  record Change(String keyspace, byte[] key, byte @Nullable [] value) {

    @Override
    public String toString() {
      return quoted(keyspace) + " " + TestBytes.text(key) + " = " + TestBytes.text(value);
    }
  }

  /** A condition and a new value; null means an absent key. */
  @SuppressWarnings("ArrayRecordComponent") // Never compared.
  record Condition(boolean isCurrent, byte @Nullable [] expected, byte @Nullable [] replacement) {

    @Override
    public String toString() {
      return "from " + (isCurrent ? "current" : TestBytes.text(expected)) + " to "
          + TestBytes.text(replacement);
    }
  }

  private static String quoted(String keyspace) {
    return "'" + keyspace + "'";
  }

  private static String texts(List<byte[]> keys) {
    return keys.stream().map(key -> " " + TestBytes.text(key)).collect(Collectors.joining());
  }

  private static Op onStore(String line, Consumer<KvStore> action) {
    return new Op(line, side -> {
      action.accept(side.store());
      return null;
    });
  }

  /** A put; with a form of buffers, or null for arrays. */
  static Op put(Change change, Durability durability, @Nullable BufferForm form) {
    byte[] key = change.key();
    byte[] value = change.value() == null ? new byte[0] : change.value();
    String line = "put into " + change + " " + durability + (form == null ? "" : " from " + form);
    return new Op(line, side -> {
      Keyspace keyspace = side.keyspace(change.keyspace());
      if (form == null) {
        keyspace.put(key, value, durability);
      } else {
        keyspace.put(form.of(key), form.of(value), durability);
      }
      return null;
    });
  }

  static Op delete(String keyspace, byte[] key, Durability durability) {
    String line = "delete from " + quoted(keyspace) + " " + TestBytes.text(key) + " " + durability;
    return new Op(line, side -> {
      side.keyspace(keyspace).delete(key, durability);
      return null;
    });
  }

  static Op batch(List<Change> changes, Durability durability) {
    String all = changes.stream().map(change -> " " + change).collect(Collectors.joining());
    return new Op("write batch " + durability + all, side -> {
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

  static Op compareAndSet(String keyspace, byte[] key, Condition condition, Durability durability) {
    String line = "compare-and-set in " + quoted(keyspace) + " " + TestBytes.text(key) + " "
        + condition + " " + durability;
    return new Op(line, side -> {
      Keyspace target = side.keyspace(keyspace);
      byte[] expected = condition.isCurrent() ? target.get(key) : condition.expected();
      return target.compareAndSet(key, expected, condition.replacement(), durability);
    });
  }

  static Op putIfAbsent(Change change, Durability durability) {
    byte[] value = change.value() == null ? new byte[0] : change.value();
    return new Op(
        "put if absent into " + change + " " + durability,
        side -> side.keyspace(change.keyspace()).putIfAbsent(change.key(), value, durability));
  }

  static Op get(Source source, byte[] key) {
    return new Op("get from " + source + " " + TestBytes.text(key), side -> {
      KvReader reader = source.on(side);
      return Arrays.asList(reader.get(key), reader.contains(key));
    });
  }

  static Op multiGet(Source source, List<byte[]> keys) {
    return new Op(
        "multi-get from " + source + texts(keys), side -> source.on(side).multiGet(keys));
  }

  static Op scan(Source source, ScanOptions options) {
    return new Op("scan " + source + text(options), side -> Side.scan(source.on(side), options));
  }

  private static String text(ScanOptions options) {
    return (options.from() == null ? "" : " from=" + TestBytes.text(options.from()))
        + (options.to() == null ? "" : " to=" + TestBytes.text(options.to()))
        + (options.isReverse() ? " reverse" : "")
        + (options.isKeysOnly() ? " keysOnly" : "")
        + (options.limit() == Long.MAX_VALUE ? "" : " limit=" + options.limit());
  }

  static Op openSnapshot(int number) {
    return new Op("open snapshot " + number, side -> {
      side.openSnapshot(number);
      return null;
    });
  }

  static Op closeSnapshot(int number) {
    return new Op("close snapshot " + number, side -> {
      side.closeSnapshot(number);
      return null;
    });
  }

  static Op openIterator(int number, Source source, ScanOptions options) {
    return new Op("open iterator " + number + " of " + source + text(options), side -> {
      side.openIterator(number, source.on(side), options);
      return null;
    });
  }

  static Op moveIterator(int number, int steps) {
    return new Op("move iterator " + number + " by " + steps, side -> {
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

  static Op closeIterator(int number) {
    return new Op("close iterator " + number, side -> {
      side.closeIterator(number);
      return null;
    });
  }

  static Op flush() {
    return onStore("flush", KvStore::flush);
  }

  static Op sync() {
    return onStore("sync", KvStore::sync);
  }

  static Op ofEngine(OpMix.EngineOperation own) {
    return new Op(own.name(), side -> {
      if (!side.isModel()) {
        own.action().accept(side.store());
      } else if (own.flushes()) {
        side.store().flush();
      }
      return null;
    });
  }

  /** A close and a reopening as described by {@link StoreFactory#opening}. */
  static Op reopen(String opening) {
    return new Op("close and open again, " + opening, side -> {
      side.reopen(opening);
      return null;
    });
  }

  /** A crash and a reopening as described by {@link StoreFactory#opening}. */
  static Op crash(StoreFactory.Crash crash, String opening) {
    return new Op(crash + " and open again, " + opening, side -> side.crash(crash, opening));
  }

  static Op makeKeyspace(String name) {
    return new Op("make keyspace " + quoted(name), side -> {
      side.renewKeyspace(name);
      return null;
    });
  }

  static Op dropKeyspace(String name) {
    return onStore("drop keyspace " + quoted(name), store -> store.dropKeyspace(name));
  }

  /** Compares everything, with point reads of the keys that are in the list by then. */
  static Op check(List<byte[]> keys) {
    return new Op("compare everything", side -> side.everything(keys));
  }
}
