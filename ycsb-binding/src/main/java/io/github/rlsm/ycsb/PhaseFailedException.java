// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.ycsb;

/** Thrown when a load or workload cannot finish. */
final class PhaseFailedException extends Exception {

  private static final long serialVersionUID = 1L;

  /** Creates the exception with a description of the failure. */
  PhaseFailedException(String phase, String detail) {
    super("phase " + phase + " failed: " + detail);
  }

  /**
   * Creates the exception.
   *
   * @param phase "load" or the workload's letter
   * @param cause the exception of a client
   */
  PhaseFailedException(String phase, Throwable cause) {
    super("phase " + phase + " failed: " + cause.getMessage(), cause);
  }
}
