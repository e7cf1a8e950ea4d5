// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.ycsb;

/** A load or workload could not be run to its end. */
final class PhaseFailedException extends Exception {

  private static final long serialVersionUID = 1L;

  /** What went wrong, in words. */
  PhaseFailedException(String phase, String detail) {
    super("phase " + phase + " failed: " + detail);
  }

  /**
   * What went wrong.
   *
   * @param phase "load" or the workload's letter
   * @param cause what a client threw
   */
  PhaseFailedException(String phase, Throwable cause) {
    super("phase " + phase + " failed: " + cause.getMessage(), cause);
  }
}
