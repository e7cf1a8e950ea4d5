// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.log;

import io.github.rlsm.base.ValuePointer;
import io.github.rlsm.io.AppendFile;
import io.github.rlsm.io.FileHeader;
import io.github.rlsm.io.StoreDirectory;
import io.github.rlsm.io.StoreFileName;
import java.nio.ByteBuffer;

/**
 * A value segment being filled with values that are moved out of others. It belongs to no
 * generation: its records are found through tables only.
 *
 * <p>Nothing may point to it before it is {@linkplain #finish finished}.
 *
 * <p>Threads: one thread at a time.
 */
public final class MovedSegment {

  private static final int BUFFER_BYTES = 256 << 10;

  private final StoreDirectory directory;
  private final int number;
  private final int salt;
  private final int bytesMax;
  private final AppendFile file;
  private final RecordEncoder encoder = new RecordEncoder();
  private ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
  private int offset = SegmentLayout.BYTES;

  MovedSegment(
      StoreDirectory directory, int number, SegmentLayout head, FileHeader header, int bytesMax) {
    this.directory = directory;
    this.number = number;
    this.salt = head.salt();
    this.bytesMax = bytesMax;
    this.file = directory.create(StoreFileName.valueLog(number));
    buffer.put(head.encode(header));
  }

  /** The segment's number. */
  public int number() {
    return number;
  }

  /** Bytes of records so far. */
  public long recordBytes() {
    return (long) offset - SegmentLayout.BYTES;
  }

  /** Whether it is as long as segments get. */
  public boolean isFull() {
    return offset >= bytesMax;
  }

  /**
   * Appends a put.
   *
   * @param seqno the seqno it has had since it was written
   * @param key array with the internal key
   * @param value array that begins with the value
   * @return what points to it, once this is finished
   */
  public ValuePointer append(
      long seqno, byte[] key, int keyOffset, int keyLength, byte[] value, int valueLength) {
    encoder.put(key, keyOffset, keyLength, value, valueLength);
    int length = encoder.units() * RecordLayout.UNIT;
    if (buffer.remaining() < length) {
      write();
      if (buffer.capacity() < length) {
        buffer = ByteBuffer.allocate(length);
      }
    }
    encoder.append(seqno, salt, buffer);
    encoder.release();
    ValuePointer pointer = ValuePointer.of(number, offset, false, valueLength);
    offset += length;
    return pointer;
  }

  private void write() {
    file.append(buffer.flip());
    buffer.clear();
  }

  /** Makes all of it durable. */
  public void finish() {
    write();
    file.force();
    file.close();
  }

  /** Deletes it, finished or not: nothing points to it. */
  public void delete() {
    file.close();
    directory.delete(file.name());
  }
}
