// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.log;

import io.github.rlsm.io.FileHeader;
import io.github.rlsm.io.FileKind;
import io.github.rlsm.io.MappedFile;
import io.github.rlsm.io.StoreDirectory;
import io.github.rlsm.io.StoreFileName;
import java.util.function.IntSupplier;

/**
 * The files of segments: makes pairs of them ready before they are needed, takes write-ahead
 * segments back when their generation is flushed, and uses them again. Using a segment again costs
 * no metadata, and its blocks are allocated already, which is what makes forcing it cheap.
 *
 * <p>Threads: any; the lock is held while files are created, which the background does ahead of
 * time.
 */
public final class SegmentFiles implements AutoCloseable {

  /** Length of the first write-ahead segment, unless the limit is lower. */
  private static final int WAL_BYTES_FIRST = 4 << 20;

  /** Length of value segments for as long as nobody writes large values. */
  private static final int VALUE_BYTES_FIRST = 64 << 10;

  private final StoreDirectory directory;
  private final long storeId;
  private final IntSupplier salts;
  private final SegmentPool wal; // guarded by this
  private final SegmentPool values; // guarded by this
  private int lastGeneration; // guarded by this
  private boolean hasNewNames; // guarded by this; files were created, their names may be lost
  private boolean closed; // guarded by this

  /**
   * Begins with what recovery left over.
   *
   * @param segmentBytes length to which segments grow; a longer one is made where a record needs it
   * @param salts random numbers
   * @param valueNumberMin value segments get numbers from here on, or from above those found. A
   *     free one below may have had an account, and tables may still have entries that point into
   *     it; it is deleted, so that they never come to mean something else
   * @param generationMin generations get numbers from here on, or from above those found
   */
  public SegmentFiles(
      StoreDirectory directory,
      long storeId,
      int segmentBytes,
      IntSupplier salts,
      RecoveredLog recovered,
      int valueNumberMin,
      int generationMin) {
    this.directory = directory;
    this.storeId = storeId;
    this.salts = salts;
    this.wal = new SegmentPool(
        directory,
        FileKind.WRITE_AHEAD_LOG,
        WAL_BYTES_FIRST,
        segmentBytes,
        recovered.nextWalNumber());
    this.values = new SegmentPool(
        directory,
        FileKind.VALUE_LOG,
        VALUE_BYTES_FIRST,
        segmentBytes,
        Math.max(recovered.nextValueNumber(), valueNumberMin));
    this.lastGeneration = Math.max(recovered.lastGeneration(), generationMin - 1);
    recovered.freeWalSegments().forEach(wal::give);
    recovered.freeValueSegments().forEach(file -> {
      if (numberOf(file) < valueNumberMin) {
        values.discard(file);
      } else {
        values.give(file);
      }
    });
  }

  /** Makes sure that the next {@link #begin} with ordinary sizes finds its files ready. */
  public synchronized void prepare() {
    if (!closed) {
      prepare(0, 0);
    }
  }

  /** Makes sure that the next {@link #begin} with these sizes finds its files ready. */
  public synchronized void prepare(long walBytes, long valueBytes) {
    hasNewNames |= wal.prepare(walBytes);
    hasNewNames |= values.prepare(valueBytes);
    if (hasNewNames) {
      directory.syncDirectory();
      hasNewNames = false;
    }
  }

  /** A record found no room in a stream: makes that stream's next segments longer. */
  public synchronized void grow(boolean inValueLog) {
    if (inValueLog) {
      values.grow(WAL_BYTES_FIRST);
    } else {
      wal.grow(WAL_BYTES_FIRST);
    }
  }

  /**
   * Begins a generation.
   *
   * @param baseSeqno end of the generation before
   * @param walBytes bytes the write-ahead segment must have at least
   * @param valueBytes bytes the value segment must have at least
   */
  public synchronized LogGeneration begin(long baseSeqno, long walBytes, long valueBytes) {
    prepare(walBytes, valueBytes);
    MappedFile walFile = wal.take(walBytes);
    MappedFile valueFile = values.take(valueBytes);
    SegmentLayout head = new SegmentLayout(++lastGeneration, baseSeqno, salts.getAsInt());
    head.write(walFile.memory(), header(walFile, FileKind.WRITE_AHEAD_LOG));
    head.write(valueFile.memory(), header(valueFile, FileKind.VALUE_LOG));
    return LogGeneration.fresh(head, walFile, valueFile);
  }

  /** Takes back the segments of a flushed generation, except a value segment that holds values. */
  public synchronized void recycle(LogGeneration generation) {
    if (closed) {
      generation.file(false).close();
      return;
    }
    wal.give(generation.file(false));
    if (!generation.hasValues()) {
      values.give(generation.file(true));
    }
  }

  /** Deletes spare files that a store which is not busy has no use for. */
  public synchronized void trim() {
    wal.trim(1);
    values.trim(1);
  }

  /** Closes spare files. */
  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      wal.close();
      values.close();
    }
  }

  private FileHeader header(MappedFile file, FileKind kind) {
    return new FileHeader(kind, storeId, numberOf(file));
  }

  /** The number in a segment file's name. */
  static int numberOf(MappedFile file) {
    return (int) StoreFileName.parse(file.name()).orElseThrow().number();
  }
}
