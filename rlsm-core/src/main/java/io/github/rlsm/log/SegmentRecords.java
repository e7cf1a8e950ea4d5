// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.log;

import io.github.rlsm.base.ValuePointer;
import io.github.rlsm.io.MappedFile;
import io.github.rlsm.kv.CorruptionException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The puts in a value segment that is in tables, one after the other, each as the pointer that an
 * entry for it would be. Records are checked on the way; those in batches count one by one.
 *
 * <p>Only what the segment's account counts is walked: behind it may lie whole records that a
 * recovery has dropped, at seqnos that others have got since.
 *
 * <p>Threads: one thread at a time.
 */
public final class SegmentRecords {

  private final MappedFile file;
  private final ByteBuffer segment;
  private final int number;
  private final int end;
  private final SegmentScanner scanner;

  /** Operations of the current batch that are still to come. */
  private int operations;

  /** Where the next operation of the current batch begins. */
  private int nextOperation;

  private int location;
  private int keyOffset;
  private int keyLength;

  /**
   * Stands before the first put.
   *
   * @param totalBytes bytes of the records that count
   */
  SegmentRecords(MappedFile file, SegmentLayout head, int number, long totalBytes) {
    this.file = file;
    this.number = number;
    this.end = (int) Math.min(file.length(), SegmentLayout.BYTES + totalBytes);
    // The file may have been cut behind its last record since it was mapped.
    this.segment = file.memory().slice(0, end).order(ByteOrder.LITTLE_ENDIAN);
    this.scanner = new SegmentScanner(file, segment, head.baseSeqno());
  }

  /**
   * Goes to the next put. Returns false behind the last one.
   *
   * @throws CorruptionException if a record is damaged
   */
  public boolean next() {
    while (true) {
      if (operations == 0 && !nextRecord()) {
        return false;
      }
      take();
      if (RecordLayout.entryKind(segment, location) == RecordLayout.PUT) {
        return true;
      }
    }
  }

  /** Goes to the next record that has entries, and stands before the first of them. */
  private boolean nextRecord() {
    if (nextOperation > 0) {
      scanner.next();
    }
    while (scanner.offset() < end) {
      if (!scanner.isValid()) {
        throw new CorruptionException(
            file.name(), scanner.offset(), "no valid record where the segment has one");
      }
      int body = scanner.offset()
          + RecordLayout.bodyStart(RecordLayout.kindByte(segment, scanner.offset()));
      boolean batch = scanner.kind() == RecordLayout.BATCH;
      operations = batch ? segment.getInt(body) : scanner.kind() == RecordLayout.VOID ? 0 : 1;
      nextOperation = batch ? body + RecordLayout.BATCH_HEAD : scanner.offset();
      if (operations > 0) {
        return true;
      }
      scanner.next();
    }
    nextOperation = 0;
    return false;
  }

  private void take() {
    boolean batch = scanner.kind() == RecordLayout.BATCH;
    location = RecordLayout.location(true, batch, nextOperation);
    keyOffset = RecordLayout.keyOffset(segment, location);
    keyLength = RecordLayout.keyLength(segment, location, keyOffset);
    if (batch) {
      nextOperation = RecordLayout.nextOperation(segment, nextOperation);
    }
    operations--;
  }

  /** The segment's bytes: key and value lie in them. */
  public ByteBuffer buffer() {
    return segment;
  }

  /** Where the internal key begins. */
  public int keyOffset() {
    return keyOffset;
  }

  /** Bytes of the internal key. */
  public int keyLength() {
    return keyLength;
  }

  /** Where the value begins. */
  public int valueOffset() {
    return keyOffset + keyLength;
  }

  /** The pointer to this put. */
  public ValuePointer pointer() {
    return ValuePointer.of(
        number,
        RecordLayout.offset(location),
        RecordLayout.inBatch(location),
        RecordLayout.valueLength(segment, location, keyOffset, keyLength));
  }

  /** Bytes of records that were walked over. */
  public long walkedBytes() {
    return (long) scanner.offset() - SegmentLayout.BYTES;
  }
}
