// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.log;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.rlsm.io.FileHeader;
import io.github.rlsm.io.MappedFaults;
import io.github.rlsm.io.MappedFile;
import io.github.rlsm.io.MappedFile.Advice;
import io.github.rlsm.io.StoreDirectory;
import io.github.rlsm.io.StoreFileName;
import io.github.rlsm.kv.ResourceExhaustedException;
import io.github.rlsm.kv.StoreClosedException;
import io.github.rlsm.kv.StoreFailedException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Manages the files of segments. It creates pairs of segments before they are needed. If writers
 * force the log, it also recycles the write-ahead segments of flushed generations. A recycled
 * segment needs no metadata change, and its blocks are already allocated, so that forcing it is
 * cheap.
 *
 * <p>Threads: any. Files are created and deleted outside the monitor, so that a thread that finds
 * its files ready never waits for such work. One thread at a time creates files, usually the
 * background thread, ahead of time.
 */
public final class SegmentFiles implements AutoCloseable {

  /** Length of the first write-ahead segment, unless the limit is lower. */
  private static final int WAL_BYTES_FIRST = 4 << 20;

  /** Length of value segments until a large value is written. */
  private static final int VALUE_BYTES_FIRST = 64 << 10;

  /** The minimum limit for the length of a segment of moved values. */
  private static final int MOVED_BYTES_MIN = 1 << 20;

  /** After this many forces of less than a large page, segments are kept in single pages. */
  private static final int SMALL_FORCES_MAX = 8;

  private static final byte[] ZEROS = new byte[64 << 10];

  private final StoreDirectory directory;
  private final SegmentLayout.Heads heads;
  private final int segmentBytes;

  /** Held while files are created, so that no two threads create the same file. */
  private final ReentrantLock making = new ReentrantLock();

  /** Files that were created, but whose names may not be durable. */
  @GuardedBy("making")
  private final List<Made> nameless = new ArrayList<>();

  /** The cause if the names could not be made durable; written under {@link #making}. */
  private volatile @Nullable Throwable failure;

  private final SegmentPool wal; // its state is guarded by this
  private final SegmentPool values; // its state is guarded by this

  @GuardedBy("this")
  private int lastGeneration;

  @GuardedBy("this")
  private boolean calm;

  @GuardedBy("this")
  private boolean closed;

  private volatile boolean expectsForces; // set once
  private volatile boolean forcedElsewhere; // set once
  private volatile boolean largePages = true;

  /** The forces of little data, up to {@link #SMALL_FORCES_MAX}. */
  private final AtomicInteger smallForces = new AtomicInteger();

  /**
   * The sum of the bytes that {@link #readAhead} read. It exists only so that the compiler keeps
   * those reads.
   */
  @SuppressWarnings("UnusedVariable")
  private volatile int touched;

  private final AtomicLong zeroedBytes = new AtomicLong();

  /**
   * Begins after recovery. Deletes the segments that recovery found free.
   *
   * @param segmentBytes the length that segments grow to; a segment is longer only if a record
   *     needs it
   * @param valueNumberMin the lowest number for a new value segment, unless recovery found higher
   *     ones
   * @param generationMin the lowest number for a new generation, unless recovery found higher ones
   */
  public SegmentFiles(
      StoreDirectory directory,
      SegmentLayout.Heads heads,
      int segmentBytes,
      RecoveredLog recovered,
      int valueNumberMin,
      int generationMin) {
    this.directory = directory;
    this.heads = heads;
    this.segmentBytes = segmentBytes;
    this.wal = new SegmentPool(
        directory,
        FileHeader.Kind.WRITE_AHEAD_LOG,
        WAL_BYTES_FIRST,
        segmentBytes,
        recovered.wal().nextNumber());
    this.values = new SegmentPool(
        directory,
        FileHeader.Kind.VALUE_LOG,
        VALUE_BYTES_FIRST,
        segmentBytes,
        Math.max(recovered.values().nextNumber(), valueNumberMin));
    this.lastGeneration = Math.max(recovered.lastGeneration(), generationMin - 1);
    // A force of such a file or of its name may have failed. A later force would prove nothing.
    delete(recovered.wal().free());
    delete(recovered.values().free());
  }

  /**
   * Prepares the files for the next {@link #begin} with default lengths, unless the store is calm.
   * Returns whether the store is not.
   */
  public boolean prepare() {
    synchronized (this) {
      if (closed || calm) {
        return false;
      }
    }
    prepare(0, 0);
    Optional<MappedFile> unwritten;
    synchronized (this) {
      unwritten = expectsForces && !closed ? wal.takeUnwritten() : Optional.empty();
    }
    unwritten.ifPresent(this::writeZeros);
    return true;
  }

