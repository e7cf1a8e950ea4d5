// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.it;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.github.rlsm.kv.Keyspace;
import io.github.rlsm.kv.KvIterator;
import io.github.rlsm.kv.KvStore;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/** A store with the keyspaces of the {@link History}. */
record CrashStore(KvStore store, Keyspace named) {

  static CrashStore of(KvStore store) {
    return new CrashStore(store, store.keyspace("named"));
  }

  Keyspace keyspace(Entry entry) {
    return entry.keyspace() == 0 ? store : named;
  }

  /** All entries, by the thread that wrote them. */
  List<NavigableMap<Entry, byte[]>> contents(int threads) {
    List<NavigableMap<Entry, byte[]>> contents = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      contents.add(new TreeMap<>());
    }
    for (int keyspace = 0; keyspace < 2; keyspace++) {
      try (KvIterator all = (keyspace == 0 ? store : named).scan()) {
        while (all.next()) {
          Entry entry = new Entry(keyspace, new String(all.key(), US_ASCII));
          contents.get(entry.thread()).put(entry, all.value());
        }
      }
    }
    return contents;
  }
}
