// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.logdevice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rlsm.io.BlockDevice;
import io.github.rlsm.kv.CorruptionException;
import io.github.rlsm.kv.FormatVersionException;
import io.github.rlsm.kv.KvException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Tests the bytes on a log device and in its note: as released, damaged, and forged. */
class RingLayoutTest {

  private static final long STORE = 0x1122334455667788L;
  private static final int SALT = 0x5A17;
  private static final RingSuperblock SUPERBLOCK =
      new RingSuperblock(STORE, 0x0123456789ABCDEFL, 6, 254, SALT, true);
  private static final RingBlock.Piece PIECE = new RingBlock.Piece(3, true, 9, 72, 4);

  private static ByteBuffer superblock(RingSuperblock superblock) {
    ByteBuffer block = BlockDevice.buffer(1);
    superblock.encode(block);
    return block;
  }

  private static ByteBuffer block() {
    ByteBuffer block = BlockDevice.buffer(1);
    int to = PIECE.encode(block, RingBlock.HEAD);
    block.put(to, new byte[] {'d', 'a', 't', 'a'});
    new RingBlock(21, 20, 10, RingBlock.PIECE_HEAD + 4).seal(block, 6, SALT);
    return block;
  }

  private static String hex(ByteBuffer bytes, int length) {
    byte[] head = new byte[length];
    bytes.get(0, head);
    return HexFormat.of().formatHex(head);
  }

  @Test
  void writesASuperblockByteForByte() {
    assertThat(hex(superblock(SUPERBLOCK), 72))
        .isEqualTo(
            "524c534d0d0a1a0a" // magic
                + "07000100fc63ffcc" // kind, version, crc32c
                + "8877665544332211" // store id
                + "0000000000000000" // file number
                + "efcdab8967452301" // device id
                + "0600000000000000" // epoch
                + "fe00000000000000" // blocks
                + "175a0000" // salt
                + "01000000" // in use
                + "66f53d8c" // crc32c
                + "00000000");
  }

  @Test
  void writesABlockByteForByte() {
    assertThat(hex(block(), 64))
        .isEqualTo(
            "43c881d7" // crc32c
                + "14000000" // length
                + "0600000000000000" // epoch
                + "1500000000000000" // number
                + "1400000000000000" // durable
                + "0a00000000000000" // floor
                + "03000000" // generation
                + "09000080" // segment of the value log
                + "48000000" // offset
                + "04000000" // length
                + "64617461" // bytes
                + "00000000");
  }

  @Test
  void writesANoteByteForByte() {
    DeviceNote note = new DeviceNote(0x0123456789ABCDEFL, 6, "/dev/disk/by-id/log");
    ByteBuffer file = note.encode(STORE);
    assertThat(hex(file, file.capacity()))
        .isEqualTo(
            "524c534d0d0a1a0a07000100fc63ffcc88776655443322110000000000000000" // file header
                + "efcdab8967452301" // device id
                + "0600000000000000" // epoch
                + "9798cc8f" // crc32c
                + "2f6465762f6469736b2f62792d69642f6c6f67");
    assertThat(DeviceNote.decode(file, "LOG-DEVICE", STORE)).isEqualTo(note);
    assertThatExceptionOfType(FormatVersionException.class)
        .isThrownBy(() -> DeviceNote.decode(file, "LOG-DEVICE", 1));
    for (int bit = 0; bit < Byte.SIZE * file.capacity(); bit++) {
      flip(file, bit);
      assertThatThrownBy(() -> DeviceNote.decode(file, "LOG-DEVICE", STORE))
          .isInstanceOf(KvException.class);
      flip(file, bit);
    }
  }

  @Test
  void readsPiecesBack() {
    List<RingBlock.Piece> pieces = new ArrayList<>();
    RingBlock.forEachPiece(block(), (piece, from) -> {
      assertThat(from).isEqualTo(RingBlock.HEAD + RingBlock.PIECE_HEAD);
      pieces.add(piece);
    });
    assertThat(pieces).containsExactly(PIECE);
    assertThat(RingBlock.read(block())).isEqualTo(new RingBlock(21, 20, 10, 20));
  }

  @Test
  void everyFlippedBitOfABlockIsFound() {
    ByteBuffer block = block();
    assertThat(RingBlock.isValid(block, 6, SALT)).isTrue();
    for (int bit = 0; bit < Byte.SIZE * BlockDevice.BLOCK_BYTES; bit++) {
      flip(block, bit);
      assertThat(RingBlock.isValid(block, 6, SALT)).as("bit %d", bit).isFalse();
      flip(block, bit);
    }
  }

