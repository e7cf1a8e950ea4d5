// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Entries in key order, copied on the first write after they were shared. The map never copies
 * arrays: callers copy keys and values before they store them and after they read them.
 *
 * <p>Threads: guarded by the monitor of the store it belongs to.
 */
final class ModelMap {

  private NavigableMap<byte[], byte[]> entries;
  private boolean shared;

  /** Creates an empty map. */
  ModelMap() {
    this(new TreeMap<>(Arrays::compareUnsigned), false);
  }

  private ModelMap(NavigableMap<byte[], byte[]> entries, boolean shared) {
    this.entries = entries;
    this.shared = shared;
  }

  /** Returns a map with the current entries, which does not change with this one. */
  ModelMap snapshot() {
    shared = true;
    return new ModelMap(entries, true);
  }

  byte @Nullable [] get(byte[] key) {
    return entries.get(key);
  }

  /** Sets the value of a key, or removes the key if the value is null. */
  void set(byte[] key, byte @Nullable [] value) {
    if (shared) {
      entries = new TreeMap<>(entries);
      shared = false;
    }
    if (value == null) {
      entries.remove(key);
    } else {
      entries.put(key, value);
    }
  }

  /** The entries in a form that can be compared. */
  Map<ByteBuffer, ByteBuffer> toMap() {
    Map<ByteBuffer, ByteBuffer> map = new HashMap<>();
    entries.forEach((key, value) -> map.put(ByteBuffer.wrap(key), ByteBuffer.wrap(value)));
    return map;
  }

  /** The bytes of all keys and values. */
  long byteCount() {
    return entries.entrySet().stream()
        .mapToLong(e -> (long) e.getKey().length + e.getValue().length)
        .sum();
  }

  /**
   * Returns the entries between the bounds, in the order of the scan. The map must not change
   * during the iteration.
   */
  Iterable<Map.Entry<byte[], byte[]>> range(ScanOptions options) {
    byte[] from = options.from();
    byte[] to = options.to();
    NavigableMap<byte[], byte[]> range = entries;
    if (from != null && to != null && Arrays.compareUnsigned(from, to) >= 0) {
      range = new TreeMap<>(Arrays::compareUnsigned);
    } else {
      range = from == null ? range : range.tailMap(from, true);
      range = to == null ? range : range.headMap(to, false);
    }
    return (options.isReverse() ? range.descendingMap() : range).entrySet();
  }
}
