// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.log;

import io.github.rlsm.io.BlockDevice;
import io.github.rlsm.io.StoreDirectory;
import io.github.rlsm.kv.CorruptionException;
import io.github.rlsm.kv.FormatVersionException;
import io.github.rlsm.kv.KvException;
import io.github.rlsm.kv.StoreIoException;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Makes the log durable on a log device: what is not durable yet of the mapped segments is copied
 * to the device's ring, one write for all who wait, and neither file nor file system is touched.
 * The segments stay what they are, the arena of memory and what survives the death of the process;
 * after a power loss they get back from the ring what they have lost.
 *
 * <p><b>What is forced in place instead.</b> A group too long for one write, which costs no more in
 * place; and one in which a record stays unfilled, because what was copied to the ring must never
 * change again.
 *
 * <p><b>Room.</b> A block of the ring is needed until its generation is in tables, or its bytes
 * were forced in place. When less than a quarter of the ring is free each group first forces the
 * oldest part in place, a sixteenth of the ring or less. So the ring never runs full: a writer who
 * outruns the flushes pays for forces, a part at a time.
 *
 * <p>Threads: one at a time, which {@link DurableSeqno} sees to.
 */
public final class DirectLog implements AutoCloseable {

  private static final int EXTENTS = 16;

  private final StoreDirectory directory;
  private final LogRing ring;
  private final long storeId;
  private final PublishedSeqno published;
  private final RandomGenerator random;
  private final Deque<Extent> extents = new ArrayDeque<>();
  private boolean closed;

  /** What the ring holds of one generation, in blocks from a number on. */
  private record Extent(LogRange range, long firstBlock) {}

  private DirectLog(
      StoreDirectory directory,
      LogRing ring,
      long storeId,
      PublishedSeqno published,
      RandomGenerator random) {
    this.directory = directory;
    this.ring = ring;
    this.storeId = storeId;
    this.published = published;
    this.random = random;
  }

  /**
   * Makes a device a log device that no store has claimed, whatever it held.
   *
   * @throws StoreIoException if it is too short, or cannot be written
   */
  public static void format(BlockDevice device, RandomGenerator random) {
    LogRing.format(device, random);
  }

  /**
   * What a log device says of itself.
   *
   * @param deviceId the device
   * @param storeId the store that has claimed it, if one has
   * @param inUse whether a store has it open, or died with it
   * @param epoch counts its claims
   * @param ringBytes how much it holds
   */
  public record Status(
      long deviceId, OptionalLong storeId, boolean inUse, long epoch, long ringBytes) {}

  /**
   * Reads what a device says of itself.
   *
   * @throws FormatVersionException if it is no log device
   * @throws CorruptionException if it is damaged
   */
  public static Status status(BlockDevice device) {
    RingSuperblock superblock = LogRing.readSuperblock(device);
    boolean isFree = superblock.storeId() == RingSuperblock.NO_STORE;
    return new Status(
        superblock.deviceId(),
        isFree ? OptionalLong.empty() : OptionalLong.of(superblock.storeId()),
        superblock.inUse(),
        superblock.epoch(),
        superblock.blocks() * BlockDevice.BLOCK_BYTES);
  }

  /** Makes a device no log device any more, whatever it holds. */
  public static void erase(BlockDevice device) {
    LogRing.erase(device);
  }

  /**
   * Gives the segments back what only a log device has of them, if a store was not closed. To be
   * called before the log is read. The device is still needed: the manifest that says what is in
   * tables may be lost, until {@link #letGo}.
   *
   * @param firstGeneration what is of older generations is in tables
   * @return how many blocks were replayed
   */
  public static long recover(
      StoreDirectory directory, long storeId, int firstGeneration, DirectLogSettings settings) {
    DeviceNote note = DeviceNote.read(directory, storeId);
    if (note == null) {
      return 0;
    }
    try (LogRing ring = openNoted(directory, storeId, note, settings)) {
      return RingReplay.run(ring, directory, firstGeneration);
    }
  }

  /**
   * Says that the device of a store that was not closed is not needed any more: what was recovered
   * from it is in the segments, and what is in tables is in a manifest that is durable.
   */
  public static void letGo(
      StoreDirectory directory, long storeId, DirectLogSettings settings, RandomGenerator random) {
    DeviceNote note = DeviceNote.read(directory, storeId);
    if (note == null) {
      return;
    }
    try (LogRing ring = openNoted(directory, storeId, note, settings)) {
      DeviceNote.delete(directory);
      ring.begin(storeId, random.nextInt(), false);
    }
  }

  /** The ring of a note, if it is as the store has left it. */
  private static LogRing openNoted(
      StoreDirectory directory, long storeId, DeviceNote note, DirectLogSettings settings) {
    LogRing ring = find(directory, note, settings);
    try {
      ring.checkClaim(storeId);
      checkEpoch(ring, note);
      return ring;
    } catch (RuntimeException | Error e) {
      ring.close();
      throw e;
    }
  }

  /** Another epoch was begun by a copy of the store: it has what was on the device. */
  private static void checkEpoch(LogRing ring, DeviceNote note) {
    if (ring.superblock().epoch() != note.epoch()) {
      throw new CorruptionException(
          ring.device().path(),
          0,
          "the log device is in epoch " + ring.superblock().epoch() + ", and the store in epoch "
              + note.epoch() + ": a copy of the store, or a later one, has taken what it held");
    }
  }

