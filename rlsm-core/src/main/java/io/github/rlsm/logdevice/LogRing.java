// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.logdevice;

import io.github.rlsm.io.BlockDevice;
import io.github.rlsm.io.MappedFaults;
import io.github.rlsm.kv.FormatVersionException;
import io.github.rlsm.kv.StoreIoException;
import io.github.rlsm.log.LogGeneration;
import io.github.rlsm.log.SegmentFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;
import java.util.random.RandomGenerator;

/**
 * The ring of blocks on an open log device, after the two superblocks. Appended bytes are durable
 * when the append returns. Each append begins a new block, so that no block is written twice while
 * it is needed. An epoch begins with a new superblock and an empty ring.
 *
 * <p>Threads: one thread at a time.
 *
 * <p>Keeps invariant I-10 of ARCHITECTURE.md.
 */
final class LogRing implements AutoCloseable {

  /** The longest group of blocks that is written at once. */
  private static final int GROUP_BLOCKS_MAX = 64;

  private static final int ERASED_BLOCKS = 64;

  private final BlockDevice device;
  private final ByteBuffer buffer;
  private final int groupBlocks;
  private RingSuperblock superblock;
  private long next;
  private long floor;

  /** The floor in a durable block. Only blocks below it may be overwritten. */
  private long statedFloor;

  private long writtenBytes;

  // The group that is being built.
  private int filling;
  private int filled;

  private LogRing(BlockDevice device, RingSuperblock superblock) {
    this.device = device;
    this.superblock = superblock;
    this.groupBlocks = (int) Math.min(GROUP_BLOCKS_MAX, superblock.blocks() / 4);
    this.buffer = BlockDevice.buffer(Math.max(RingSuperblock.COUNT, groupBlocks));
  }

  /**
   * Opens the ring on a device. Closes the device if it has no ring.
   *
   * @throws FormatVersionException if the device is not a log device
   * @throws io.github.rlsm.kv.CorruptionException if it is damaged
   */
  static LogRing open(BlockDevice device) {
    try {
      return new LogRing(device, readSuperblock(device));
    } catch (RuntimeException | Error e) {
      device.close();
      throw e;
    }
  }

  /** Reads the superblock in force. */
  static RingSuperblock readSuperblock(BlockDevice device) {
    if (device.blocks() < RingSuperblock.COUNT) {
      throw new FormatVersionException(device.path(), "too short to be a log device");
    }
    ByteBuffer two = BlockDevice.buffer(RingSuperblock.COUNT);
    device.read(0, two);
    return RingSuperblock.read(two, device.blocks(), device.path());
  }

  /**
   * Formats a device as a log device that no store has claimed. Its content is lost.
   *
   * @throws StoreIoException if the device is too short
   */
  static void format(BlockDevice device, RandomGenerator random) {
    long blocks = Math.min(RingSuperblock.BLOCKS_MAX, device.blocks() - RingSuperblock.COUNT);
    if (blocks < RingSuperblock.BLOCKS_MIN) {
      throw new StoreIoException(
          "format as log device",
          device.path(),
          new IOException("it has "
              + device.blocks()
              + " blocks of 4 KiB; the minimum is "
              + (RingSuperblock.BLOCKS_MIN + RingSuperblock.COUNT)));
    }
    RingSuperblock first = new RingSuperblock(
        RingSuperblock.NO_STORE, random.nextLong(), 0, blocks, random.nextInt(), false);
    erase(device);
    ByteBuffer two = BlockDevice.buffer(RingSuperblock.COUNT);
    first.encode(BlockDevice.part(two, 0, 1));
    first.next(RingSuperblock.NO_STORE, first.salt(), false).encode(BlockDevice.part(two, 1, 1));
    device.write(0, two);
  }

  /** Erases the superblocks and the first blocks, so that the device is no longer a log device. */
  static void erase(BlockDevice device) {
    device.write(0, BlockDevice.buffer((int) Math.min(ERASED_BLOCKS, device.blocks())));
  }

  RingSuperblock superblock() {
    return superblock;
  }

  BlockDevice device() {
    return device;
  }

  /**
   * Refuses a device that another store has claimed.
   *
   * @throws FormatVersionException if another store has claimed it
   */
  void checkClaim(long storeId) {
    if (superblock.storeId() != storeId && superblock.storeId() != RingSuperblock.NO_STORE) {
      throw new FormatVersionException(
          device.path(),
          String.format(
              Locale.ROOT,
              "the log device of store %016x, not of this store, %016x; set directLog to another"
                  + " device, or release it (rlsm log-device release) if that store no longer needs"
                  + " it",
              superblock.storeId(),
              storeId));
    }
  }

