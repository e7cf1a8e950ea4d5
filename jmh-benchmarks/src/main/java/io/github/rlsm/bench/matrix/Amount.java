// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.matrix;

/** An amount of data, relative to the memory of the process. */
public enum Amount {
  /** A quarter of the memory. LMDB needs up to 1.9 times the data, so here it fits in memory. */
  QUARTER(0.25, "¼", "0.25x"),
  /** Half of the memory. */
  HALF(0.5, "½", "0.5x"),
  /** One and a half times the memory. */
  MORE(1.5, "1.5", "1.5x"),
  /** Four times the memory. */
  FAR_MORE(4, "4", "4x");

  private final double share;
  private final String sign;
  private final String option;

  Amount(double share, String sign, String option) {
    this.share = share;
    this.sign = sign;
    this.option = option;
  }

  /** The data divided by the memory. */
  public double share() {
    return share;
  }

  /** The share in reports. */
  public String sign() {
    return sign;
  }

  /** The share in names of files. */
  public String option() {
    return option;
  }
}
