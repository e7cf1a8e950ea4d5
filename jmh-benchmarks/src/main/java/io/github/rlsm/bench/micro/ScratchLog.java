// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.micro;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.rlsm.bench.run.Directories;
import io.github.rlsm.log.DurableSeqno;
import io.github.rlsm.log.LogGeneration;
import io.github.rlsm.log.LogRecovery;
import io.github.rlsm.log.LogStart;
import io.github.rlsm.log.ManifestPosition;
import io.github.rlsm.log.PublishedSeqno;
import io.github.rlsm.log.RecordEncoder;
import io.github.rlsm.log.RecordWriter;
import io.github.rlsm.log.RecoveredLog;
import io.github.rlsm.log.SegmentFiles;
import io.github.rlsm.log.SegmentLayout;
import io.github.rlsm.os.OsDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * A log in a temporary directory. Releases a full generation a little later, as if its memory had
 * been flushed.
 *
 * <p>Threads: any number of threads may append.
 */
final class ScratchLog implements AutoCloseable {

  private static final long STORE_ID = 1;

  /** Full generations kept in memory, so that appending does not stay in the CPU cache. */
  private static final int HELD_MAX = 3;

  private final Path path;
  private final OsDirectory directory;
  private final SegmentFiles files;
  private final PublishedSeqno published;
  private final DurableSeqno durable;

  @GuardedBy("this")
  private final Deque<LogGeneration> held = new ArrayDeque<>();

  private volatile LogGeneration generation;

  /**
   * The forced length of each stream of the current generation. Written by one thread at a time,
   * the one that forces.
   */
  private volatile int[] forcedTo = new int[2];

  ScratchLog(int segmentBytes) {
    path = makeDirectory();
    directory = OsDirectory.open(path);
    LogStart start = new LogStart(0, 1, 0, 0, Set.of(), ManifestPosition.NONE);
    RecoveredLog nothing = LogRecovery.read(directory, STORE_ID, start, new NothingExpected());
    SplittableRandom salts = new SplittableRandom(1);
    SegmentLayout.Heads heads =
        new SegmentLayout.Heads(STORE_ID, salts::nextInt, () -> ManifestPosition.NONE);
    files = new SegmentFiles(directory, heads, segmentBytes, nothing, 1, 1);
    generation = files.begin(nothing.endSeqno(), 0, 0);
    published = new PublishedSeqno(nothing.endSeqno());
    durable = new DurableSeqno(nothing.endSeqno(), this::force, System::nanoTime);
  }

  PublishedSeqno published() {
    return published;
  }

  LogGeneration generation() {
    return generation;
  }

  /**
   * Appends the encoder's record. Returns when all earlier records are published too, and, with
   * {@code sync}, durable.
   *
   * @return the reservation, in the generation that was current on return
   */
  long append(RecordEncoder encoder, RecordWriter writer, boolean inValueLog, boolean sync) {
    int units = encoder.units();
    writer.ensure(units, false);
    LogGeneration current = generation;
    long reservation = current.reserve(inValueLog, units);
    while (reservation == LogGeneration.FULL) {
      replace(current, sync);
      current = generation;
      reservation = current.reserve(inValueLog, units);
    }
    writer.write(current, inValueLog, reservation, 0, encoder);
    long seqno = current.seqno(reservation);
    published.publish(seqno, seqno + units);
    published.awaitAtLeast(seqno + units);
    if (sync) {
      durable.awaitAtLeast(seqno + units);
    }
    return reservation;
  }

  private synchronized void replace(LogGeneration full, boolean sync) {
    if (generation != full) {
      return;
    }
    full.seal();
    published.awaitAtLeast(full.endSeqno());
    if (sync) {
      durable.awaitAtLeast(full.endSeqno());
    }
    generation = files.begin(full.endSeqno(), 0, 0);
    forcedTo = new int[2];
    held.addLast(full);
    if (held.size() > HELD_MAX) {
      giveUp(held.removeFirst());
    }
    files.prepare();
  }

  private void giveUp(LogGeneration full) {
    boolean hadValues = full.hasValues();
    files.recycle(full);
    if (hadValues) {
      full.file(true).close();
      directory.delete(full.file(true).name());
    }
  }

  private long force() {
    long target = published.get();
    LogGeneration current = generation;
    int[] from = forcedTo;
    for (int stream = 0; stream < from.length; stream++) {
      int to = current.usedBytes(stream == 1);
      if (to > from[stream]) {
        current.file(stream == 1).force(from[stream], to - from[stream]);
        from[stream] = to;
      }
    }
    return target;
  }

  static Path makeDirectory() {
    try {
      Path parent = Path.of("jmh-benchmarks", "target", "bench-data");
      return Files.createTempDirectory(Files.createDirectories(parent), "log");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public synchronized void close() throws IOException {
    while (!held.isEmpty()) {
      giveUp(held.removeFirst());
    }
    generation.file(false).close();
    generation.file(true).close();
    files.close();
    directory.close();
    Directories.delete(path);
  }

  private static final class NothingExpected implements RecoveredLog.Visitor {

    @Override
    public void generation(LogGeneration found) {
      throw new IllegalStateException("a new log has records: " + found);
    }

    @Override
    public void entry(int location, long seqno) {
      throw new IllegalStateException("a new log has a record with seqno " + seqno);
    }
  }
}
