// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads of a {@link ModelMap}.
 *
 * <p>Threads: every method holds the store's monitor from its first look at the map to its last.
 */
abstract class ModelReader implements KvReader {

  final ModelStore store;

  ModelReader(ModelStore store) {
    this.store = store;
  }

  /**
   * Returns the entries, or throws if they are no longer readable; called with the store's monitor
   * held.
   */
  abstract ModelMap entries();

  @Override
  public byte @Nullable [] get(byte[] key, int offset, int length) {
    byte[] wanted = Copies.key(key, offset, length);
    synchronized (store) {
      byte[] value = entries().get(wanted);
      store.counters().countGets(1);
      return Copies.orNull(value);
    }
  }

  @Override
  public List<byte @Nullable []> multiGet(List<byte[]> keys) {
    List<byte[]> wanted = Copies.keys(keys);
    synchronized (store) {
      ModelMap entries = entries();
      List<byte @Nullable []> values = new ArrayList<>(wanted.size());
      for (byte[] key : wanted) {
        values.add(Copies.orNull(entries.get(key)));
      }
      store.counters().countGets(wanted.size());
      return values;
    }
  }

  @Override
  public KvIterator scan(ScanOptions options) {
    Objects.requireNonNull(options, "options");
    synchronized (store) {
      return new ModelIterator(store, entries().snapshot(), options);
    }
  }
}
