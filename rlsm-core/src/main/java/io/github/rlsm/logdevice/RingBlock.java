// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.logdevice;

import io.github.rlsm.io.BlockDevice;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * A block of the ring on a log device. It holds pieces of log segments, each with its place in the
 * segment. The blocks of an epoch are numbered from 0. The block with number <i>n</i> is at
 * position <i>n</i> modulo the length of the ring. Every block can be read without the others.
 *
 * <pre>
 * | offset | size | name    | meaning                                                           |
 * |      0 |    4 | crc32c  | of bytes [4, 4096), then the epoch's salt                         |
 * |      4 |    4 | length  | bytes of pieces                                                   |
 * |      8 |    8 | epoch   | epoch of the superblock                                           |
 * |     16 |    8 | number  | the block's number                                                |
 * |     24 |    8 | durable | every block with a smaller number was durable before this one was |
 * |        |      |         | written                                                           |
 * |     32 |    8 | floor   | no block with a smaller number is needed                          |
 * |     40 |      | pieces  | the pieces, without gaps, then zeros                              |
 *
 * piece
 * |      0 |    4 | generation | the segment's generation                                       |
 * |      4 |    4 | segment    | the segment file's number; bit 31 set: of the value log        |
 * |      8 |    4 | offset     | offset of the bytes in the segment                             |
 * |     12 |    4 | length     | number of bytes, 1 or more                                     |
 * |     16 |      | bytes      |                                                                |
 * </pre>
 *
 * <p>DO NOT CHANGE: these bytes are on disk. A new layout gets a new format version. FORMAT.md:
 * "Block of the ring".
 *
 * @param number the block's number
 * @param durable all lower-numbered blocks were durable before this block was written
 * @param floor no lower-numbered block is needed
 * @param length bytes of pieces
 */
record RingBlock(long number, long durable, long floor, int length) {

  /** Bytes before the pieces. */
  static final int HEAD = 40;

  /** The capacity for pieces, in bytes. */
  static final int ROOM = BlockDevice.BLOCK_BYTES - HEAD;

  /** Bytes before the content of a piece. */
  static final int PIECE_HEAD = 16;

  private static final int CRC = 0;
  private static final int LENGTH = 4;
  private static final int EPOCH = 8;
  private static final int NUMBER = 16;
  private static final int DURABLE = 24;
  private static final int FLOOR = 32;

  // Offsets in a piece.
  private static final int GENERATION = 0;
  private static final int SEGMENT = 4;
  private static final int SEGMENT_OFFSET = 8;
  private static final int PIECE_LENGTH = 12;

  private static final int VALUE_BIT = 1 << 31;

  /** Receives the pieces of a block. */
  @FunctionalInterface
  interface Pieces {

    /** Receives a piece, whose content begins at an offset in the block. */
    void piece(Piece piece, int from);
  }

  /**
   * The header of a piece: its place in a segment.
   *
   * @param generation the segment's generation
   * @param inValueLog whether the segment is a value segment
   * @param segment the segment file's number
   * @param offset offset in the segment
   * @param length length of the piece
   */
  record Piece(int generation, boolean inValueLog, int segment, int offset, int length) {

    /** Writes the header of the piece. Returns the offset for its content. */
    int encode(ByteBuffer block, int at) {
      block.putInt(at + GENERATION, generation);
      block.putInt(at + SEGMENT, segment | (inValueLog ? VALUE_BIT : 0));
      block.putInt(at + SEGMENT_OFFSET, offset);
      block.putInt(at + PIECE_LENGTH, length);
      return at + PIECE_HEAD;
    }
  }

  /**
   * Completes a block that already contains its pieces. The rest of the block is filled with zeros.
   */
  void seal(ByteBuffer block, long epoch, int salt) {
    for (int i = HEAD + length; i < BlockDevice.BLOCK_BYTES; i++) {
      block.put(i, (byte) 0);
    }
    block.putInt(LENGTH, length);
    block.putLong(EPOCH, epoch);
    block.putLong(NUMBER, number);
    block.putLong(DURABLE, durable);
    block.putLong(FLOOR, floor);
    block.putInt(CRC, crc(block, salt));
  }

  /** Returns whether a block is intact and belongs to the given epoch. */
  static boolean isValid(ByteBuffer block, long epoch, int salt) {
    if (block.getLong(EPOCH) != epoch || block.getInt(CRC) != crc(block, salt)) {
      return false;
    }
    long number = block.getLong(NUMBER);
    long durable = block.getLong(DURABLE);
    long floor = block.getLong(FLOOR);
    return floor >= 0 && floor <= durable && durable <= number && hasSoundPieces(block);
  }

  /** Reads the header of a valid block. */
  static RingBlock read(ByteBuffer block) {
    return new RingBlock(
        block.getLong(NUMBER), block.getLong(DURABLE), block.getLong(FLOOR), block.getInt(LENGTH));
  }

  /** Calls the visitor for each piece of a valid block. */
  static void forEachPiece(ByteBuffer block, Pieces visitor) {
    int end = HEAD + block.getInt(LENGTH);
    for (int at = HEAD; at < end; ) {
      Piece piece = piece(block, at);
      visitor.piece(piece, at + PIECE_HEAD);
      at += PIECE_HEAD + piece.length;
    }
  }

  private static Piece piece(ByteBuffer block, int at) {
    int segment = block.getInt(at + SEGMENT);
    return new Piece(
        block.getInt(at + GENERATION),
        (segment & VALUE_BIT) != 0,
        segment & ~VALUE_BIT,
        block.getInt(at + SEGMENT_OFFSET),
        block.getInt(at + PIECE_LENGTH));
  }

  /**
   * Returns whether the lengths are consistent. A checksum does not protect against a faulty
   * writer.
   */
  private static boolean hasSoundPieces(ByteBuffer block) {
    int length = block.getInt(LENGTH);
    if (length < 0 || length > ROOM) {
      return false;
    }
    int left = length;
    while (left > PIECE_HEAD) {
      Piece piece = piece(block, HEAD + length - left);
      boolean sound = piece.generation > 0
          && piece.segment > 0
          && piece.offset >= 0
          && piece.length > 0
          && piece.length <= left - PIECE_HEAD
          && piece.offset <= Integer.MAX_VALUE - piece.length;
      if (!sound) {
        return false;
      }
      left -= PIECE_HEAD + piece.length;
    }
    return left == 0;
  }

  private static int crc(ByteBuffer block, int salt) {
    CRC32C crc = new CRC32C();
    crc.update(block.slice(LENGTH, BlockDevice.BLOCK_BYTES - LENGTH));
    for (int i = 0; i < Integer.BYTES; i++) {
      crc.update(salt >>> (Byte.SIZE * i));
    }
    return (int) crc.getValue();
  }
}
