// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.log;

import io.github.rlsm.io.FileHeader;
import io.github.rlsm.io.FileKind;
import io.github.rlsm.io.MappedFile;
import io.github.rlsm.io.StoreDirectory;
import io.github.rlsm.io.StoreFileName;
import java.util.ArrayDeque;
import java.util.Deque;
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

  /** Write-ahead segments kept for later use; more are deleted. */
  private static final int SPARE_MAX = 4;

  private final StoreDirectory directory;
  private final long storeId;
  private final int segmentBytes;
  private final IntSupplier salts;
  private final Deque<MappedFile> spareWal = new ArrayDeque<>(); // guarded by this
  private final Deque<MappedFile> spareValues = new ArrayDeque<>(); // guarded by this
  private int nextWal; // guarded by this
  private int nextValue; // guarded by this
  private int lastGeneration; // guarded by this
  private boolean hasNewNames; // guarded by this; files were created, their names may be lost
  private boolean closed; // guarded by this

  /**
   * Begins with what recovery left over.
   *
   * @param segmentBytes length of a segment; a longer one is made where a record needs it
   * @param salts random numbers
   * @param valueNumberMin value segments get numbers from here on, or from above those found
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
    this.segmentBytes = segmentBytes;
    this.salts = salts;
    this.nextWal = recovered.nextWalNumber();
    this.nextValue = Math.max(recovered.nextValueNumber(), valueNumberMin);
    this.lastGeneration = Math.max(recovered.lastGeneration(), generationMin - 1);
    recovered.freeWalSegments().forEach(this::recycleWal);
    recovered.freeValueSegments().forEach(this::recycleValues);
  }

  /** Makes sure that the next {@link #begin} with ordinary sizes finds its files ready. */
  public synchronized void prepare() {
    if (!closed) {
      prepare(0, 0);
    }
  }

  /** Makes sure that the next {@link #begin} with these sizes finds its files ready. */
  public synchronized void prepare(long walBytes, long valueBytes) {
    if (lacks(spareWal, walBytes)) {
      spareWal.addFirst(createWal(length(walBytes)));
    }
    if (lacks(spareValues, valueBytes)) {
      spareValues.addFirst(createValues(length(valueBytes)));
    }
    if (hasNewNames) {
      directory.syncDirectory();
      hasNewNames = false;
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
    MappedFile wal = spareWal.removeFirst();
    MappedFile values = spareValues.removeFirst();
    SegmentLayout head = new SegmentLayout(++lastGeneration, baseSeqno, salts.getAsInt());
    head.write(wal.memory(), header(wal, FileKind.WRITE_AHEAD_LOG));
    head.write(values.memory(), header(values, FileKind.VALUE_LOG));
    return LogGeneration.fresh(head, wal, values);
  }

  /** Takes back the segments of a flushed generation, except a value segment that holds values. */
  public void recycle(LogGeneration generation) {
    recycleWal(generation.file(false));
    if (!generation.hasValues()) {
      recycleValues(generation.file(true));
    }
  }

  /** A number above that of every value segment made so far. */
  public synchronized int nextValueNumber() {
    return nextValue;
  }

  @Override
  public synchronized void close() {
    closed = true;
    spareWal.forEach(MappedFile::close);
    spareValues.forEach(MappedFile::close);
    spareWal.clear();
    spareValues.clear();
  }

  private synchronized void recycleWal(MappedFile file) {
    recycle(file, spareWal);
  }

  private synchronized void recycleValues(MappedFile file) {
    recycle(file, spareValues);
  }

  /** Keeps the file if it is of the ordinary length and few are kept, else deletes it. */
  private void recycle(MappedFile file, Deque<MappedFile> spare) {
    if (!closed && file.length() == segmentBytes && spare.size() < SPARE_MAX) {
      spare.addLast(file);
      return;
    }
    file.close();
    if (!closed) {
      directory.delete(file.name());
    }
  }

  private static boolean lacks(Deque<MappedFile> spare, long bytesMin) {
    MappedFile first = spare.peekFirst();
    return first == null || first.length() < bytesMin;
  }

  private int length(long bytesMin) {
    return (int) Math.max(segmentBytes, bytesMin);
  }

  private MappedFile createWal(int bytes) {
    return create(StoreFileName.writeAheadLog(nextWal++), bytes);
  }

  private MappedFile createValues(int bytes) {
    return create(StoreFileName.valueLog(nextValue++), bytes);
  }

  private MappedFile create(String name, int bytes) {
    MappedFile file = directory.createMapped(name, bytes);
    hasNewNames = true;
    return file;
  }

  private FileHeader header(MappedFile file, FileKind kind) {
    return new FileHeader(kind, storeId, numberOf(file));
  }

  /** The number in a segment file's name. */
  static int numberOf(MappedFile file) {
    return (int) StoreFileName.parse(file.name()).orElseThrow().number();
  }
}
