// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.layout;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The frame of every entry that the engine stores in a file's metadata. One byte for the version
 * precedes the content, and a CRC32C of version and content follows it, big-endian.
 */
public final class StoredMark {

  /** The size of the frame. */
  public static final int FRAME_BYTES = 1 + 4;

  private static final int CHECKSUM_BYTES = 4;

  private StoredMark() {}

  /** Allocates a buffer for content of this size, positioned at the start of the content. */
  public static ByteBuffer begin(byte version, int contentBytes) {
    return ByteBuffer.allocate(FRAME_BYTES + contentBytes).put(version);
  }

  /**
   * Writes the checksum at the buffer's position, which must be its last four bytes. Returns the
   * whole entry.
   */
  public static byte[] end(ByteBuffer out) {
    out.putInt(checksum(out.duplicate().flip()));
    byte[] all = new byte[out.position()];
    out.get(0, all);
    return all;
  }

  /**
   * Returns the content from its start; null if the bytes are absent, damaged or of another
   * version.
   *
   * @param contentBytesMin the smallest valid size of the content
   */
  public static @Nullable ByteBuffer content(
      byte @Nullable [] bytes, byte version, int contentBytesMin) {
    if (bytes == null || bytes.length < FRAME_BYTES + contentBytesMin || bytes[0] != version) {
      return null;
    }
    int end = bytes.length - CHECKSUM_BYTES;
    return ByteBuffer.wrap(bytes).getInt(end) == checksum(ByteBuffer.wrap(bytes, 0, end))
        ? ByteBuffer.wrap(bytes, 1, end - 1)
        : null;
  }

  private static int checksum(ByteBuffer bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    return (int) crc.getValue();
  }
}
