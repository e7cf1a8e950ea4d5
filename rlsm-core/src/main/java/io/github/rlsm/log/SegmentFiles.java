// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.log;

import io.github.rlsm.io.FileHeader;
import io.github.rlsm.io.FileKind;
import io.github.rlsm.io.MappedFaults;
import io.github.rlsm.io.MappedFile;
import io.github.rlsm.io.MappedFile.Advice;
import io.github.rlsm.io.StoreDirectory;
import io.github.rlsm.io.StoreFileName;
import io.github.rlsm.kv.StoreClosedException;
import io.github.rlsm.kv.StoreFailedException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The files of segments: makes pairs of them ready before they are needed, and where writers force
 * them takes write-ahead segments back when their generation is flushed, and uses them again. Using
 * a segment again costs no metadata, and its blocks are allocated already, which is what makes
 * forcing it cheap.
 *
 * <p>Threads: any. Files are created and deleted outside the monitor, so that nobody who finds what
 * he needs ready waits for that; one thread creates them at a time, mostly the background ahead of
 * time.
 */
public final class SegmentFiles implements AutoCloseable {

  /** Length of the first write-ahead segment, unless the limit is lower. */
  private static final int WAL_BYTES_FIRST = 4 << 20;

  /** Length of value segments for as long as nobody writes large values. */
  private static final int VALUE_BYTES_FIRST = 64 << 10;

  /** A segment with moved values ends at the first record behind this. */
  private static final int MOVED_BYTES_MIN = 1 << 20;

  /** The least that the kernel keeps in memory or does not, on most machines. */
  private static final int PAGE_BYTES = 4 << 10;

  private static final byte[] ZEROS = new byte[64 << 10];

  private final StoreDirectory directory;
  private final long storeId;
  private final int segmentBytes;
  private final IntSupplier salts;
  private final Supplier<ManifestMark> manifest;

  /** Held while files are made, so that nobody makes what is being made already. */
  private final ReentrantLock making = new ReentrantLock();

  /** Files that were made and whose names may be lost yet; guarded by {@link #making}. */
  private final List<Made> nameless = new ArrayList<>();

  /** Why names could not be made durable; written under {@link #making}. */
  private volatile @Nullable Throwable failure;

  private final SegmentPool wal; // guarded by this
  private final SegmentPool values; // guarded by this
  private int lastGeneration; // guarded by this
  private boolean calm; // guarded by this
  private boolean closed; // guarded by this
  private volatile boolean expectsForces; // set once
  private volatile boolean forcedElsewhere; // set once

  /** Of no use but that the compiler keeps the reads of {@link #readAhead}, which it sums up. */
  @SuppressWarnings("UnusedVariable")
  private volatile int touched;

  private final AtomicLong zeroedBytes = new AtomicLong();

  /**
   * Begins after recovery, and deletes the segments that it found free.
   *
   * @param segmentBytes length to which segments grow; a longer one is made where a record needs it
   * @param salts random numbers
   * @param manifest how far the manifest has got, durably
   * @param valueNumberMin value segments get numbers from here on, or from above those found
   * @param generationMin generations get numbers from here on, or from above those found
   */
  public SegmentFiles(
      StoreDirectory directory,
      long storeId,
      int segmentBytes,
      IntSupplier salts,
      Supplier<ManifestMark> manifest,
      RecoveredLog recovered,
      int valueNumberMin,
      int generationMin) {
    this.directory = directory;
    this.storeId = storeId;
    this.segmentBytes = segmentBytes;
    this.salts = salts;
    this.manifest = manifest;
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
    // A force of such a file, or of its name, may have failed, and a later one proves nothing.
    delete(recovered.freeWalSegments());
    delete(recovered.freeValueSegments());
  }

  /**
   * Makes sure that the next {@link #begin} with ordinary sizes finds its files ready, unless
   * nobody writes.
   */
  public void prepare() {
    synchronized (this) {
      if (closed || calm) {
        return;
      }
    }
    prepare(0, 0);
    Optional<MappedFile> unwritten;
    synchronized (this) {
      unwritten = expectsForces && !closed ? wal.takeUnwritten() : Optional.empty();
    }
    unwritten.ifPresent(this::writeZeros);
  }

  /**
   * Says that write-ahead segments are going to be forced often. Returns whether that is news; then
   * {@link #prepare()} has something to do.
   */
  public boolean expectForces() {
    if (expectsForces || forcedElsewhere) {
      return false;
    }
    expectsForces = true;
    return true;
  }

  /**
   * Says that records are made durable on a log device. Then it is not a segment's first force that
   * makes its length durable: that is done now for those that are there, and from now on when one
   * is made. To be called before the first is.
   *
   * @param recovered generations that are still in use
   */
  public synchronized void expectNoForces(List<LogGeneration> recovered) {
    forcedElsewhere = true;
    for (LogGeneration generation : recovered) {
      forceLength(generation.file(false));
      forceLength(generation.file(true));
    }
    wal.forceLengths();
    values.forceLengths();
  }

