// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.base;

import com.dynatrace.hash4j.hashing.Hashing;

/**
 * The hash of internal keys: XXH3, 64 bits, seed 0. Part of the disk format: pages lie in its order
 * and filters are built of it, so it never changes.
 */
public final class KeyHash {

  private KeyHash() {}

  /** The hash of {@code key[offset, offset + length)}. */
  public static long hash(byte[] key, int offset, int length) {
    return Hashing.xxh3_64().hashBytesToLong(key, offset, length);
  }
}
