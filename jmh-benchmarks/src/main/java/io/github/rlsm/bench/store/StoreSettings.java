// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.store;

import java.util.Map;

/**
 * What a store is opened with: the same for every store of a comparison.
 *
 * @param keys keys the workload will hold
 * @param valueBytes bytes of each value
 * @param memoryBytes memory for the whole process, page cache included
 * @param sync whether each write must survive power loss before it returns, instead of only the
 *     death of the process
 * @param clients threads that will use the store at once, at most
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

  /** For a cache of what is on disk: an eighth of the memory. */
  public long cacheBytes() {
    return memoryBytes / 8;
  }

  /** For one buffer of recent writes: a thirty-second of the memory. */
  public long writeBufferBytes() {
    return memoryBytes / 32;
  }

  /** Everything a store may hold for itself: the cache, and a full and a filling write buffer. */
  public long budgetBytes() {
    return cacheBytes() + 2 * writeBufferBytes();
  }

  /** Bytes of all keys and values. */
  public long dataBytes() {
    return keys * (KEY_BYTES + valueBytes);
  }

  /** Whether keys and values, without any overhead, take less than three quarters of the memory. */
  public boolean fitsInMemory() {
    return dataBytes() < memoryBytes / 4 * 3;
  }
}
