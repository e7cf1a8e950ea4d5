// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.logdevice;

import io.github.rlsm.io.BlockDevice;
import io.github.rlsm.io.StoreDirectory;
import io.github.rlsm.kv.CorruptionException;
import io.github.rlsm.kv.FormatVersionException;
import io.github.rlsm.kv.KvException;
import io.github.rlsm.kv.StoreIoException;
import io.github.rlsm.log.DurableSeqno;
import io.github.rlsm.log.LogGeneration;
import io.github.rlsm.log.PublishedSeqno;
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
 * Makes the log durable on a log device. It copies the bytes of the mapped segments that are not
 * durable yet to the device's ring, in one write for all waiting threads. No file is written or
 * forced. The segments remain the arena of the memory components and survive the death of the
 * process. After a power loss, recovery restores their lost bytes from the ring.
 *
 * <p><b>Forced in place.</b> Two kinds of groups are not copied to the ring; their segments are
 * forced instead. One is a group that is too long for a single write, since a force costs no more
 * then. The other is a group with a record that stays unfilled, because bytes in the ring must
 * never change again.
 *
 * <p><b>Space.</b> A block of the ring is needed until its generation is in tables or its bytes are
 * forced in place. When less than a quarter of the ring is free, each group first forces the oldest
 * part in place, at most a sixteenth of the ring. So the ring never runs full: writers that outrun
 * the flushes pay for forces, one part at a time.
 *
 * <p>Threads: one at a time, which {@link DurableSeqno} ensures.
 *
 * <p>Keeps invariant I-10 of ARCHITECTURE.md.
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

  /** The part of a generation that is in the ring, from block {@code firstBlock} on. */
  private record Extent(LogGeneration.Range range, long firstBlock) {}

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
   * Formats a device as a log device that no store has claimed. Its content is lost.
   *
   * @throws StoreIoException if the device is too short or cannot be written
   */
  public static void format(BlockDevice device, RandomGenerator random) {
    LogRing.format(device, random);
  }

  /**
   * The state of a log device, from its superblock.
   *
   * @param deviceId the device's id
   * @param storeId the store that has claimed the device, if any
   * @param inUse whether a store has the device open, or died without detaching from it
   * @param epoch grows by one with each superblock that is written
   * @param ringBytes the size of the ring
   */
  public record Status(
      long deviceId, OptionalLong storeId, boolean inUse, long epoch, long ringBytes) {}

  /**
   * Reads the state of a device.
   *
   * @throws FormatVersionException if it is not a log device
   * @throws CorruptionException if its superblock is damaged
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

  /** Erases the superblocks of a device, so that it is no longer a log device. */
  public static void erase(BlockDevice device) {
    LogRing.erase(device);
  }

  /**
   * Restores log bytes that only a log device holds, if the store was not closed. Call this before
   * reading the log. The device is still needed afterwards, until {@link #retire}: the manifest
   * says what is in tables, and its last edits may not be durable.
   *
   * @param firstGeneration older generations are in tables
   * @return the number of replayed blocks
   */
  public static long recover(
      StoreDirectory directory, long storeId, int firstGeneration, Settings settings) {
    DeviceNote note = DeviceNote.read(directory, storeId);
    if (note == null) {
      return 0;
    }
    try (LogRing ring = openNoted(directory, storeId, note, settings)) {
      return RingReplay.run(ring, directory, firstGeneration);
    }
  }

  /**
   * Releases the device of a store that was not closed. Call this when its bytes are recovered into
   * the segments and the manifest is durable.
   */
  public static void retire(
      StoreDirectory directory, long storeId, Settings settings, RandomGenerator random) {
    DeviceNote note = DeviceNote.read(directory, storeId);
    if (note == null) {
      return;
    }
    try (LogRing ring = openNoted(directory, storeId, note, settings)) {
      DeviceNote.delete(directory);
      ring.begin(storeId, random.nextInt(), false);
    }
  }

  /** Opens the ring that a note names, if it is as the store left it. */
  private static LogRing openNoted(
      StoreDirectory directory, long storeId, DeviceNote note, Settings settings) {
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

  /**
   * Checks the epoch. Another epoch means that a copy of the store has recovered the ring's bytes.
   */
  private static void checkEpoch(LogRing ring, DeviceNote note) {
    if (ring.superblock().epoch() != note.epoch()) {
      throw CorruptionException.withRemedy(
          ring.device().path(),
          0,
          "the log device is in epoch " + ring.superblock().epoch() + ", but this store used it in"
              + " epoch " + note.epoch() + "; a copy of the store, or a later state of it, has"
              + " recovered the device's content since",
          "open that one instead");
    }
  }

  /** Finds the device of a note: at the path in the note, or at the path in the settings. */
  private static LogRing find(StoreDirectory directory, DeviceNote note, Settings settings) {
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
            path,
            "another log device than the one that holds a part of this store's log; attach that"
                + " device there, or name its path as directLog");
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
   * Claims a log device for a store.
   *
   * @return null if the settings name no device, or name an unusable one and allow the fallback
   * @throws KvException if the device is unusable and the settings allow no fallback
   */
  public static @Nullable DirectLog open(
      StoreDirectory directory,
      long storeId,
      Settings settings,
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
          .log(
              Level.WARNING,
              "cannot use the log device; the log is forced in its files instead: "
                  + e.getMessage());
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
   * Makes every published record of the generations durable.
   *
   * @param generations all generations that are not in tables, oldest first; the caller holds them
   *     until this returns
   * @param reached everything below is published
   * @return the seqno below which everything is durable now
   */
  public long force(List<LogGeneration> generations, long reached) {
    release(generations);
    List<LogGeneration.Range> ranges = new ArrayList<>();
    for (LogGeneration generation : generations) {
      LogGeneration.Range range = generation.unforced();
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

  private void append(List<LogGeneration.Range> ranges) {
    long first = ring.next();
    ring.append(ranges);
    for (LogGeneration.Range range : ranges) {
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

  private boolean continues(Extent last, LogGeneration.Range range) {
    return last.range.generation().number() == range.generation().number()
        && ring.next() - last.firstBlock <= ring.blocks() / EXTENTS;
  }

  /** Frees the ring's blocks of generations that are in tables. */
  private void release(List<LogGeneration> generations) {
    int oldest = generations.get(0).number();
    Extent first = extents.peekFirst();
    while (first != null && first.range.generation().number() < oldest) {
      extents.removeFirst();
      first = floorAt(extents.peekFirst());
    }
  }

  /** Raises the floor to the first block of an extent, or to the end if there is no extent. */
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
    if (ring.freeBlocks() <= blocks) { // one block stays free to state the floor
      ring.stateFloor();
    }
  }

  /**
   * Detaches the store from the device: forces in place the bytes that only the ring holds.
   * Everything must be durable, and no thread may write during the call.
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

  /** Closes the device without changing it. Closing twice has no effect. */
  @Override
  public void close() {
    if (!closed) {
      closed = true;
      ring.close();
    }
  }

  /**
   * The settings for making the log durable on a device.
   *
   * @param device path of a log device; null to force the log's own files
   * @param mayFallBack whether to force the log's own files if the device is unusable
   */
  public record Settings(@Nullable String device, boolean mayFallBack) {

    /** No device. */
    public static final Settings NONE = new Settings(null, false);
  }
}
