// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.log;

import io.github.rlsm.base.LittleEndian;
import io.github.rlsm.base.PartHeader;
import io.github.rlsm.io.MappedChecksum;
import io.github.rlsm.io.MappedFile;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * An iterator over the valid records of one stream's segment. A record is valid if its length is
 * within the segment, its seqno is possible for the generation and ascending, and its checksum
 * matches. The scanner does not judge why the records end: {@link LogRecovery} does, from both
 * streams together. It may continue the scan after damage.
 *
 * <p>Threads: one thread at a time.
 */
final class SegmentScanner {

  private static final int RECORD_MIN = RecordLayout.HEADER + RecordLayout.KEY_LENGTH;

  /** An upper bound for the seqnos of a generation: two segments of the largest mappable length. */
  private static final long SEQNOS_MAX = 2L * Integer.MAX_VALUE / RecordLayout.UNIT + 2;

  private final MappedFile file;
  private final ByteBuffer segment;
  private final CRC32C crc = new CRC32C();
  private final byte[] salt = new byte[4];
  private final long seqnoEnd;
  private long seqnoMin;
  private int offset = SegmentLayout.BYTES;
  private int length;
  private boolean valid;

  /** Creates a scanner at the first record, if that is valid. */
  SegmentScanner(MappedFile file, long baseSeqno) {
    this(file, file.memory(), baseSeqno);
  }

  /** Like the other constructor, for a prefix of the file's memory. */
  SegmentScanner(MappedFile file, ByteBuffer segment, long baseSeqno) {
    this.file = file;
    this.segment = segment;
    segment.get(SegmentLayout.SALT, salt);
    this.seqnoMin = baseSeqno;
    this.seqnoEnd = baseSeqno + SEQNOS_MAX;
    check();
  }

  /** Returns whether the scanner is at a valid record. */
  boolean isValid() {
    return valid;
  }

  /** Returns whether the scanner is at bytes that are not a valid record, but not all zeros. */
  boolean isDamaged() {
    return !valid
        && offset <= segment.capacity() - RECORD_MIN
        && (segment.getLong(offset) != 0 || segment.getLong(offset + Long.BYTES) != 0);
  }

  /** Moves to the next record. */
  void next() {
    seqnoMin = seqno() + units();
    offset += units() * RecordLayout.UNIT;
    check();
  }

  /**
   * Moves from an invalid position to the next valid record. Returns whether there is one.
   *
   * <p>Values may be forged to look like headers of long records. So the search ends once it has
   * read as many bytes without success as the segment has.
   */
  boolean findNext() {
    long readInVain = 0;
    while (!valid
        && offset <= segment.capacity() - RECORD_MIN
        && readInVain <= segment.capacity()) {
      offset += RecordLayout.UNIT;
      valid = hasPlausibleHeader();
      if (valid) {
        readInVain += length;
        valid = hasRightChecksum() && hasSoundBody();
      }
    }
    return valid;
  }

  MappedFile file() {
    return file;
  }

  /** Offset of the current record; the end of the valid records if there is no current one. */
  int offset() {
    return offset;
  }

  long seqno() {
    return RecordLayout.seqno(segment, offset);
  }

  int units() {
    return RecordLayout.units(length);
  }

  int kind() {
    return RecordLayout.kindByte(segment, offset) & RecordLayout.KIND_MASK;
  }

  /** Returns the offset of the first operation of the current batch. */
  int firstOperation() {
    int body = offset + RecordLayout.bodyStart(RecordLayout.kindByte(segment, offset));
    return body
        + RecordLayout.batchHead(
            LittleEndian.getMappedInt(segment, body + RecordLayout.PART_HEADER_LENGTH));
  }

  /**
   * Returns the part header of the current batch; null if it is not part of a cross-shard batch.
   */
  @Nullable
  PartHeader partHeader() {
    int body = offset + RecordLayout.bodyStart(RecordLayout.kindByte(segment, offset));
    return LittleEndian.getMappedInt(segment, body + RecordLayout.PART_HEADER_LENGTH) == 0
        ? null
        : RecordLayout.PartHeaderLayout.decode(segment, body + RecordLayout.BATCH_HEAD);
  }

