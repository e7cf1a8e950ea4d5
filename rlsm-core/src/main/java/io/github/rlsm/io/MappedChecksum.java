// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.io;

import io.github.rlsm.base.Reused;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Adds bytes of a mapped file to a CRC32C. Copies them to an array first.
 *
 * <p>The JVM turns a fault of an ordinary access to mapped memory into an error, see
 * {@link MappedFaults}. Its checksum stub is not an ordinary access: a fault inside it ends the
 * process with SIGBUS. So the bytes are copied first, in pieces that fit into the processor's L1
 * cache. A page of 4 KiB takes about 110 ns instead of 80 ns.
 *
 * <p>Threads: any. Each call has its own array.
 */
public final class MappedChecksum {

  private static final int PIECE_BYTES = 8 << 10;

  private static final Reused<byte[]> PIECES = new Reused<>(() -> new byte[PIECE_BYTES]);

  private MappedChecksum() {}

  /** Adds {@code length} bytes from {@code offset} of the memory. */
  public static void update(CRC32C crc, ByteBuffer memory, int offset, int length) {
    if (memory.hasArray()) {
      crc.update(memory.array(), memory.arrayOffset() + offset, length);
      return;
    }
    byte[] piece = PIECES.take();
    int end = offset + length;
    for (int at = offset; at < end; at += PIECE_BYTES) {
      int bytes = Math.min(PIECE_BYTES, end - at);
      memory.get(at, piece, 0, bytes);
      crc.update(piece, 0, bytes);
    }
    PIECES.giveBack(piece);
  }
}
