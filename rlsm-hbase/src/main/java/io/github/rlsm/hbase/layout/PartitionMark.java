// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.layout;

import io.github.rlsm.base.KeyRange;
import java.nio.ByteBuffer;
import java.util.Optional;
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
  private static final int BYTES_MIN = 1 + StoredRange.BYTES_MIN + StoredRange.CHECKSUM_BYTES;

  private PartitionMark() {}

  /** The bytes for a range. */
  public static byte[] encode(KeyRange range) {
    int bytes = 1 + StoredRange.bytes(range) + StoredRange.CHECKSUM_BYTES;
    ByteBuffer out = ByteBuffer.allocate(bytes).put(VERSION);
    StoredRange.put(out, range);
    out.putInt(StoredRange.checksum(out.array(), out.position()));
    return out.array();
  }

  /** The range; empty if the bytes are absent, damaged or of a later version. */
  public static Optional<KeyRange> decode(byte @Nullable [] bytes) {
    if (bytes == null || bytes.length < BYTES_MIN || bytes[0] != VERSION) {
      return Optional.empty();
    }
    int end = bytes.length - StoredRange.CHECKSUM_BYTES;
    if (ByteBuffer.wrap(bytes).getInt(end) != StoredRange.checksum(bytes, end)) {
      return Optional.empty();
    }
    ByteBuffer in = ByteBuffer.wrap(bytes, 1, end - 1);
    KeyRange range = StoredRange.get(in);
    return in.hasRemaining() ? Optional.empty() : Optional.ofNullable(range);
  }
}
