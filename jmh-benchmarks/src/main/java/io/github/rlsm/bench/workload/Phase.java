// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.workload;

/**
 * One step of a workload.
 *
 * @param name the name in reports
 * @param kind the kind of operation
 * @param clients number of client threads
 * @param operations number of operations of all clients together
 */
public record Phase(String name, Kind kind, int clients, long operations) {

  /** Maximum number of entries in a short scan. */
  public static final int SHORT_SCAN_MAX = 100;

  /** Number of entries in a long scan. */
  public static final int LONG_SCAN = 1_000;

  /** The kinds of operations. */
  public enum Kind {
    /** Puts the next new key. */
    LOAD,
    /** Gets a key; all keys have the same probability. */
    READ,
    /** Gets a key, with a zipfian distribution. */
    READ_ZIPFIAN,
    /** Scans 1 to {@link #SHORT_SCAN_MAX} entries. */
    SCAN_SHORT,
    /** Scans {@link #LONG_SCAN} entries. */
    SCAN_LONG,
    /** Puts a present key; all keys have the same probability. */
    OVERWRITE,
    /** Gets or puts, half and half, a present key with a zipfian distribution. */
    MIXED,
    /** Waits until background work has ended. */
    SETTLE,
    /** Writes durable blocks to a file in the store's file system, to measure the device. */
    DEVICE_WRITE,
    /** Closes the store. */
    CLOSE,
    /** Opens the store again. */
    OPEN;

    /** Whether runs with selected phases include it anyway. */
    public boolean isAlwaysDone() {
      return this == LOAD || this == CLOSE || this == OPEN || this == DEVICE_WRITE;
    }
  }

  /**
   * The number of operations that a client claims at a time. Large enough to be cheap, and small
   * enough for all clients to end together.
   */
  public int claim() {
    return (int) Math.max(1, Math.min(256, operations / (64L * clients)));
  }
}
