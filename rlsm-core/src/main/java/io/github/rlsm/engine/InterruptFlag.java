// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

/** Gives a thread back the interrupt that was put aside while it had to wait to the end. */
final class InterruptFlag {

  private InterruptFlag() {}

  static void restore() {
    Thread.currentThread().interrupt();
  }
}
