// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.logdevice;

import io.github.rlsm.io.BlockDevice;
import io.github.rlsm.io.MappedFaults;
import io.github.rlsm.io.MappedFile;
import io.github.rlsm.io.StoreDirectory;
import io.github.rlsm.io.StoreFileName;
import io.github.rlsm.kv.CorruptionException;
import io.github.rlsm.log.SegmentFiles;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/**
 * Restores the log bytes that were durable only on the ring. It writes the pieces of the ring's
 * blocks into the segments and forces them. The overwritten bytes were identical, or had been lost.
 *
 * <p>Replay covers the blocks from the largest floor in any valid block up to the first missing
 * number. If a valid block says that a block at or after this end was durable, the ring is damaged.
 * Otherwise the end is where writing stopped.
 *
 * <p>Threads: one thread.
 */
final class RingReplay {

  private static final int CHUNK_BLOCKS = 64;

  private final LogRing ring;
  private final StoreDirectory directory;
  private final int firstGeneration;
  private final RingSuperblock superblock;
  private final ByteBuffer chunk = BlockDevice.buffer(CHUNK_BLOCKS);
  private final Map<String, Target> targets = new HashMap<>();

  /** The number of the valid block at each position of the ring; negative if there is none. */
  private final long[] numbers;

  private long floor;
  private long durable;

  /** A segment to be restored, and the range of its restored bytes. */
  private static final class Target {

    final MappedFile file;
    int from = Integer.MAX_VALUE;
    int to;

    Target(MappedFile file) {
      this.file = file;
    }
  }

  private RingReplay(LogRing ring, StoreDirectory directory, int firstGeneration) {
    this.ring = ring;
    this.directory = directory;
    this.firstGeneration = firstGeneration;
    this.superblock = ring.superblock();
    this.numbers = new long[Math.toIntExact(superblock.blocks())];
  }

  /**
   * Replays a ring. Repeating the replay changes nothing.
   *
   * @param firstGeneration older generations are in tables
   * @return the number of replayed blocks
   * @throws CorruptionException if durable blocks are lost, or a segment is missing
   */
  static long run(LogRing ring, StoreDirectory directory, int firstGeneration) {
    RingReplay replay = new RingReplay(ring, directory, firstGeneration);
    replay.survey();
    long end = replay.end();
    try {
      MappedFaults.using(directory.path(), () -> {
        replay.apply(end);
        return replay;
      });
      replay.targets.values().forEach(each -> each.file.force(each.from, each.to - each.from));
      directory.syncDirectory();
    } finally {
      replay.targets.values().forEach(each -> each.file.close());
    }
    return end - replay.floor;
  }

  /** Reads the whole ring. */
  private void survey() {
    for (long slot = 0; slot < superblock.blocks(); slot += CHUNK_BLOCKS) {
      int count = (int) Math.min(CHUNK_BLOCKS, superblock.blocks() - slot);
      ring.device().read(RingSuperblock.COUNT + slot, BlockDevice.part(chunk, 0, count));
      for (int i = 0; i < count; i++) {
        ByteBuffer block = BlockDevice.part(chunk, i, 1);
        numbers[(int) slot + i] = -1;
        if (RingBlock.isValid(block, superblock.epoch(), superblock.salt())) {
          RingBlock head = RingBlock.read(block);
          if (head.number() % superblock.blocks() == slot + i) {
            numbers[(int) slot + i] = head.number();
            floor = Math.max(floor, head.floor());
            durable = Math.max(durable, head.durable());
          }
        }
      }
    }
  }

  /** Returns the number of the first missing block after the floor. */
  private long end() {
    long end = floor;
    while (numbers[slot(end)] == end) {
      end++;
    }
    if (end < durable) {
      throw damaged(end, "is damaged, but every block below " + durable + " was durable");
    }
    return end;
  }

  private int slot(long number) {
    return (int) (number % superblock.blocks());
  }

  private void apply(long end) {
    long number = floor;
    while (number < end) {
      int count = (int) Math.min(CHUNK_BLOCKS, end - number);
      count = (int) Math.min(count, superblock.blocks() - slot(number));
      ring.device().read(RingSuperblock.COUNT + slot(number), BlockDevice.part(chunk, 0, count));
      for (int i = 0; i < count; i++) {
        ByteBuffer block = BlockDevice.part(chunk, i, 1);
        checkAgain(block, number + i);
        RingBlock.forEachPiece(block, (piece, from) -> apply(piece, block, from));
      }
      number += count;
    }
  }

  /** Checks a block that is read for the second time, since its content may have changed. */
  private void checkAgain(ByteBuffer block, long number) {
    boolean same = RingBlock.isValid(block, superblock.epoch(), superblock.salt())
        && RingBlock.read(block).number() == number;
    if (!same) {
      throw damaged(number, "changed between two reads");
    }
  }

  private CorruptionException damaged(long number, String how) {
    long offset = (RingSuperblock.COUNT + slot(number)) * (long) BlockDevice.BLOCK_BYTES;
    return new CorruptionException(
        ring.device().path(), offset, "block " + number + " of the ring " + how);
  }

  private void apply(RingBlock.Piece piece, ByteBuffer block, int from) {
    if (piece.generation() < firstGeneration) {
      return;
    }
    String name = piece.inValueLog()
        ? StoreFileName.valueLog(piece.segment())
        : StoreFileName.writeAheadLog(piece.segment());
    Target target = targets.computeIfAbsent(name, this::open);
    int end = piece.offset() + piece.length();
    if (end > target.file.length()) {
      throw new CorruptionException(
          name,
          target.file.length(),
          "the file is too short; the log device holds its bytes up to " + end);
    }
    target.file.memory().put(piece.offset(), block, from, piece.length());
    target.from = Math.min(target.from, piece.offset());
    target.to = Math.max(target.to, end);
  }

  private Target open(String name) {
    if (!directory.exists(name)) {
      throw new CorruptionException(
          name, 0, "the file is missing, but the log device holds records of it");
    }
    // A force of the segment may have failed. A later force of the same file would prove nothing.
    directory.replaceByCopy(name, StoreFileName.SEGMENT_TEMPORARY);
    MappedFile file = directory.openMapped(name);
    SegmentFiles.keepInPages(file);
    return new Target(file);
  }
}
