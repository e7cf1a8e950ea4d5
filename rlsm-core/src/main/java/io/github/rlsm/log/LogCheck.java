// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.log;

import io.github.rlsm.base.CheckListener;
import io.github.rlsm.io.MappedFaults;
import io.github.rlsm.kv.CorruptionException;
import io.github.rlsm.kv.KvException;
import org.jspecify.annotations.Nullable;

/**
 * Checks the log records that memory components read: every seqno below the published one must be
 * covered by a sound record in one of the generation's two segments.
 *
 * <p>Threads: one thread, while others write to the generation.
 */
public final class LogCheck {

  private final LogGeneration generation;
  private final CheckListener listener;
  private final SegmentScanner wal;
  private final SegmentScanner values;

  private LogCheck(LogGeneration generation, CheckListener listener) {
    this.generation = generation;
    this.listener = listener;
    this.wal = new SegmentScanner(generation.file(false), generation.baseSeqno());
    this.values = new SegmentScanner(generation.file(true), generation.baseSeqno());
  }

  /**
   * Checks the records of a generation.
   *
   * @param published every record below this seqno is complete
   */
  public static void run(LogGeneration generation, long published, CheckListener listener) {
    String file = generation.file(false).name();
    try {
      MappedFaults.using(file, () -> {
        new LogCheck(generation, listener).read(Math.min(published, generation.endSeqno()));
        return generation;
      });
    } catch (KvException e) {
      listener.damage(file, 0, null, e);
    }
  }

  private void read(long end) {
    long expected = generation.baseSeqno();
    while (expected < end) {
      SegmentScanner next = next(expected);
      if (next == null) {
        expected = passDamage(expected);
      } else {
        expected += next.units();
        listener.read((long) next.units() * RecordLayout.UNIT);
        next.next();
      }
    }
  }

  private @Nullable SegmentScanner next(long expected) {
    return isAt(wal, expected) ? wal : isAt(values, expected) ? values : null;
  }

  private static boolean isAt(SegmentScanner scanner, long seqno) {
    return scanner.isValid() && scanner.seqno() == seqno;
  }

  /**
   * Reports each segment in which the expected record may be. Returns the seqno of the next valid
   * record.
   */
  private long passDamage(long expected) {
    boolean inWal = !wal.isValid() && wal.offset() < generation.usedBytes(false);
    boolean inValues = !values.isValid() && values.offset() < generation.usedBytes(true);
    if (inWal || !inValues) {
      report(wal, expected);
    }
    if (inValues) {
      report(values, expected);
    }
    wal.findNext();
    values.findNext();
    long next = Math.min(seqno(wal), seqno(values));
    return next > expected ? next : Long.MAX_VALUE;
  }

  private void report(SegmentScanner scanner, long expected) {
    String file = scanner.file().name();
    listener.damage(
        file,
        scanner.offset(),
        null,
        new CorruptionException(
            file,
            scanner.offset(),
            "the log record with seqno " + expected + " is damaged; its key is unknown"));
  }

  private static long seqno(SegmentScanner scanner) {
    return scanner.isValid() ? scanner.seqno() : Long.MAX_VALUE;
  }
}