  @Test
  void blocksOfOtherEpochsAndLivesAreVoid() {
    assertThat(RingBlock.isValid(block(), 7, SALT)).isFalse();
    assertThat(RingBlock.isValid(block(), 6, SALT + 1)).isFalse();
    assertThat(RingBlock.isValid(BlockDevice.buffer(1), 0, 0)).isFalse();
  }

  /** Forges blocks with valid checksums. */
  @Test
  void impossibleBlocksAreVoid() {
    forge(new RingBlock(21, 22, 10, 20), block -> {});
    forge(new RingBlock(21, 20, 21, 20), block -> {});
    forge(new RingBlock(21, 20, -1, 20), block -> {});
    forge(new RingBlock(-5, -5, -5, 20), block -> {});
    forge(new RingBlock(21, 20, 10, 19), block -> {});
    forge(new RingBlock(21, 20, 10, 21), block -> {});
    forge(new RingBlock(21, 20, 10, 7), block -> {});
    int piece = RingBlock.HEAD;
    forge(new RingBlock(21, 20, 10, 20), block -> block.putInt(piece, 0));
    forge(new RingBlock(21, 20, 10, 20), block -> block.putInt(piece + 4, 0));
    forge(new RingBlock(21, 20, 10, 20), block -> block.putInt(piece + 8, -8));
    forge(new RingBlock(21, 20, 10, 20), block -> block.putInt(piece + 8, Integer.MAX_VALUE));
    forge(new RingBlock(21, 20, 10, 20), block -> block.putInt(piece + 12, 0));
    forge(new RingBlock(21, 20, 10, 20), block -> block.putInt(piece + 12, -1));
    forge(new RingBlock(21, 20, 10, 20), block -> block.putInt(piece + 12, 5));
  }

  private static void forge(RingBlock head, Consumer<ByteBuffer> change) {
    ByteBuffer block = block();
    change.accept(block);
    head.seal(block, 6, SALT);
    assertThat(RingBlock.isValid(block, 6, SALT)).as("%s", head).isFalse();
  }

  private static RingSuperblock read(ByteBuffer even, ByteBuffer odd) {
    ByteBuffer two = BlockDevice.buffer(2);
    two.put(0, even, 0, BlockDevice.BLOCK_BYTES);
    two.put(BlockDevice.BLOCK_BYTES, odd, 0, BlockDevice.BLOCK_BYTES);
    return RingSuperblock.read(two, 256, "device");
  }

  @Test
  void theLaterSuperblockCounts() {
    RingSuperblock next = SUPERBLOCK.next(STORE, 1, false);
    assertThat(next.place()).isEqualTo(1);
    assertThat(read(superblock(SUPERBLOCK), superblock(next))).isEqualTo(next);
    RingSuperblock third = next.next(0, 2, true);
    assertThat(read(superblock(third), superblock(next))).isEqualTo(third);
  }

  @Test
  void aTornSuperblockLeavesTheOther() {
    RingSuperblock next = SUPERBLOCK.next(STORE, 1, false);
    ByteBuffer damaged = superblock(next);
    for (int bit = 0; bit < Byte.SIZE * 68; bit++) {
      flip(damaged, bit);
      assertThat(read(superblock(SUPERBLOCK), damaged)).isEqualTo(SUPERBLOCK);
      ByteBuffer other = damaged;
      assertThatThrownBy(() -> read(BlockDevice.buffer(1), other))
          .as("bit %d", bit)
          .isInstanceOf(CorruptionException.class);
      flip(damaged, bit);
    }
  }

  @Test
  void foreignAndImpossibleDevicesAreRefused() {
    ByteBuffer foreign = BlockDevice.buffer(1).order(ByteOrder.LITTLE_ENDIAN);
    foreign.putLong(0, 0x1234);
    assertThatThrownBy(() -> read(foreign, foreign)).isInstanceOf(FormatVersionException.class);
    // A superblock at the wrong place, a ring that is too short, and a ring longer than its device.
    ByteBuffer right = superblock(SUPERBLOCK);
    assertThatThrownBy(() -> read(BlockDevice.buffer(1), right))
        .isInstanceOf(CorruptionException.class);
    for (long blocks : new long[] {-1, 0, 13, 255, (1 << 18) + 1, Long.MAX_VALUE}) {
      ByteBuffer forged = superblock(new RingSuperblock(STORE, 1, 6, blocks, SALT, true));
      assertThatThrownBy(() -> read(forged, forged)).isInstanceOf(CorruptionException.class);
    }
  }

  private static void flip(ByteBuffer bytes, int bit) {
    int at = bit / Byte.SIZE;
    bytes.put(at, (byte) (bytes.get(at) ^ 1 << bit % Byte.SIZE));
  }
}