  /** Returns the default length of the next segment of a stream. */
  public synchronized int nextBytes(boolean inValueLog) {
    return (inValueLog ? values : wal).lengthFor(0);
  }

  /**
   * Notes that write-ahead segments will be forced often. Returns whether this is new; if so,
   * {@link #prepare()} has work to do.
   */
  public boolean expectForces() {
    if (expectsForces || forcedElsewhere) {
      return false;
    }
    expectsForces = true;
    return true;
  }

  /**
   * Sets whether later generations are in large pages while no writer forces the log, see
   * {@link io.github.rlsm.policy.FlushPlanner#mayUseLargePages}. They are until this is called.
   */
  public void useLargePages(boolean allowed) {
    largePages = allowed;
  }

  /**
   * Notes that a client waits for a force of this many bytes. Returns whether this was the last of
   * the forces of little data that segments in large pages should bear. Later generations have
   * none.
   */
  public boolean noteForce(long bytes) {
    return !forcedElsewhere
        && bytes > 0
        && bytes < LogGeneration.LARGE_PAGES_FROM
        && smallForces.get() < SMALL_FORCES_MAX
        && smallForces.incrementAndGet() == SMALL_FORCES_MAX;
  }

  /** Whether writers force segments of the log. */
  public boolean expectsForces() {
    return expectsForces;
  }

  /**
   * Notes that records are made durable on a log device. Then no force of a segment makes its
   * length durable. So this method forces the lengths of the existing segments, and creating a
   * segment does so from now on. Call it before the first segment is created.
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
   * Writes the blocks of a new segment, so that they behave like those of a recycled one. A
   * reserved block that was never written is expensive to force: the file system records, in a
   * separate transaction, that the block is now written. The zeros are stored through the mapping.
   * With any other kind of write, the page cache would hold them in large folios, and each folio is
   * written as a whole when a record changes it.
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
   * Prepares the files for the next {@link #begin} with these lengths. If another thread is
   * creating files, waits for it. Does not wait if the files are ready.
   *
   * @throws StoreFailedException if a force of the directory failed before, see {@link #hasFailed}
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

  /**
   * Forces the directory. If that fails, the files with the affected names are never used. If the
   * directory could not be opened for the force, the next call forces it.
   */
  @GuardedBy("making")
  private void makeNamesDurable() {
    List<Made> made = List.copyOf(nameless);
    try {
      directory.syncDirectory();
    } catch (ResourceExhaustedException e) {
      throw e;
    } catch (RuntimeException | Error e) {
      failure = e;
      nameless.clear();
      made.forEach(each -> each.file.close());
      throw e;
    }
    nameless.clear();
    made.forEach(this::add);
  }

  /**
   * Returns whether a force of the directory has failed. This is final: it is unknown which names
   * are durable, and a second force would succeed without writing them.
   */
  public boolean hasFailed() {
    return failure != null;
  }

  /** Deletes spare files that have another hard link, which may belong to a copy of the store. */
  private void deleteLinked() {
    List<MappedFile> linked = new ArrayList<>();
    synchronized (this) {
      linked.addAll(wal.take(file -> directory.isLinked(file.name())));
      linked.addAll(values.take(file -> directory.isLinked(file.name())));
    }
    delete(linked);
  }

  /** A file whose name may not be durable. */
  private record Made(SegmentPool pool, MappedFile file) {}

  private synchronized boolean isReady(long walBytes, long valueBytes) {
    return wal.isReady(walBytes) && values.isReady(valueBytes);
  }

  @GuardedBy("making")
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

  /**
   * Enters the calm state, in which no thread writes: no spare files are kept, and segments are
   * short.
   */
  public void calm() {
    synchronized (this) {
      setCalm(true);
    }
    trim();
  }

  /** Leaves the calm state, because a thread writes again. Returns whether the store was calm. */
  public synchronized boolean endCalm() {
    boolean wasCalm = calm;
    setCalm(false);
    return wasCalm;
  }

  @GuardedBy("this")
  private void setCalm(boolean now) {
    calm = now;
    wal.setCalm(now);
    values.setCalm(now);
  }

  /**
   * Returns whether a generation's files take much more space than those of one begun in the calm
   * state.
   */
  public static boolean isRoomy(LogGeneration generation) {
    long bytes = (long) generation.file(false).length() + generation.file(true).length();
    return bytes > 2L * WAL_BYTES_FIRST;
  }

