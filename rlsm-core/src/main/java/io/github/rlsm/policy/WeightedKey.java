// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

/**
 * A key that represents the bytes from it to the next sample. An example is a page's first key with
 * the page's size. The array is not copied and must not be modified.
 *
 * @param key the key where the bytes begin
 * @param bytes the number of bytes; at least 1
 */
@SuppressWarnings("ArrayRecordComponent") // samples are never compared as records
public record WeightedKey(byte[] key, long bytes) {

  /** Checks that the weight is positive, so that sums of weights increase. */
  public WeightedKey {
    if (bytes < 1) {
      throw new IllegalArgumentException(
          "a sample weighs " + bytes + " bytes but must weigh at least 1");
    }
  }
}
