// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.layout;

import io.github.rlsm.base.KeyRange;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The encoding of a row range in a file's metadata, big-endian: for each end a length of four
 * bytes, −1 for no bound, and the row.
 */
public final class StoredRange {

  /** The size of a range without bounds. */
  public static final int BYTES_MIN = 4 + 4;

  private StoredRange() {}

  /** The encoded size of a range. */
  public static int bytes(KeyRange range) {
    return BYTES_MIN + length(range.from()) + length(range.to());
  }

  /** Writes a range at the buffer's position. */
  public static void put(ByteBuffer out, KeyRange range) {
    put(out, range.from());
    put(out, range.to());
  }

  /** Reads a range at the buffer's position; null if the range is damaged or empty. */
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
