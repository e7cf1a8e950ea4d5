// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.log;

import io.github.rlsm.base.ValuePointer;
import io.github.rlsm.io.FileHeader;
import io.github.rlsm.io.MappedFaults;
import io.github.rlsm.io.MappedFile;
import io.github.rlsm.io.StoreDirectory;
import io.github.rlsm.io.StoreFileName;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A value segment for values that are moved out of others. It belongs to no generation: its records
 * are found through tables only.
 *
 * <p>First places are reserved, in the order in which the values are to stand; then the file is
 * {@linkplain #create made}, as long as that takes, and filled in any order. Nothing may point to
 * it before it is {@linkplain #finish finished}.
 *
 * <p>Threads: one thread at a time.
 */
public final class MovedSegment {

  private final StoreDirectory directory;
  private final int number;
  private final SegmentLayout head;
  private final FileHeader header;
  private final int bytesMax;
  private final RecordEncoder encoder = new RecordEncoder();
  private int end = SegmentLayout.BYTES;
  private @Nullable MappedFile file;

  MovedSegment(
      StoreDirectory directory, int number, SegmentLayout head, FileHeader header, int bytesMax) {
    this.directory = directory;
    this.number = number;
    this.head = head;
    this.header = header;
    this.bytesMax = bytesMax;
  }

  /** The segment's number. */
  public int number() {
    return number;
  }

  /** Bytes of records that places are reserved for. */
  public long recordBytes() {
    return (long) end - SegmentLayout.BYTES;
  }

  /** Whether it is as long as segments get, given that such a record comes next. */
  public boolean isFull(int keyLength, int valueLength) {
    return end > SegmentLayout.BYTES && end + recordLength(keyLength, valueLength) > bytesMax;
  }

  private static long recordLength(int keyLength, int valueLength) {
    int head = RecordLayout.HEADER + RecordLayout.KEY_LENGTH;
    return ((long) head + keyLength + valueLength + RecordLayout.UNIT - 1) & -RecordLayout.UNIT;
  }

  /** Reserves the next place. Returns what points to it, once this is finished. */
  public ValuePointer reserve(int keyLength, int valueLength) {
    ValuePointer pointer = ValuePointer.of(number, end, false, valueLength);
    end = Math.toIntExact(end + recordLength(keyLength, valueLength));
    return pointer;
  }

  /** Makes the file; no further places may be reserved. */
  public void create() {
    MappedFile made = directory.createMapped(StoreFileName.valueLog(number), end);
    file = made;
    head.write(made.memory(), header);
  }

  /**
   * Fills a place with a put.
   *
   * @param offset of the place
   * @param seqno the seqno it has had since it was written
   * @param key array with the internal key
   * @param value array that begins with the value
   */
  public void put(
      int offset,
      long seqno,
      byte[] key,
      int keyOffset,
      int keyLength,
      byte[] value,
      int valueLength) {
    encoder.put(key, keyOffset, keyLength, value, valueLength);
    ByteBuffer memory = Objects.requireNonNull(file).memory();
    encoder.store(memory, offset, seqno, head.salt());
    encoder.release();
  }

  /**
   * Makes all of it durable.
   *
   * @param staysInMemory whether it is to stay in memory as long as there is room; else that is
   *     given back
   */
  public void finish(boolean staysInMemory) {
    MappedFile filled = Objects.requireNonNull(file);
    MappedFaults.check();
    filled.force(0, end);
    if (!staysInMemory) {
      filled.forget();
    }
    filled.close();
  }

  /** Deletes the file, finished or not, if it was made: nothing points to it. */
  public void delete() {
    if (file != null) {
      file.close();
      directory.delete(file.name());
    }
  }
}
