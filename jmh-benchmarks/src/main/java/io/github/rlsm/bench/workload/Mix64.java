// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.workload;

/** A fixed bijection that scatters 64-bit numbers (SplitMix64's finaliser), and its inverse. */
public final class Mix64 {

  private Mix64() {}

  /** Maps a number to a number that looks random. The mapping is one-to-one. */
  public static long mix(long z) {
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }

  /** The inverse of {@link #mix}. */
  public static long unmix(long z) {
    z = (z ^ (z >>> 31) ^ (z >>> 62)) * 0x319642B2D24D8EC3L;
    z = (z ^ (z >>> 27) ^ (z >>> 54)) * 0x96DE1B173F119089L;
    return z ^ (z >>> 30) ^ (z >>> 60);
  }
}
