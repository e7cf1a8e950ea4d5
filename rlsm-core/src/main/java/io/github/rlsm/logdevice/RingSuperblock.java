// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.logdevice;

import io.github.rlsm.io.BlockDevice;
import io.github.rlsm.io.FileHeader;
import io.github.rlsm.kv.CorruptionException;
import io.github.rlsm.kv.FormatVersionException;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A superblock of a log device. There are two, so that a torn write leaves the previous one intact.
 * The superblock of epoch <i>e</i> is in block <i>e</i> modulo 2. The valid one with the larger
 * epoch is in force.
 *
 * <pre>
 * | offset | size | name      | meaning                                                      |
 * |      0 |   32 | file      | the common file header; store id 0: not claimed by a store   |
 * |     32 |    8 | deviceId  | drawn when the device was made a log device                  |
 * |     40 |    8 | epoch     | grows by one with each superblock                            |
 * |     48 |    8 | blocks    | blocks of the ring that follows the superblocks              |
 * |     56 |    4 | salt      | random; goes into the checksum of each block of the epoch    |
 * |     60 |    4 | state     | 0 clean: the ring holds nothing; 1 in use                    |
 * |     64 |    4 | crc32c    | of bytes [32, 64)                                            |
 * |     68 |      | zero      | to the end of the block                                      |
 * </pre>
 *
 * <p>DO NOT CHANGE: these bytes are on disk. A new layout gets a new format version. FORMAT.md:
 * "Superblock".
 *
 * @param storeId the store that has claimed the device; {@link #NO_STORE} for none
 * @param deviceId the device's id, which does not depend on its path
 * @param epoch the epoch; blocks of other epochs are void
 * @param blocks the number of blocks in the ring
 * @param salt the seed for the checksums of the epoch's blocks
 * @param inUse whether the ring may hold bytes that exist nowhere else
 */
record RingSuperblock(
    long storeId, long deviceId, long epoch, long blocks, int salt, boolean inUse) {

  /** The number of superblocks. The ring follows them. */
  static final int COUNT = 2;

  /** The store id of an unclaimed device. */
  static final long NO_STORE = 0;

  /** The number of blocks of the smallest ring. */
  static final long BLOCKS_MIN = 14;

  /**
   * The number of blocks of the largest ring, 1 GiB. The limit exists because opening a store after
   * a crash reads the whole ring. The rest of a larger device is unused.
   */
  static final long BLOCKS_MAX = 1 << 18;

  private static final int DEVICE_ID = FileHeader.BYTES;
  private static final int EPOCH = DEVICE_ID + 8;
  private static final int BLOCKS = EPOCH + 8;
  private static final int SALT = BLOCKS + 8;
  private static final int STATE = SALT + 4;
  private static final int CRC = STATE + 4;
  private static final int END = CRC + 4;

  /** Returns the next superblock, with a new epoch and the given salt. */
  RingSuperblock next(long storeId, int salt, boolean inUse) {
    return new RingSuperblock(storeId, deviceId, epoch + 1, blocks, salt, inUse);
  }

  /** The block of the device that holds this superblock. */
  long place() {
    return epoch % COUNT;
  }

  /** Encodes the superblock into a block. */
  void encode(ByteBuffer block) {
    for (int i = 0; i < BlockDevice.BLOCK_BYTES; i += Long.BYTES) {
      block.putLong(i, 0);
    }
    new FileHeader(FileHeader.Kind.LOG_DEVICE, storeId, 0).encode(block, 0);
    block.putLong(DEVICE_ID, deviceId);
    block.putLong(EPOCH, epoch);
    block.putLong(BLOCKS, blocks);
    block.putInt(SALT, salt);
    block.putInt(STATE, inUse ? 1 : 0);
    block.putInt(CRC, crc(block));
  }

  /**
   * Reads the superblock in force.
   *
   * @param two the first two blocks of the device
   * @param deviceBlocks the number of blocks of the device
   * @throws FormatVersionException if the device is not a log device, or has a newer format
   * @throws CorruptionException if both superblocks are damaged, or the device has become shorter
   */
  static RingSuperblock read(ByteBuffer two, long deviceBlocks, String device) {
    RingSuperblock newest = null;
    RuntimeException problem = null;
    for (int i = 0; i < COUNT; i++) {
      try {
        RingSuperblock found = decode(BlockDevice.part(two, i, 1), i, device);
        newest = newest == null || found.epoch > newest.epoch ? found : newest;
      } catch (CorruptionException | FormatVersionException e) {
        problem = moreTelling(problem, e);
      }
    }
    if (newest == null) {
      throw Objects.requireNonNull(problem);
    }
    if (newest.blocks > deviceBlocks - COUNT) {
      throw new CorruptionException(
          device,
          BLOCKS,
          "the superblock says that the ring has " + newest.blocks
              + " blocks, but the device has only " + deviceBlocks);
    }
    return newest;
  }

  /**
   * Selects the error to report. Damage to a superblock is more specific than an unknown format.
   */
  private static RuntimeException moreTelling(
      @Nullable RuntimeException before, RuntimeException now) {
    return before instanceof CorruptionException ? before : now;
  }

  private static RingSuperblock decode(ByteBuffer block, int place, String device) {
    FileHeader header = FileHeader.decode(block, device);
    header.expectKind(device, FileHeader.Kind.LOG_DEVICE);
    if (block.getInt(CRC) != crc(block)) {
      throw new CorruptionException(device, DEVICE_ID, "the superblock fails its checksum");
    }
    int state = block.getInt(STATE);
    RingSuperblock found = new RingSuperblock(
        header.storeId(),
        block.getLong(DEVICE_ID),
        block.getLong(EPOCH),
        block.getLong(BLOCKS),
        block.getInt(SALT),
        state == 1);
    boolean sound = header.fileNumber() == 0
        && found.epoch >= 0
        && found.place() == place
        && found.blocks >= BLOCKS_MIN
        && found.blocks <= BLOCKS_MAX
        && (state == 0 || state == 1);
    if (!sound) {
      throw new CorruptionException(device, EPOCH, "the superblock holds impossible values");
    }
    return found;
  }

  private static int crc(ByteBuffer block) {
    CRC32C crc = new CRC32C();
    crc.update(block.slice(DEVICE_ID, END - 4 - DEVICE_ID));
    return (int) crc.getValue();
  }
}