  static void forceLength(MappedFile file) {
    file.force(0, SegmentLayout.BYTES);
  }

  /**
   * Writes the blocks of a new segment, so that they are like those of one used again: the first
   * force of a block that is merely reserved has the file system note that it is written now, in a
   * transaction of its own. The zeros go through the mapping; written in any other way they would
   * stand in the kernel's cache in large pieces, each of which is written whole when a record
   * changes it.
   */
  private void writeZeros(MappedFile file) {
    try {
      ByteBuffer memory = file.memory();
      for (int at = 0; at < memory.capacity(); at += ZEROS.length) {
        memory.put(at, ZEROS, 0, Math.min(ZEROS.length, memory.capacity() - at));
      }
      MappedFaults.check();
      file.force(0, file.length());
    } catch (RuntimeException | Error e) {
      file.close();
      throw e;
    }
    zeroedBytes.addAndGet(file.length());
    giveBack(wal, file);
  }

  /** Bytes written only to prepare segments. */
  public long zeroedBytes() {
    return zeroedBytes.get();
  }

  /**
   * Makes sure that the next {@link #begin} with these sizes finds its files ready. Files that are
   * being made already are waited for; otherwise, what is ready is to be had without a wait.
   *
   * @throws StoreFailedException if the directory could not be forced before: see
   *     {@link #hasFailed}
   */
  public void prepare(long walBytes, long valueBytes) {
    deleteLinked();
    if (isReady(walBytes, valueBytes)) {
      return;
    }
    making.lock();
    try {
      if (failure != null) {
        throw new StoreFailedException(failure);
      }
      make(wal, walBytes);
      make(values, valueBytes);
      if (!nameless.isEmpty()) {
        makeNamesDurable();
      }
    } finally {
      making.unlock();
    }
  }

  /** Forces the directory. Files whose names it fails to make durable are never used. */
  private void makeNamesDurable() {
    List<Made> made = List.copyOf(nameless);
    nameless.clear();
    try {
      directory.syncDirectory();
    } catch (RuntimeException | Error e) {
      failure = e;
      made.forEach(each -> each.file.close());
      throw e;
    }
    made.forEach(this::add);
  }

  /**
   * Whether a force of the directory has failed. That is final: it is unknown which names are
   * durable, and a second force would succeed without having written them.
   */
  public boolean hasFailed() {
    return failure != null;
  }

  /** Deletes spare files that have another name, which may belong to a copy of the store. */
  private void deleteLinked() {
    List<MappedFile> linked = new ArrayList<>();
    synchronized (this) {
      linked.addAll(wal.take(file -> directory.isLinked(file.name())));
      linked.addAll(values.take(file -> directory.isLinked(file.name())));
    }
    delete(linked);
  }

  /** A file whose name may be lost. */
  private record Made(SegmentPool pool, MappedFile file) {}

  private synchronized boolean isReady(long walBytes, long valueBytes) {
    return wal.isReady(walBytes) && values.isReady(valueBytes);
  }

  private void make(SegmentPool pool, long bytesMin) {
    List<MappedFile> tooShort;
    boolean isReady;
    int number = 0;
    int length;
    synchronized (this) {
      tooShort = pool.takeShort();
      length = pool.lengthFor(bytesMin);
      isReady = closed
          || pool.isReady(bytesMin)
          || nameless.stream().anyMatch(made -> made.pool == pool && made.file.length() >= length);
      if (!isReady) {
        number = pool.takeNumber();
      }
    }
    delete(tooShort);
    if (!isReady) {
      nameless.add(new Made(pool, create(pool, number, length)));
    }
  }

  private MappedFile create(SegmentPool pool, int number, int length) {
    MappedFile file = pool.create(number, length);
    try {
      if (forcedElsewhere) {
        forceLength(file);
      }
      return file;
    } catch (RuntimeException | Error e) {
      file.close();
      throw e;
    }
  }

  private synchronized void add(Made made) {
    if (closed) {
      made.file.close();
    } else {
      made.pool.add(made.file);
    }
  }

  /** Nobody writes: from now on no spare files are kept, and segments are made short. */
  public void calm() {
    synchronized (this) {
      setCalm(true);
    }
    trim();
  }

  /** Somebody writes again: ends the calm. Returns whether it was so. */
  public synchronized boolean endCalm() {
    boolean wasCalm = calm;
    setCalm(false);
    return wasCalm;
  }

  private void setCalm(boolean now) {
    calm = now;
    wal.setCalm(now);
    values.setCalm(now);
  }

  /** Whether a generation's files take much more room than those of one begun in the calm. */
  public static boolean isRoomy(LogGeneration generation) {
    long bytes = (long) generation.file(false).length() + generation.file(true).length();
    return bytes > 2L * WAL_BYTES_FIRST;
  }

  /** A record found no room in a stream: makes that stream's next segments longer. */
  public synchronized void grow(boolean inValueLog) {
    if (inValueLog) {
      values.grow(WAL_BYTES_FIRST);
    } else {
      wal.grow(WAL_BYTES_FIRST);
    }
  }

