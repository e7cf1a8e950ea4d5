// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.io;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A raw device or partition as an array of blocks. A file of fixed length can replace the device.
 * Writes bypass the page cache: a write is durable when the call returns, and changes no metadata.
 *
 * <p>Durability: a write that has returned survives power loss. If a write is in progress or has
 * thrown, each of its sectors is either old or new. All other blocks are unchanged.
 *
 * <p>Errors: {@link io.github.rlsm.kv.StoreIoException} with the operation and the device. After
 * one write has failed, every later write fails too.
 *
 * <p>Threads: one thread at a time.
 */
public interface BlockDevice extends AutoCloseable {

  /**
   * Bytes in a block. No device in use has larger sectors. A device with smaller sectors may tear a
   * block.
   */
  int BLOCK_BYTES = 4096;

  /** The path of the device, for messages. */
  String path();

  /** The number of whole blocks of the device. */
  long blocks();

  /**
   * Reads blocks into a whole buffer, from index 0 to its capacity. Ignores the buffer's position.
   *
   * @param buffer made by {@link #buffer}, or a slice of such a buffer at block boundaries
   */
  void read(long block, ByteBuffer buffer);

  /** Writes a whole buffer, from index 0 to its capacity. Returns when the blocks are durable. */
  void write(long block, ByteBuffer buffer);

  /** Closes the device. Closing twice does nothing. */
  @Override
  void close();

  /** Allocates little-endian memory for blocks, with the alignment that devices require. */
  static ByteBuffer buffer(int blocks) {
    ByteBuffer memory = ByteBuffer.allocateDirect((blocks + 1) * BLOCK_BYTES);
    return part(memory.alignedSlice(BLOCK_BYTES), 0, blocks);
  }

  /** Returns a slice of a block buffer. */
  static ByteBuffer part(ByteBuffer buffer, int first, int count) {
    return buffer.slice(first * BLOCK_BYTES, count * BLOCK_BYTES).order(ByteOrder.LITTLE_ENDIAN);
  }
}
