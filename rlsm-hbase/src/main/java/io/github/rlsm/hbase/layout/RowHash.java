// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.layout;

import org.apache.hbase.thirdparty.com.google.common.hash.Hashing;

/**
 * The hash of rows: the first 64 bits of MurmurHash3 x64 128, seed 0. The hash is part of the
 * on-disk format of {@linkplain RowFilter filters}, so it never changes.
 */
public final class RowHash {

  private RowHash() {}

  /** The hash of a row. */
  public static long of(byte[] row) {
    return Hashing.murmur3_128().hashBytes(row).asLong();
  }
}
