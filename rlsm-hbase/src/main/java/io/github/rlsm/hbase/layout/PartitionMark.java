// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.layout;

import io.github.rlsm.base.KeyRange;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The partition a file was written for, as it stands in the file's own metadata: the only state the
 * engine keeps on disk. It is a hint. Without marks the same files are read and compacted rightly,
 * as one partition.
 *
 * <table>
 *   <caption>Bytes of version 1, big-endian as all of HBase's file info</caption>
 *   <tr><th>offset</th><th>size</th><th>meaning</th></tr>
 *   <tr><td>0</td><td>1</td><td>version, 1</td></tr>
 *   <tr><td>1</td><td>4</td><td>length of the first row of the range, −1 for no bound</td></tr>
 *   <tr><td>5</td><td>…</td><td>that row</td></tr>
 *   <tr><td>…</td><td>4</td><td>length of the first row after the range, −1 for no bound</td></tr>
 *   <tr><td>…</td><td>…</td><td>that row</td></tr>
 *   <tr><td>…</td><td>4</td><td>CRC32C of all bytes before</td></tr>
 * </table>
 */
public final class PartitionMark {

  private static final byte VERSION = 1;
  private static final int CHECKSUM_BYTES = 4;
  private static final int BYTES_MIN = 1 + 4 + 4 + CHECKSUM_BYTES;

  private PartitionMark() {}

  /** The bytes for a range. */
  public static byte[] encode(KeyRange range) {
    byte[] from = range.from();
    byte[] to = range.to();
    ByteBuffer out = ByteBuffer.allocate(BYTES_MIN + length(from) + length(to));
    out.put(VERSION);
    put(out, from);
    put(out, to);
    out.putInt(checksum(out.array(), out.position()));
    return out.array();
  }

  /** The range; empty if the bytes are absent, damaged or of a later version. */
  public static Optional<KeyRange> decode(byte @Nullable [] bytes) {
    if (bytes == null || bytes.length < BYTES_MIN || bytes[0] != VERSION) {
      return Optional.empty();
    }
    int end = bytes.length - CHECKSUM_BYTES;
    ByteBuffer in = ByteBuffer.wrap(bytes, 0, end);
    if (ByteBuffer.wrap(bytes).getInt(end) != checksum(bytes, end)) {
      return Optional.empty();
    }
    in.get();
    int fromLength = in.getInt();
    if (fromLength < -1 || fromLength > in.remaining() - 4) {
      return Optional.empty();
    }
    byte[] from = get(in, fromLength);
    int toLength = in.getInt();
    if (toLength < -1 || Math.max(0, toLength) != in.remaining()) {
      return Optional.empty();
    }
    return Optional.of(KeyRange.of(from, get(in, toLength))).filter(range -> !range.isEmpty());
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

  private static byte @Nullable [] get(ByteBuffer in, int length) {
    if (length < 0) {
      return null;
    }
    byte[] row = new byte[length];
    in.get(row);
    return row;
  }

  private static int checksum(byte[] bytes, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, length);
    return (int) crc.getValue();
  }
}
