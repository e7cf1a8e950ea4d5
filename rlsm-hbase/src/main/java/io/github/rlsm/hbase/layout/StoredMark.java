// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.layout;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * What stands around everything that the engine keeps in files' metadata: a version of one byte
 * before it, and a CRC32C of all that, big-endian, behind it.
 */
public final class StoredMark {

  /** Bytes around the content. */
  public static final int FRAME_BYTES = 1 + 4;

  private static final int CHECKSUM_BYTES = 4;

  private StoredMark() {}

  /** Room for so many bytes of content, at its beginning. */
  public static ByteBuffer begin(byte version, int contentBytes) {
    return ByteBuffer.allocate(FRAME_BYTES + contentBytes).put(version);
  }

  /**
   * Puts the checksum at the buffer's position, which is its last four bytes. Returns all of it.
   */
  public static byte[] end(ByteBuffer out) {
    out.putInt(checksum(out.duplicate().flip()));
    byte[] all = new byte[out.position()];
    out.get(0, all);
    return all;
  }

  /**
   * The content, at its beginning; null if the bytes are absent, damaged or of a later version.
   *
   * @param contentBytesMin the least bytes of content there can be
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
