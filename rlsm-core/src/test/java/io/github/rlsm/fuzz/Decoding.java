// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.fuzz;

import com.sun.management.ThreadMXBean;
import io.github.rlsm.kv.KvException;
import java.lang.management.ManagementFactory;

/**
 * Checks the rules for every decoder on any bytes: it throws typed errors only and allocates a
 * bounded heap.
 */
public final class Decoding {

  /** The bytes that a decoder may allocate for an empty input. */
  private static final long HEAP_BYTES = 16 << 20;

  /** The bytes that a decoder may allocate in addition for each byte of the input. */
  private static final long HEAP_BYTES_A_BYTE = 512;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private Decoding() {}

  /**
   * Runs a decoder.
   *
   * @param inputBytes the length of its input
   * @return whether it accepted the input
   * @throws AssertionError if it allocated more than the bound
   */
  public static boolean of(int inputBytes, Runnable decoder) {
    long bound = HEAP_BYTES + HEAP_BYTES_A_BYTE * inputBytes;
    long before = THREADS.getCurrentThreadAllocatedBytes();
    boolean accepted = accepts(decoder);
    if (THREADS.getCurrentThreadAllocatedBytes() - before > bound) {
      // A fuzzer instruments each class when it is loaded, which also allocates, but only once.
      before = THREADS.getCurrentThreadAllocatedBytes();
      accepts(decoder);
      long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
      if (allocated > bound) {
        throw new AssertionError(inputBytes + " bytes made a decoder allocate " + allocated
            + " bytes; the bound is " + bound);
      }
    }
    return accepted;
  }

  private static boolean accepts(Runnable decoder) {
    try {
      decoder.run();
      return true;
    } catch (KvException e) {
      return false;
    }
  }
}
