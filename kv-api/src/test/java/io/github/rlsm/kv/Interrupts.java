// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

/** The only class that interrupts threads. Only tests of interrupts may use it. */
final class Interrupts {

  private Interrupts() {}

  /** Interrupts the calling thread. */
  static void interruptMyself() {
    interrupt(Thread.currentThread());
  }

  /** Interrupts a thread of the test. */
  static void interrupt(Thread target) {
    target.interrupt();
  }
}
