// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.base;

import com.dynatrace.hash4j.hashing.Hashing;

/**
 * The hash function for internal keys: XXH3, 64 bits, seed 0. The hash is part of the disk format
 * and must never change: pages are sorted by it, and filters are built from it.
 */
public final class KeyHash {

  private static final int LONG_KEY_BYTES = 256;

  // Initializes the library's classes for keys of any length. If a thread without stack did this,
  // they would be unusable until the JVM ends.
  static {
    hash(new byte[LONG_KEY_BYTES], 0, LONG_KEY_BYTES);
  }

  private KeyHash() {}

  /** Returns the hash of {@code key[offset, offset + length)}. */
  public static long hash(byte[] key, int offset, int length) {
    return Hashing.xxh3_64().hashBytesToLong(key, offset, length);
  }
}