  /** Begins an epoch, with an empty ring. */
  void begin(long storeId, int salt, boolean inUse) {
    RingSuperblock following = superblock.next(storeId, salt, inUse);
    ByteBuffer block = BlockDevice.part(buffer, 0, 1);
    following.encode(block);
    device.write(following.place(), block);
    superblock = following;
    next = 0;
    floor = 0;
    statedFloor = 0;
  }

  /** The number of the next block to be written. */
  long next() {
    return next;
  }

  /** The number of blocks that can be written now. */
  long freeBlocks() {
    return superblock.blocks() - (next - statedFloor);
  }

  /** The number of blocks that can be written after {@link #stateFloor}. */
  long freeBlocksOnceStated() {
    return superblock.blocks() - (next + 1 - floor);
  }

  long blocks() {
    return superblock.blocks();
  }

  /** Bytes written to the ring since it was opened. */
  long writtenBytes() {
    return writtenBytes;
  }

  /**
   * Raises the floor: blocks below it are no longer needed. They can be overwritten once a durable
   * block states the floor. The next block to be written does so. The same write must not overwrite
   * them: if it were torn, the older blocks would still require the overwritten ones.
   */
  void floor(long number) {
    floor = Math.max(floor, number);
  }

  /** Writes a block that only states the floor. */
  void stateFloor() {
    append(List.of());
  }

  /** Returns whether a group is short enough for one append. */
  boolean canHold(List<LogGeneration.Range> ranges) {
    return blocksFor(ranges) <= groupBlocks;
  }

  /** Returns an upper bound for the number of blocks that a group takes. */
  static long blocksFor(List<LogGeneration.Range> ranges) {
    long bytes = 0;
    for (LogGeneration.Range range : ranges) {
      bytes += range.length(true) + range.length(false) + 2 * RingBlock.PIECE_HEAD;
    }
    // Each further block may split one piece in two, and may end with a gap too small for a piece.
    int room = RingBlock.ROOM - 2 * RingBlock.PIECE_HEAD;
    return (bytes + room - 1) / room;
  }

  /**
   * Appends ranges as one group. All their records must be filled, and there must be space for the
   * group.
   */
  void append(List<LogGeneration.Range> ranges) {
    filling = 0;
    filled = 0;
    for (LogGeneration.Range range : ranges) {
      add(range, true);
      add(range, false);
    }
    sealBlock();
    MappedFaults.check();
    write(filling);
  }

  private void add(LogGeneration.Range range, boolean inValueLog) {
    LogGeneration generation = range.generation();
    int segment = SegmentFiles.numberOf(generation.file(inValueLog));
    int at = range.start(inValueLog);
    int left = range.length(inValueLog);
    while (left > 0) {
      if (RingBlock.ROOM - filled <= RingBlock.PIECE_HEAD) {
        sealBlock();
      }
      int length = Math.min(left, RingBlock.ROOM - filled - RingBlock.PIECE_HEAD);
      ByteBuffer block = BlockDevice.part(buffer, filling, 1);
      int to = new RingBlock.Piece(generation.number(), inValueLog, segment, at, length)
          .encode(block, RingBlock.HEAD + filled);
      block.put(to, generation.segment(inValueLog), at, length);
      filled += RingBlock.PIECE_HEAD + length;
      at += length;
      left -= length;
    }
  }

  private void sealBlock() {
    new RingBlock(next + filling, next, floor, filled)
        .seal(BlockDevice.part(buffer, filling, 1), superblock.epoch(), superblock.salt());
    filling++;
    filled = 0;
  }

  private void write(int count) {
    if (count > freeBlocks()) {
      throw new IllegalStateException(
          "the ring has space for " + freeBlocks() + " blocks, but a group has " + count);
    }
    long slot = next % superblock.blocks();
    int before = (int) Math.min(count, superblock.blocks() - slot);
    device.write(RingSuperblock.COUNT + slot, BlockDevice.part(buffer, 0, before));
    if (before < count) {
      device.write(RingSuperblock.COUNT, BlockDevice.part(buffer, before, count - before));
    }
    next += count;
    statedFloor = floor;
    writtenBytes += (long) count * BlockDevice.BLOCK_BYTES;
  }

  @Override
  public void close() {
    device.close();
  }
}
