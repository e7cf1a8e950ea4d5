// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.workload;

/**
 * One step of a workload.
 *
 * @param name the name in reports
 * @param kind what each operation does
 * @param clients threads that do it
 * @param operations how many, all clients together
 */
public record Phase(String name, Kind kind, int clients, long operations) {

  /** Entries of the longest of the short scans. */
  public static final int SHORT_SCAN_MAX = 100;

  /** Entries of each long scan. */
  public static final int LONG_SCAN = 1_000;

  /** What an operation does. */
  public enum Kind {
    /** Puts the next new key. */
    LOAD,
    /** Gets a key, all with the same probability. */
    READ,
    /** Gets a key, few of them often. */
    READ_ZIPFIAN,
    /** Scans 1 to {@link #SHORT_SCAN_MAX} entries. */
    SCAN_SHORT,
    /** Scans {@link #LONG_SCAN} entries. */
    SCAN_LONG,
    /** Puts a key that is there, all with the same probability. */
    OVERWRITE,
    /** Gets or puts, half and half, a key that is there, few of them often. */
    MIXED,
    /** Waits until background work has drained. */
    SETTLE,
    /** Writes blocks to a device file beside the store: what the device takes for a durable one. */
    DEVICE_WRITE,
    /** Closes the store. */
    CLOSE,
    /** Opens the store again. */
    OPEN;

    /** Whether runs of chosen phases have it too. */
    public boolean isAlwaysDone() {
      return this == LOAD || this == CLOSE || this == OPEN || this == DEVICE_WRITE;
    }
  }

  /**
   * How many operations a client takes on at a time: enough to be cheap, few enough to end
   * together.
   */
  public int claim() {
    return (int) Math.max(1, Math.min(256, operations / (64L * clients)));
  }
}
