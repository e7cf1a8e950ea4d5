// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.matrix;

import java.util.Map;

/**
 * The settings that all cases share.
 *
 * @param memoryBytes memory of each process, page cache included
 * @param scale factor for all amounts of data; 1 except in tests
 * @param seconds duration of each read phase and of the 50/50 phase
 * @param rehearse whether each process first warms up the just-in-time compiler
 * @param rlsmOptions options by name for the RLSM store; empty for its defaults
 */
public record MatrixSettings(
    long memoryBytes,
    double scale,
    int seconds,
    boolean rehearse,
    Map<String, String> rlsmOptions) {

  /** The settings of the published matrix. */
  public static final MatrixSettings DEFAULT = new MatrixSettings(512L << 20, 1, 5, true, Map.of());

  /** Copies the map. */
  public MatrixSettings {
    rlsmOptions = Map.copyOf(rlsmOptions);
  }
}
