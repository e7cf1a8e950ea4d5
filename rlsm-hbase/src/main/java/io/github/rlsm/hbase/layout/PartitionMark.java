// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.layout;

import io.github.rlsm.base.KeyRange;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The row range that a file was written for, stored in the file's own metadata. It is the only
 * state on disk from which partitions are derived, and it is a hint. Without marks, the same files
 * are read and compacted correctly as one partition.
 *
 * <table>
 *   <caption>Bytes of version 1, big-endian like all of HBase's file info</caption>
 *   <tr><th>offset</th><th>size</th><th>meaning</th></tr>
 *   <tr><td>0</td><td>1</td><td>version, 1</td></tr>
 *   <tr><td>1</td><td>4</td><td>length of the first row of the range, −1 for no bound</td></tr>
 *   <tr><td>5</td><td>…</td><td>that row</td></tr>
 *   <tr><td>…</td><td>4</td><td>length of the first row after the range, −1 for no bound</td></tr>
 *   <tr><td>…</td><td>…</td><td>that row</td></tr>
 *   <tr><td>…</td><td>4</td><td>CRC32C of all bytes before</td></tr>
 * </table>
 *
 * <p>DO NOT CHANGE: these bytes are in stored files. A new layout gets a new version.
 */
public final class PartitionMark {

  private static final byte VERSION = 1;

  private PartitionMark() {}

  /** Encodes a range. */
  public static byte[] encode(KeyRange range) {
    ByteBuffer out = StoredMark.begin(VERSION, StoredRange.bytes(range));
    StoredRange.put(out, range);
    return StoredMark.end(out);
  }

  /** Decodes a range; empty if the bytes are absent, damaged or of another version. */
  public static Optional<KeyRange> decode(byte @Nullable [] bytes) {
    ByteBuffer in = StoredMark.content(bytes, VERSION, StoredRange.BYTES_MIN);
    if (in == null) {
      return Optional.empty();
    }
    KeyRange range = StoredRange.get(in);
    return in.hasRemaining() ? Optional.empty() : Optional.ofNullable(range);
  }
}