  /** Makes the next segments of a stream longer, because a record did not fit. */
  public synchronized void grow(boolean inValueLog) {
    if (inValueLog) {
      values.grow(WAL_BYTES_FIRST);
    } else {
      wal.grow(WAL_BYTES_FIRST);
    }
  }

  /** Takes the files of a generation and begins it at {@code baseSeqno}. */
  public LogGeneration begin(long baseSeqno, long walBytes, long valueBytes) {
    LogGeneration taken = take(walBytes, valueBytes);
    taken.begin(baseSeqno);
    return taken;
  }

  /**
   * Takes the files of the next generation. The caller must either {@linkplain LogGeneration#begin
   * begin} it or {@linkplain #giveBack give it back} before it takes another one.
   *
   * @param walBytes minimum length of the write-ahead segment
   * @param valueBytes minimum length of the value segment
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

  @GuardedBy("this")
  private LogGeneration take(MappedFile walFile, MappedFile valueFile) {
    SegmentLayout layout = heads.next(lastGeneration + 1);
    LogGeneration taken = LogGeneration.fresh(layout, walFile, valueFile, heads.storeId());
    if (largePages && !expectsForces && smallForces.get() < SMALL_FORCES_MAX) {
      taken.useLargePages();
    } else {
      taken.leaveLargePages(); // files that were given back may be advised to use them
    }
    wal.take(walFile);
    values.take(valueFile);
    lastGeneration++;
    return taken;
  }

  /** Takes back the generation that was taken last and was not begun. Allocates nothing. */
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

  /** Creates a value segment for values that a move relocates. */
  public RelocatedSegment beginMoved() {
    return beginRelocated(SegmentLayout.NO_GENERATION);
  }

  /** Creates a value segment for values of a generation, which its flush relocates. */
  public RelocatedSegment beginSorted(LogGeneration generation) {
    return beginRelocated(SegmentLayout.sorted(generation.number()));
  }

  private RelocatedSegment beginRelocated(int generation) {
    int number;
    SegmentLayout head;
    synchronized (this) {
      number = values.takeNumber();
      head = heads.next(generation);
    }
    FileHeader header = new FileHeader(FileHeader.Kind.VALUE_LOG, heads.storeId(), number);
    return new RelocatedSegment(
        directory, number, head, header, Math.max(MOVED_BYTES_MIN, segmentBytes));
  }

  /**
   * Prepares a sealed generation's write-ahead segment for a complete read in key order, which is
   * random in the file. Pages that were evicted since they were written are read back in large
   * pieces, and not one by one. Each page is also touched, because pages that were only read ahead
   * are evicted first.
   */
  public void readAhead(LogGeneration generation) {
    int bytes = generation.usedBytes(false);
    if (!expectsForces) { // read-ahead makes large folios, which a recycled file forces as a whole
      generation.file(false).advise(Advice.WILL_NEED, 0, bytes);
    }
    ByteBuffer memory = generation.segment(false);
    int sum = 0;
    for (int at = 0; at < bytes; at += RecordLayout.PAGE_BYTES) {
      sum += memory.get(at);
    }
    touched = sum;
  }

  /**
   * Takes back the segments of a flushed generation, except a value segment that holds values.
   *
   * <p>A write-ahead segment is recycled only if it will be forced. Otherwise a new file is better:
   * a write to an old page that was evicted waits until the device has read it, only to overwrite
   * it.
   */
  public void recycle(LogGeneration generation) {
    try {
      if (expectsForces && !generation.inLargePages()) {
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

  /** Deletes files. Must not be called under the monitor, for which writers may be waiting. */
  private void delete(List<MappedFile> files) {
    files.forEach(MappedFile::close);
    files.forEach(file -> directory.delete(file.name()));
  }

  /** Deletes spare files that a store without load does not need. */
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

  /**
   * Makes the kernel keep a file in single pages, until {@link LogGeneration#useLargePages}. By
   * default, the kernel reads ahead, even in a new and empty file, and keeps the result in folios
   * of up to 2 MiB. A force of one record then writes a whole folio. Call this before the memory is
   * touched.
   */
  public static void keepInPages(MappedFile file) {
    file.advise(Advice.RANDOM, 0, file.length());
  }

  /** The number in a segment file's name. */
  public static int numberOf(MappedFile file) {
    return (int) StoreFileName.parse(file.name()).orElseThrow().number();
  }
}
