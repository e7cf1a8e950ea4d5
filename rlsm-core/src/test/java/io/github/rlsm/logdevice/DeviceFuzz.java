// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.logdevice;

import io.github.rlsm.fuzz.Decoding;
import io.github.rlsm.fuzz.Forged;
import io.github.rlsm.io.BlockDevice;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;

/**
 * Decodes any bytes as the structures of a log device. These are the two superblocks with a block
 * of the ring behind them, and a store's note about its device. All decoders read every input.
 */
public final class DeviceFuzz {

  private static final long DEVICE_BLOCKS = 64;
  private static final int EPOCH = 3;
  private static final int SALT = 0x5A17;
  private static final long STORE_ID = 0x0123_4567_89AB_CDEFL;
  private static final int SUPERBLOCK_CRC = 64;
  private static final int NOTE_CRC = 48;

  private DeviceFuzz() {}

  /** Decodes an input unchanged, and with corrected checksums. */
  public static void fuzzerTestOneInput(byte[] input) {
    superblocks(input);
    ringBlock(input);
    note(input);
  }

  private static void superblocks(byte[] input) {
    int block = BlockDevice.BLOCK_BYTES;
    byte[] two = Arrays.copyOf(input, 2 * block);
    decodeSuperblocks(two);
    Forged forged = new Forged(two);
    for (int at = 0; at < two.length; at += block) {
      forged
          .header(at)
          .sum()
          .range(at + Forged.HEADER_BYTES, at + SUPERBLOCK_CRC)
          .putAt(at + SUPERBLOCK_CRC);
    }
    decodeSuperblocks(forged.bytes());
  }

  private static void decodeSuperblocks(byte[] two) {
    ByteBuffer buffer = ByteBuffer.wrap(two).order(ByteOrder.LITTLE_ENDIAN);
    Decoding.of(two.length, () -> RingSuperblock.read(buffer, DEVICE_BLOCKS, "fuzzed"));
  }

  private static void ringBlock(byte[] input) {
    int from = Math.min(input.length, 2 * BlockDevice.BLOCK_BYTES);
    byte[] block = Arrays.copyOfRange(input, from, from + BlockDevice.BLOCK_BYTES);
    Forged forged = new Forged(block);
    forged.buffer().putLong(8, EPOCH);
    forged.sum().range(4, block.length).number(SALT).putAt(0);
    for (byte[] bytes : List.of(block, forged.bytes())) {
      ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
      Decoding.of(bytes.length, () -> {
        if (RingBlock.isValid(buffer, EPOCH, SALT)) {
          RingBlock.read(buffer);
          RingBlock.forEachPiece(buffer, (piece, at) -> buffer.get(at, new byte[piece.length()]));
        }
      });
    }
  }

  /** Decodes like {@link DeviceNote#read}, which checks the length first. */
  private static void note(byte[] input) {
    if (input.length <= NOTE_CRC + Integer.BYTES) {
      return;
    }
    byte[] sealed = new Forged(input)
        .header(0)
        .sum()
        .range(Forged.HEADER_BYTES, NOTE_CRC)
        .range(NOTE_CRC + Integer.BYTES, input.length)
        .putAt(NOTE_CRC)
        .bytes();
    for (byte[] bytes : List.of(input, sealed)) {
      ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
      Decoding.of(bytes.length, () -> DeviceNote.decode(buffer, "fuzzed", STORE_ID));
    }
  }

  /** Returns two superblocks and a ring block with two pieces, and a note. */
  public static List<byte[]> seeds() {
    int block = BlockDevice.BLOCK_BYTES;
    ByteBuffer device = ByteBuffer.allocate(3 * block).order(ByteOrder.LITTLE_ENDIAN);
    RingSuperblock first = new RingSuperblock(STORE_ID, 0x77, 2, DEVICE_BLOCKS - 2, SALT, true);
    first.encode(BlockDevice.part(device, 0, 1));
    first.next(STORE_ID, SALT + 1, true).encode(BlockDevice.part(device, 1, 1));
    ByteBuffer ring = BlockDevice.part(device, 2, 1);
    int at = new RingBlock.Piece(1, false, 1, 64, 24).encode(ring, RingBlock.HEAD);
    at = new RingBlock.Piece(1, true, 1, 64, 40).encode(ring, at + 24);
    new RingBlock(9, 5, 2, at + 40 - RingBlock.HEAD).seal(ring, EPOCH, SALT);
    ByteBuffer note = new DeviceNote(0x77, 3, "/dev/log").encode(STORE_ID);
    return List.of(Forged.bytesOf(device), Forged.bytesOf(note));
  }
}
