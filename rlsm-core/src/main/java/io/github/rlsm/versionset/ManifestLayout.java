// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.versionset;

import io.github.rlsm.io.RecordFrame;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The byte layout of a record of the manifest (little-endian; FORMAT.md, "Manifest"): a
 * {@link RecordFrame} without salt. The records follow the file header without gaps.
 *
 * <pre>
 * | offset | size | type | name    | meaning, valid range                                     |
 * |      0 |    4 | u32  | crc32c  | CRC32C of bytes 4 to 8+length-1                          |
 * |      4 |    4 | u32  | length  | bytes that follow, 9 or more                             |
 * |      8 |    1 | u8   | format  | encoding of the changes, 1                               |
 * |      9 |    8 | u64  | number  | 0 for the file's first record, then one more each        |
 * |     17 |    … |      | changes | a version edit; if empty, an end record: earlier         |
 * |        |      |      |         | records are complete                                     |
 * </pre>
 *
 * <p>DO NOT CHANGE: these bytes are on disk. A new layout gets a new format version. FORMAT.md:
 * "Manifest".
 */
final class ManifestLayout {

  /** The encoding of the changes: FORMAT.md, "Version edit". */
  private static final int FORMAT = 1;

  /** The frame of the records. */
  static final RecordFrame RECORDS = new RecordFrame(FORMAT, 0, new byte[0]);

  /** Offset of the changes in a record; also the length of the shortest record. */
  static final int CHANGES_OFFSET = RecordFrame.CONTENT_OFFSET;

  private ManifestLayout() {}

  /** Length of a record with {@code changesBytes} bytes of changes. */
  static int recordBytes(int changesBytes) {
    return Math.addExact(CHANGES_OFFSET, changesBytes);
  }

  /** Writes a record at the buffer's position and advances the position to its end. */
  static void put(ByteBuffer out, long number, byte[] changes) {
    ByteBuffer record =
        out.slice(out.position(), recordBytes(changes.length)).order(ByteOrder.LITTLE_ENDIAN);
    record.put(CHANGES_OFFSET, changes);
    RECORDS.seal(record, number);
    out.position(out.position() + record.capacity());
  }
}
