// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.store;

import java.util.Map;

/**
 * The settings of a store. All stores in a comparison get the same settings.
 *
 * @param keys number of keys in the workload
 * @param valueBytes bytes of each value
 * @param memoryBytes memory for the whole process, page cache included
 * @param sync whether each write must survive power loss when it returns; if not, it must survive
 *     the death of the process
 * @param clients maximum number of threads that use the store at once
 * @param rlsmOptions options by name for the RLSM store; empty for its defaults
 */
public record StoreSettings(
    long keys,
    int valueBytes,
    long memoryBytes,
    boolean sync,
    int clients,
    Map<String, String> rlsmOptions) {

  /** Bytes of every key. */
  public static final int KEY_BYTES = 16;

  /** Copies the map. */
  public StoreSettings {
    rlsmOptions = Map.copyOf(rlsmOptions);
  }

  /** Size of a cache of disk content: an eighth of the memory. */
  public long cacheBytes() {
    return memoryBytes / 8;
  }

  /** Size of one buffer of recent writes: 1/32 of the memory. */
  public long writeBufferBytes() {
    return memoryBytes / 32;
  }

  /** Total memory budget of a store: the cache, and a full and a filling write buffer. */
  public long budgetBytes() {
    return cacheBytes() + 2 * writeBufferBytes();
  }

  /** Bytes of all keys and values. */
  public long dataBytes() {
    return keys * (KEY_BYTES + valueBytes);
  }

  /** Whether keys and values, without any overhead, take less than three quarters of the memory. */
  public boolean fitsInMemory() {
    return fitsInMemory(dataBytes(), memoryBytes);
  }

  /** Whether that many bytes of keys and values take less than three quarters of the memory. */
  public static boolean fitsInMemory(long dataBytes, long memoryBytes) {
    return dataBytes < memoryBytes / 4 * 3;
  }
}