  /**
   * Returns the seqno below which everything was durable before this record; 0 if the record has no
   * promise.
   */
  long promise() {
    return (RecordLayout.kindByte(segment, offset) & RecordLayout.PROMISE_FLAG) == 0
        ? 0
        : segment.getLong(offset + RecordLayout.HEADER);
  }

  private void check() {
    valid = hasPlausibleHeader() && hasRightChecksum() && hasSoundBody();
  }

  private boolean hasPlausibleHeader() {
    if (segment.capacity() - offset < RECORD_MIN) {
      return false;
    }
    length = RecordLayout.length(segment, offset);
    return length >= RECORD_MIN
        && length <= segment.capacity() - offset
        && RecordLayout.align(length) <= segment.capacity() - offset
        && seqno() >= seqnoMin
        && seqno() < seqnoEnd;
  }

  private boolean hasRightChecksum() {
    crc.reset();
    update(offset + RecordLayout.HEADER, offset + length);
    crc.update(salt);
    update(offset + RecordLayout.CRC_BYTES, offset + RecordLayout.HEADER);
    return RecordLayout.checksum(segment, offset) == (int) crc.getValue();
  }

  private void update(int from, int to) {
    MappedChecksum.update(crc, segment, from, to - from);
  }

  /**
   * Returns whether the lengths are consistent. A checksum does not protect against a faulty
   * writer.
   */
  private boolean hasSoundBody() {
    int kindByte = RecordLayout.kindByte(segment, offset);
    int kind = kindByte & RecordLayout.KIND_MASK;
    int body = RecordLayout.bodyStart(kindByte);
    if ((kindByte & ~(RecordLayout.KIND_MASK | RecordLayout.PROMISE_FLAG)) != 0) {
      return false;
    }
    if (kind == RecordLayout.BATCH) {
      return length >= body + RecordLayout.BATCH_HEAD && hasSoundOperations(body);
    }
    if (kind < RecordLayout.PUT || kind > RecordLayout.VOID) {
      return false;
    }
    int keyLength =
        length < body + RecordLayout.KEY_LENGTH ? 0 : segment.getShort(offset + body) & 0xFFFF;
    int rest = length - body - RecordLayout.KEY_LENGTH - keyLength;
    return keyLength > 0 && rest >= 0 && (kind != RecordLayout.DELETE || rest == 0);
  }

  private boolean hasSoundOperations(int body) {
    int count = LittleEndian.getMappedInt(segment, offset + body + RecordLayout.COUNT);
    int headerLength =
        LittleEndian.getMappedInt(segment, offset + body + RecordLayout.PART_HEADER_LENGTH);
    int header = body + RecordLayout.BATCH_HEAD;
    boolean isSound = headerLength == 0
        || (headerLength > 0
            && headerLength <= length - header
            && RecordLayout.PartHeaderLayout.isSound(segment, offset + header, headerLength));
    if (!isSound) {
      return false;
    }
    int at = body + RecordLayout.batchHead(headerLength);
    for (int i = 0; i < count; i++) {
      if (length - at < RecordLayout.OPERATION_HEAD) {
        return false;
      }
      int kind = RecordLayout.operationKind(segment, offset + at);
      int keyLength = RecordLayout.operationKeyLength(segment, offset + at);
      int valueLength = RecordLayout.operationValueLength(segment, offset + at);
      long end = (long) at + RecordLayout.OPERATION_HEAD + keyLength + valueLength;
      boolean known = kind == RecordLayout.PUT || (kind == RecordLayout.DELETE && valueLength == 0);
      if (!known || keyLength == 0 || valueLength < 0 || end > length) {
        return false;
      }
      at = RecordLayout.align((int) end);
    }
    return count >= 0 && at == RecordLayout.align(length);
  }
}
