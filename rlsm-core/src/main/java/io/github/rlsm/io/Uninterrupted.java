// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.io;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;

/**
 * Runs channel work so that the interrupt of a calling thread can do no harm.
 *
 * <p>An interrupt closes the {@code FileChannel} its target is working on. What is written and
 * forced here therefore never goes through such a channel; the few steps for which the JDK offers
 * nothing else (mapping, locking) open a channel of their own, may be done over, and go through
 * this class.
 */
final class Uninterrupted {

  /** Work that opens what it needs, so that it can start over. */
  @FunctionalInterface
  interface Work<T> {
    T run() throws IOException;
  }

  private Uninterrupted() {}

  /**
   * Runs the work until no interrupt has cut it short. The thread's interrupt is kept for later.
   */
  static <T> T run(Work<T> work) throws IOException {
    boolean interrupted = Thread.interrupted();
    try {
      while (true) {
        try {
          return work.run();
        } catch (ClosedByInterruptException e) {
          interrupted = true;
          Thread.interrupted();
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
