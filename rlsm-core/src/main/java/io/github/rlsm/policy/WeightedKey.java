// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

/**
 * A key that stands for the bytes from it to the next sample, such as a page's first key with the
 * page's size. Kept as given: the array must not be written to.
 *
 * @param key where the bytes begin
 * @param bytes how many; at least 1
 */
@SuppressWarnings("ArrayRecordComponent") // samples are never compared as records
public record WeightedKey(byte[] key, long bytes) {

  /** Checks that the key weighs something, so that sums of weights grow. */
  public WeightedKey {
    if (bytes < 1) {
      throw new IllegalArgumentException("a sample of " + bytes + " bytes");
    }
  }
}
