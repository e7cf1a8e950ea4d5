// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.workload;

/**
 * One step of a workload.
 *
 * @param name the name in reports
 * @param kind the kind of operation
 * @param clients number of client threads
 * @param operations number of operations of all clients together; {@link #TIMED} if only time ends
 *     the phase
 * @param secondsMax time after which the phase is stopped
 */
public record Phase(String name, Kind kind, int clients, long operations, int secondsMax) {

  /** The number of operations of a phase that ends only when its time is up. */
  public static final long TIMED = Long.MAX_VALUE;

  /** Maximum number of entries in a short scan. */
  public static final int SHORT_SCAN_MAX = 100;

  /** Number of entries in a long scan. */
  public static final int LONG_SCAN = 1_000;

  private static final int CLAIM_MAX = 256;
  private static final int SHORT_SCANS_CLAIM_MAX = 16;

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
    /** Scans 1 to {@link #SHORT_SCAN_MAX} entries from a key with a zipfian distribution. */
    SCAN_SHORT_ZIPFIAN,
    /** Scans {@link #LONG_SCAN} entries from a key with a zipfian distribution. */
    SCAN_LONG_ZIPFIAN,
    /** Puts a present key; all keys have the same probability. */
    OVERWRITE,
    /** Puts a present key, with a zipfian distribution. */
    OVERWRITE_ZIPFIAN,
    /** Gets or puts, half and half, a present key with a zipfian distribution. */
    MIXED,
    /** Deletes the next of every second key, see {@link PresentKeys}. */
    DELETE,
    /** Waits until background work has ended. */
    SETTLE,
    /** Writes durable blocks to a file in the store's file system, to measure the device. */
    DEVICE_WRITE,
    /** Closes the store. */
    CLOSE,
    /** Opens the store again. */
    OPEN,
    /** Kills the process, and opens the store in a new process. */
    RECOVER;

    /** Whether it only gets or scans. */
    public boolean isRead() {
      return switch (this) {
        case READ, READ_ZIPFIAN, SCAN_SHORT, SCAN_LONG, SCAN_SHORT_ZIPFIAN, SCAN_LONG_ZIPFIAN ->
          true;
        default -> false;
      };
    }

    /** Whether runs with selected phases include it anyway. */
    public boolean isAlwaysDone() {
      return this == LOAD || this == CLOSE || this == OPEN || this == DEVICE_WRITE;
    }
  }

  /** Whether only time ends the phase. */
  public boolean isTimed() {
    return operations == TIMED;
  }

  /**
   * The number of operations that a client claims at a time. Large enough to be cheap, and small
   * enough for all clients to end together.
   */
  public int claim() {
    int most = switch (kind) {
      case SCAN_SHORT, SCAN_SHORT_ZIPFIAN -> SHORT_SCANS_CLAIM_MAX;
      case SCAN_LONG, SCAN_LONG_ZIPFIAN -> 1;
      default -> CLAIM_MAX;
    };
    return (int) Math.max(1, Math.min(most, operations / (64L * clients)));
  }
}
