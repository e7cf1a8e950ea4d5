// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.compact;

import io.github.rlsm.log.SegmentRecords;
import java.util.function.BooleanSupplier;

/**
 * Examines a value segment, a piece at a time: what is current in it is written again.
 *
 * <p>Nothing is remembered of a record but that it was looked at, so whatever happens between two
 * pieces cannot make an answer wrong.
 *
 * <p>Threads: one at a time.
 */
public final class CollectJob {

  /** What the engine does for a collection. */
  public interface Mover {

    /** Whether the newest entry of the put's key is the pointer to this put. */
    boolean isCurrent(SegmentRecords put);

    /**
     * Writes the put again, if at that very moment it is current.
     *
     * @return bytes written; 0 if it was not current any more
     */
    long move(SegmentRecords put);
  }

  private final SegmentRecords records;
  private final Mover mover;
  private long movedBytes;

  /** An examination that has not begun. */
  public CollectJob(SegmentRecords records, Mover mover) {
    this.records = records;
    this.mover = mover;
  }

  /**
   * Examines the next piece.
   *
   * @param bytesMax about how many bytes of records
   * @param mayGoOn asked before each record
   * @return whether there is more
   */
  public boolean step(long bytesMax, BooleanSupplier mayGoOn) {
    long end = records.walkedBytes() + bytesMax;
    while (records.walkedBytes() < end && mayGoOn.getAsBoolean()) {
      if (!records.next()) {
        return false;
      }
      if (mover.isCurrent(records)) {
        movedBytes += mover.move(records);
      }
    }
    return true;
  }

  /** Bytes written so far. */
  public long movedBytes() {
    return movedBytes;
  }
}
