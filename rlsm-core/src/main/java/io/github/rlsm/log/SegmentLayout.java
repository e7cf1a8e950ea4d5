// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.log;

import io.github.rlsm.io.FileHeader;
import io.github.rlsm.io.FileKind;
import io.github.rlsm.kv.CorruptionException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The head of a segment of either stream; records follow from byte {@value #BYTES} on.
 *
 * <pre>
 * | offset | size | name       | meaning                                                 |
 * |      0 |   32 | file       | the common file header with the file's number           |
 * |     32 |    8 | baseSeqno  | seqno of the generation's first record                  |
 * |     40 |    4 | generation | number of the generation, 1 or more                     |
 * |     44 |    4 | salt       | random; goes into the checksum of each of its records   |
 * |     48 |    4 | crc32c     | of bytes [32, 48)                                       |
 * |     52 |   12 | zero       |                                                         |
 * </pre>
 *
 * <p>A head that is all zeros is that of a segment which was preallocated and not yet put to use.
 * The head lies within one sector, so the device writes it whole or not at all. A write-ahead
 * segment is put to new use by writing a new head over the old one; its file keeps its name. What
 * the segment held before still lies behind the new records; the salt is what keeps it from being
 * taken for records of this generation, even if the head of a generation with the same number and
 * base was lost.
 *
 * @param generation number of the generation
 * @param baseSeqno seqno of the generation's first record
 * @param salt what the checksums of the generation's records are seeded with
 */
record SegmentLayout(int generation, long baseSeqno, int salt) {

  static final int BYTES = 64;
  private static final int BASE_SEQNO = FileHeader.BYTES;
  private static final int GENERATION = BASE_SEQNO + 8;
  static final int SALT = GENERATION + 4;
  private static final int CRC = SALT + 4;

  void write(ByteBuffer segment, FileHeader file) {
    file.encode(segment, 0);
    segment.putLong(BASE_SEQNO, baseSeqno);
    segment.putInt(GENERATION, generation);
    segment.putInt(SALT, salt);
    segment.putInt(CRC, crc(segment));
    segment.putInt(CRC + 4, 0);
    segment.putLong(CRC + 8, 0);
  }

  static boolean isUnused(ByteBuffer segment) {
    for (int i = 0; i < BYTES; i += 8) {
      if (segment.getLong(i) != 0) {
        return false;
      }
    }
    return true;
  }

  /** Reads and checks the head of a segment that is in use. */
  static SegmentLayout read(
      ByteBuffer segment, String file, FileKind kind, long storeId, long number) {
    if (segment.capacity() < BYTES) {
      throw new CorruptionException(file, 0, "only " + segment.capacity() + " bytes long");
    }
    FileHeader.decode(segment, file).expect(file, kind, storeId, number);
    long base = segment.getLong(BASE_SEQNO);
    int generation = segment.getInt(GENERATION);
    if (segment.getInt(CRC) != crc(segment)) {
      throw new CorruptionException(file, BASE_SEQNO, "the segment head fails its checksum");
    }
    if (base < 0 || base > RecordLayout.SEQNO_MASK || generation < 1) {
      throw new CorruptionException(file, BASE_SEQNO, "the segment head holds impossible values");
    }
    return new SegmentLayout(generation, base, salt(segment));
  }

  /** The salt of a segment whose head has been checked. */
  static int salt(ByteBuffer segment) {
    return segment.getInt(SALT);
  }

  private static int crc(ByteBuffer segment) {
    byte[] head = new byte[CRC - BASE_SEQNO];
    segment.get(BASE_SEQNO, head);
    CRC32C crc = new CRC32C();
    crc.update(head);
    return (int) crc.getValue();
  }
}