  /** The device of a note: where the options say that it is, or where it was. */
  private static LogRing find(
      StoreDirectory directory, DeviceNote note, DirectLogSettings settings) {
    List<String> paths = new ArrayList<>();
    paths.add(note.path());
    if (settings.device() != null && !settings.device().equals(note.path())) {
      paths.add(settings.device());
    }
    KvException problem = null;
    for (String path : paths) {
      try {
        LogRing ring = LogRing.open(directory.openDevice(path));
        if (ring.superblock().deviceId() == note.deviceId()) {
          return ring;
        }
        ring.close();
        throw new FormatVersionException(
            path, "another log device than the one that has a part of this store's log");
      } catch (KvException e) {
        if (problem == null) {
          problem = e;
        } else {
          problem.addSuppressed(e);
        }
      }
    }
    throw Objects.requireNonNull(problem);
  }

  /**
   * Takes a log device for a store.
   *
   * @return null if the settings name none, or one that cannot be used and need not be
   * @throws KvException if it cannot be used
   */
  public static @Nullable DirectLog open(
      StoreDirectory directory,
      long storeId,
      DirectLogSettings settings,
      PublishedSeqno published,
      RandomGenerator random) {
    String path = settings.device();
    if (path == null) {
      return null;
    }
    LogRing ring;
    try {
      ring = claim(directory, storeId, path, random);
    } catch (KvException e) {
      if (!settings.mayFallBack()) {
        throw e;
      }
      System.getLogger(DirectLog.class.getName())
          .log(Level.WARNING, "the log goes to files, not to the log device: " + e.getMessage());
      return null;
    }
    try {
      new DeviceNote(
              ring.superblock().deviceId(),
              ring.superblock().epoch(),
              ring.device().path())
          .write(directory, storeId);
      return new DirectLog(directory, ring, storeId, published, random);
    } catch (RuntimeException | Error e) {
      ring.close();
      throw e;
    }
  }

  private static LogRing claim(
      StoreDirectory directory, long storeId, String path, RandomGenerator random) {
    LogRing ring = LogRing.open(directory.openDevice(path));
    try {
      ring.checkClaim(storeId);
      ring.begin(storeId, random.nextInt(), true);
      return ring;
    } catch (RuntimeException | Error e) {
      ring.close();
      throw e;
    }
  }

  /**
   * Makes every published record of these generations durable.
   *
   * @param generations all that are not in tables, oldest first; held until this returns
   * @param reached everything below is published
   * @return the seqno below which everything is durable now
   */
  public long force(List<LogGeneration> generations, long reached) {
    release(generations);
    List<LogRange> ranges = new ArrayList<>();
    for (LogGeneration generation : generations) {
      LogRange range = generation.unforced();
      if (range != null) {
        ranges.add(range);
      }
    }
    if (ranges.isEmpty()) {
      return reached;
    }
    long end = ranges.get(ranges.size() - 1).endSeqno();
    if (!ring.canHold(ranges) || !published.getsTo(end)) {
      generations.forEach(generation -> generation.force(reached));
      return reached;
    }
    makeRoom(LogRing.blocksFor(ranges));
    append(ranges);
    return Math.max(reached, end);
  }

  private void append(List<LogRange> ranges) {
    long first = ring.next();
    ring.append(ranges);
    for (LogRange range : ranges) {
      range.generation().markForced(range);
      Extent last = extents.peekLast();
      if (last != null && continues(last, range)) {
        extents.removeLast();
        extents.add(new Extent(last.range.with(range), last.firstBlock));
      } else {
        extents.add(new Extent(range, first));
      }
    }
  }

  private boolean continues(Extent last, LogRange range) {
    return last.range.generation().number() == range.generation().number()
        && ring.next() - last.firstBlock <= ring.blocks() / EXTENTS;
  }

  /** Frees the blocks of generations that are in tables. */
  private void release(List<LogGeneration> generations) {
    int oldest = generations.get(0).number();
    Extent first = extents.peekFirst();
    while (first != null && first.range.generation().number() < oldest) {
      extents.removeFirst();
      first = floorAt(extents.peekFirst());
    }
  }

  /** Raises the floor to where an extent begins; without one, nothing is needed. */
  private @Nullable Extent floorAt(@Nullable Extent first) {
    ring.floor(first == null ? ring.next() : first.firstBlock);
    return first;
  }

  private void makeRoom(long blocks) {
    boolean isScarce = ring.freeBlocks() < ring.blocks() / 4;
    while ((isScarce || ring.freeBlocksOnceStated() <= blocks) && !extents.isEmpty()) {
      extents.removeFirst().range.force();
      floorAt(extents.peekFirst());
      isScarce = false;
    }
    if (ring.freeBlocks() <= blocks) { // one stays free, for this
      ring.stateFloor();
    }
  }

  /**
   * Has the store do without the device from now on: forces in place what only the ring holds.
   * Everything must be durable, and nothing be written meanwhile.
   *
   * @param generations as in {@link #force}
   */
  public void detach(List<LogGeneration> generations) {
    release(generations);
    while (!extents.isEmpty()) {
      extents.removeFirst().range.force();
    }
    DeviceNote.delete(directory);
    ring.begin(storeId, random.nextInt(), false);
  }

  /** Bytes written to the device. */
  public long writtenBytes() {
    return ring.writtenBytes();
  }

  /** Gives the device back as it is. Closing twice does nothing. */
  @Override
  public void close() {
    if (!closed) {
      closed = true;
      ring.close();
    }
  }
}