  /** Takes the files of a generation and begins it behind {@code baseSeqno}. */
  public LogGeneration begin(long baseSeqno, long walBytes, long valueBytes) {
    LogGeneration taken = take(walBytes, valueBytes);
    taken.begin(baseSeqno);
    return taken;
  }

  /**
   * Takes the files of the next generation, which is still to be {@linkplain LogGeneration#begin
   * begun}, or {@linkplain #giveBack given back}, before another is taken.
   *
   * @param walBytes bytes the write-ahead segment must have at least
   * @param valueBytes bytes the value segment must have at least
   */
  public LogGeneration take(long walBytes, long valueBytes) {
    while (true) {
      prepare(walBytes, valueBytes);
      synchronized (this) {
        if (isReady(walBytes, valueBytes)) {
          return take(wal.find(walBytes), values.find(valueBytes));
        }
        if (closed) {
          throw new StoreClosedException("log");
        }
      }
    }
  }

  private LogGeneration take(MappedFile walFile, MappedFile valueFile) {
    SegmentLayout layout =
        new SegmentLayout(lastGeneration + 1, 0, salts.getAsInt(), manifest.get());
    LogGeneration taken = LogGeneration.fresh(layout, walFile, valueFile, storeId);
    wal.take(walFile);
    values.take(valueFile);
    lastGeneration++;
    return taken;
  }

  /** Takes back the generation taken last, which was not begun. Allocates nothing. */
  public synchronized void giveBack(LogGeneration taken) {
    if (closed) {
      taken.file(false).close();
      taken.file(true).close();
      return;
    }
    wal.putBack(taken.file(false));
    values.putBack(taken.file(true));
    lastGeneration--;
  }

  /** Begins a value segment for values that are moved. */
  public MovedSegment beginMoved() {
    int number;
    int salt;
    synchronized (this) {
      number = values.takeNumber();
      salt = salts.getAsInt();
    }
    SegmentLayout head = new SegmentLayout(SegmentLayout.NO_GENERATION, 0, salt, manifest.get());
    FileHeader header = new FileHeader(FileKind.VALUE_LOG, storeId, number);
    return new MovedSegment(
        directory, number, head, header, Math.max(MOVED_BYTES_MIN, segmentBytes));
  }

  /**
   * Somebody is about to read all of a sealed generation's write-ahead segment, in key order, and
   * that is from anywhere to anywhere. What little memory and much reading have pushed out of
   * memory since it was written is read back in large pieces, instead of each page when its turn
   * comes. And each page is touched, since what is only read ahead leaves memory again first.
   */
  public void readAhead(LogGeneration generation) {
    int bytes = generation.usedBytes(false);
    if (!expectsForces) { // such a piece of a file that is used again would be forced as a whole
      generation.file(false).advise(Advice.WILL_NEED, 0, bytes);
    }
    ByteBuffer memory = generation.segment(false);
    int sum = 0;
    for (int at = 0; at < bytes; at += PAGE_BYTES) {
      sum += memory.get(at);
    }
    touched = sum;
  }

  /**
   * Takes back the segments of a flushed generation, except a value segment that holds values.
   *
   * <p>A write-ahead segment is of use only where it is going to be forced. Else a new file is the
   * better one: writing to a page that was used before and has left memory waits for the device to
   * read it, only to write over it.
   */
  public void recycle(LogGeneration generation) {
    try {
      if (expectsForces) {
        giveBack(wal, generation.file(false));
      } else {
        discard(generation.file(false));
      }
    } finally {
      if (!generation.hasValues()) {
        giveBack(values, generation.file(true));
      }
    }
  }

  private void giveBack(SegmentPool pool, MappedFile file) {
    synchronized (this) {
      if (!closed && !directory.isLinked(file.name()) && pool.give(file)) {
        return;
      }
    }
    discard(file);
  }

  private void discard(MappedFile file) {
    synchronized (this) {
      if (closed) {
        file.close();
        return;
      }
    }
    delete(List.of(file));
  }

  /** Not under the monitor, for which writers may be waiting. */
  private void delete(List<MappedFile> files) {
    files.forEach(MappedFile::close);
    files.forEach(file -> directory.delete(file.name()));
  }

  /** Deletes spare files that a store which is not busy has no use for. */
  public void trim() {
    List<MappedFile> rest = new ArrayList<>();
    synchronized (this) {
      if (!closed) {
        rest.addAll(wal.trim());
        rest.addAll(values.trim());
      }
    }
    delete(rest);
  }

  /** Closes spare files. */
  @Override
  public void close() {
    synchronized (this) {
      if (!closed) {
        closed = true;
        wal.close();
        values.close();
      }
    }
    making.lock();
    try {
      nameless.forEach(made -> made.file.close());
      nameless.clear();
    } finally {
      making.unlock();
    }
  }

  /** The number in a segment file's name. */
  static int numberOf(MappedFile file) {
    return (int) StoreFileName.parse(file.name()).orElseThrow().number();
  }
}
