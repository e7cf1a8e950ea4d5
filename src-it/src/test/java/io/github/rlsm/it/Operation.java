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
 * One step of a {@link History}: what it does to a store, and what to a model.
 *
 * @param kind how it is written
 * @param durability what it is to survive
 * @param changes one, or for a batch several
 */
record Operation(Kind kind, Durability durability, List<Change> changes) {

  /** How an operation is written. */
  enum Kind {
    /** A put or a delete. */
    PLAIN,
    /** All changes as one batch. */
    BATCH,
    /** A compare-and-set that expects what is there, so it applies. */
    EXCHANGE,
    /** A put if the key is absent; it often is not. */
    IF_ABSENT
  }

  /**
   * A put or a delete.
   *
   * @param value null for a delete
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared, never changed
  record Change(Entry entry, byte @Nullable [] value) {}

  /** Does it to the store. */
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
          throw new AssertionError(first.entry + " was changed by somebody else");
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

  /** Does it to a model. */
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
