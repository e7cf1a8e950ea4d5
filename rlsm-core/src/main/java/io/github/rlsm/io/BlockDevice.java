// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.io;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A raw device or partition, or a file of fixed length in the place of one, as an array of blocks.
 * No file system stands between: what is written is durable when the call returns, and changes no
 * metadata.
 *
 * <p>Durability: a write that has returned survives power loss. Of one that has not, or that has
 * thrown, each sector may be there or not; all other blocks are as they were.
 *
 * <p>Errors: {@link io.github.rlsm.kv.StoreIoException} naming operation and device. After a write
 * has failed every later one fails, too.
 *
 * <p>Threads: one thread at a time.
 */
public interface BlockDevice extends AutoCloseable {

  /**
   * Bytes in a block. No device in use has larger sectors; one with smaller ones may tear a block.
   */
  int BLOCK_BYTES = 4096;

  /** Where it is, for messages. */
  String path();

  /** How many whole blocks it has. */
  long blocks();

  /**
   * Reads blocks into all of a buffer, from its index 0 to its capacity, whatever its position.
   *
   * @param buffer made by {@link #buffer}, or a slice of one at whole blocks
   */
  void read(long block, ByteBuffer buffer);

  /** Writes all of a buffer, likewise, and returns when it is durable. */
  void write(long block, ByteBuffer buffer);

  /** Gives the device back. Closing twice does nothing. */
  @Override
  void close();

  /** Little-endian memory for blocks, aligned as devices want it. */
  static ByteBuffer buffer(int blocks) {
    ByteBuffer memory = ByteBuffer.allocateDirect((blocks + 1) * BLOCK_BYTES);
    return part(memory.alignedSlice(BLOCK_BYTES), 0, blocks);
  }

  /** Some blocks of such memory. */
  static ByteBuffer part(ByteBuffer buffer, int first, int count) {
    return buffer.slice(first * BLOCK_BYTES, count * BLOCK_BYTES).order(ByteOrder.LITTLE_ENDIAN);
  }
}
