// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.os;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;

/**
 * Protects channel operations against an interrupt of the calling thread.
 *
 * <p>An interrupt closes the {@code FileChannel} that the thread is using. So this package never
 * writes or forces through such a channel. For mapping, locking and truncating, the JDK offers
 * nothing else. These steps open a channel for one call, can be repeated, and run through this
 * class.
 */
final class Uninterrupted {

  /** Work that opens its resources itself, so that it can start over. */
  @FunctionalInterface
  interface Work<T> {
    T run() throws IOException;
  }

  private Uninterrupted() {}

  /**
   * Repeats the work until no interrupt has cut it short. Restores the thread's interrupt status
   * afterwards.
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
