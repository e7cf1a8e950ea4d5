// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.rocks;

import java.util.BitSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

/**
 * Striped locks that exclude other writers of a key during compare-and-set. A caller that needs
 * several locks takes them in the order of their numbers.
 *
 * <p>Threads: any.
 */
final class KeyLocks {

  private static final int COUNT = 1024;

  private final ReentrantLock[] locks =
      Stream.generate(ReentrantLock::new).limit(COUNT).toArray(ReentrantLock[]::new);

  /** The number of a key's lock. */
  static int numberOf(byte[] key) {
    int hash = 1;
    for (byte b : key) {
      hash = 31 * hash + b;
    }
    return (hash ^ hash >>> 16) & COUNT - 1;
  }

  ReentrantLock of(byte[] key) {
    return locks[numberOf(key)];
  }

  void lock(BitSet numbers) {
    numbers.stream().forEach(number -> locks[number].lock());
  }

  void unlock(BitSet numbers) {
    numbers.stream().forEach(number -> locks[number].unlock());
  }
}
