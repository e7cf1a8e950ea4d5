// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.read;

/**
 * The entries of a batch whose values a scan has requested from the device. The window moves ahead
 * of the caller in steps. So the device always has requests of a scan of long values, but never all
 * requests of a batch.
 *
 * <p>The queue of a block device has room for a few hundred requests. If eight scans request 128
 * values of 16 KB each at once, some of them wait for hundreds of milliseconds. See decision 71 in
 * docs/decisions.
 *
 * <p>Threads: one thread at a time.
 */
final class RequestWindow {

  /** The bytes of values of a step, if only one scan is open. */
  private static final int STEP_BYTES_MAX = 512 << 10;

  /** The smallest step. With less, the device waits for the caller. */
  private static final int STEP_BYTES_MIN = 64 << 10;

  /** The fewest values of a step. Values in write order are one request each. */
  private static final int STEP_VALUES_MIN = 8;

  private boolean open;

  /** The entry up to which values were requested. */
  private int end;

  /** The first entry of the last step. */
  private int lastStep;

  /**
   * Returns the bytes of values of a step. The first request takes two steps. So together, open
   * scans request about a MiB ahead of their callers.
   *
   * @param openScans the number of open scans, which share the device
   */
  static int stepBytes(int openScans) {
    return Math.max(STEP_BYTES_MIN, STEP_BYTES_MAX / Math.max(1, openScans));
  }

  /** Forgets all requests, for another batch. */
  void clear() {
    open = false;
  }

  /** Whether values of the batch were requested. */
  boolean isOpen() {
    return open;
  }

  /** Whether the caller has come so far that the next step is due. */
  boolean isDue(ScanBatch batch, int entry) {
    return open && entry >= lastStep && end < batch.count();
  }

  /** Whether all values of the batch were requested. */
  boolean hasAll(ScanBatch batch) {
    return end == batch.count();
  }

  /**
   * Adds the values of the next step to the ranges to be requested.
   *
   * @param first the entry where the window begins if it is not open yet
   * @param stepBytes the result of {@link #stepBytes}
   */
  void advance(ScanBatch batch, int first, int stepBytes, ValueRanges ranges) {
    if (!open) {
      open = true;
      end = first;
      step(batch, stepBytes, ranges);
    }
    step(batch, stepBytes, ranges);
  }

  private void step(ScanBatch batch, int stepBytes, ValueRanges ranges) {
    lastStep = end;
    long bytes = 0;
    int values = 0;
    while (end < batch.count() && (bytes < stepBytes || values < STEP_VALUES_MIN)) {
      if (batch.isPointer(end)) {
        bytes += batch.pointer(end).valueLength();
        values++;
        ranges.add(batch.pointer(end), batch.keyEnd(end) - batch.keyStart(end));
      }
      end++;
    }
  }
}
