// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.layout;

import io.github.rlsm.base.KeyRange;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A range of rows, and a checksum, as all that the engine keeps in files' metadata has them:
 * big-endian, each end a length of four bytes, −1 for no bound, and the row.
 */
public final class StoredRange {

  /** Bytes of a range without bounds. */
  public static final int BYTES_MIN = 4 + 4;

  /** Bytes of a checksum. */
  public static final int CHECKSUM_BYTES = 4;

  private StoredRange() {}

  /** Bytes of a range. */
  public static int bytes(KeyRange range) {
    return BYTES_MIN + length(range.from()) + length(range.to());
  }

  /** Writes a range at the buffer's position. */
  public static void put(ByteBuffer out, KeyRange range) {
    put(out, range.from());
    put(out, range.to());
  }

  /** Reads a range from the buffer's position on; null if there is none, or an empty one. */
  public static @Nullable KeyRange get(ByteBuffer in) {
    if (in.remaining() < BYTES_MIN) {
      return null;
    }
    int fromLength = in.getInt();
    if (fromLength < -1 || fromLength > in.remaining() - 4) {
      return null;
    }
    byte[] from = row(in, fromLength);
    int toLength = in.getInt();
    if (toLength < -1 || toLength > in.remaining()) {
      return null;
    }
    KeyRange range = KeyRange.of(from, row(in, toLength));
    return range.isEmpty() ? null : range;
  }

  /** The CRC32C of the first bytes. */
  public static int checksum(byte[] bytes, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, length);
    return (int) crc.getValue();
  }

  private static int length(byte @Nullable [] row) {
    return row == null ? 0 : row.length;
  }

  private static void put(ByteBuffer out, byte @Nullable [] row) {
    out.putInt(row == null ? -1 : row.length);
    if (row != null) {
      out.put(row);
    }
  }

  private static byte @Nullable [] row(ByteBuffer in, int length) {
    if (length < 0) {
      return null;
    }
    byte[] row = new byte[length];
    in.get(row);
    return row;
  }
}
