// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.it;

import io.github.rlsm.kv.Durability;
import io.github.rlsm.kv.Keyspace;
import io.github.rlsm.kv.WriteBatch;
import java.util.List;
import java.util.NavigableMap;
import org.jspecify.annotations.Nullable;

/**
 * One step of a {@link History}. It can be applied to a store and to a model.
 *
 * @param kind kind of write
 * @param durability durability of the write
 * @param changes one change, or several for a batch
 */
record Operation(Kind kind, Durability durability, List<Change> changes) {

  /** The kinds of writes. */
  enum Kind {
    /** A put or a delete. */
    PLAIN,
    /** All changes as one batch. */
    BATCH,
    /** A compare-and-set that expects the current value, so it succeeds. */
    EXCHANGE,
    /** A put-if-absent. The key is often present. */
    IF_ABSENT
  }

  /**
   * A put or a delete.
   *
   * @param value null for a delete
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared, never changed
  record Change(Entry entry, byte @Nullable [] value) {}

  /** Applies the operation to the store. */
  void write(CrashStore to) {
    Change first = changes.get(0);
    Keyspace keyspace = to.keyspace(first.entry);
    byte[] key = first.entry.keyBytes();
    byte[] value = first.value;
    switch (kind) {
      case PLAIN -> {
        if (value == null) {
          keyspace.delete(key, durability);
        } else {
          keyspace.put(key, value, durability);
        }
      }
      case EXCHANGE -> {
        if (!keyspace.compareAndSet(key, keyspace.get(key), value, durability)) {
          throw new AssertionError(first.entry + " was changed by another writer");
        }
      }
      case IF_ABSENT -> keyspace.putIfAbsent(key, value == null ? new byte[0] : value, durability);
      case BATCH -> to.store().write(batch(to), durability);
    }
  }

  private WriteBatch batch(CrashStore to) {
    WriteBatch batch = new WriteBatch();
    for (Change change : changes) {
      Keyspace keyspace = to.keyspace(change.entry);
      if (change.value == null) {
        batch.delete(keyspace, change.entry.keyBytes());
      } else {
        batch.put(keyspace, change.entry.keyBytes(), change.value);
      }
    }
    return batch;
  }

  /** Applies the operation to a model. */
  void apply(NavigableMap<Entry, byte[]> model) {
    for (Change change : changes) {
      byte[] value = change.value;
      if (kind == Kind.IF_ABSENT) {
        model.putIfAbsent(change.entry, value == null ? new byte[0] : value);
      } else if (value == null) {
        model.remove(change.entry);
      } else {
        model.put(change.entry, value);
      }
    }
  }
}
