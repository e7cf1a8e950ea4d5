// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.log;

import io.github.rlsm.base.PartMark;
import io.github.rlsm.kv.InvalidEntryException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Builds one record after another: first the body, whose checksum is taken while the record has no
 * place yet, then, once space is reserved, the header and the bytes into the segment.
 *
 * <p>A large value is not copied in between: it is remembered and goes straight into the segment.
 *
 * <p>Threads: one thread at a time; every writing thread keeps its own.
 */
public final class RecordEncoder {

  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);

  /**
   * Values up to this long are copied beside their key: one copy into the segment instead of two.
   */
  private static final int COPIED_VALUE_MAX = 1024;

  /** Longest batch, in bytes of its record. */
  public static final int BATCH_BYTES_MAX = 1 << 30;

  /** A buffer that a rare huge batch made grow past this is dropped afterwards. */
  private static final int KEPT_MAX = 1 << 20;

  private static final int FIRST_BYTES = 4096;

  private static final byte[] NONE = {};

  private final CRC32C crc = new CRC32C();
  private byte[] bytes = NONE;
  private int size;
  private byte[] value = NONE;
  private int valueOffset;
  private int valueLength;
  private int kindByte;
  private int operations;
  private int longestKey;

  /** Bytes of a batch between the body's beginning and the first operation. */
  private int batchHead;

  /** Whether {@link #crc} holds the checksum of the body and nothing else. */
  private boolean crcHoldsBody;

  private final int batchBytesMax;

  /** An encoder that holds no memory yet. */
  public RecordEncoder() {
    this(BATCH_BYTES_MAX);
  }

  /** An encoder with another limit for batches. */
  RecordEncoder(int batchBytesMax) {
    this.batchBytesMax = batchBytesMax;
  }

  /** Begins a put, delete or void record with its key, whose first bytes are {@code prefix}. */
  private void beginSingle(int kind, long promise, int keyLength, int extra) {
    begin(kind, promise, RecordLayout.KEY_LENGTH + keyLength + extra);
    SHORT.set(bytes, size, (short) keyLength);
    size += RecordLayout.KEY_LENGTH;
  }

  private void begin(int kind, long promise, int extra) {
    kindByte = promise < 0 ? kind : kind | RecordLayout.PROMISE_FLAG;
    size = RecordLayout.HEADER;
    value = NONE;
    valueOffset = 0;
    valueLength = 0;
    operations = 1;
    ensure(RecordLayout.PROMISE + extra);
    if (promise >= 0) {
      LONG.set(bytes, size, promise);
      size += RecordLayout.PROMISE;
    }
  }

  /**
   * Builds a put. {@code promise} is the seqno below which all is durable, or negative for none.
   * The value array must stay unchanged until {@link #store}.
   */
  public void put(
      byte[] key, int keyLength, byte[] value, int valueOffset, int valueLength, long promise) {
    put(key, 0, keyLength, value, valueOffset, valueLength, promise);
  }

  /** As above, with the key at an offset. */
  private void put(
      byte[] key,
      int keyOffset,
      int keyLength,
      byte[] value,
      int valueOffset,
      int valueLength,
      long promise) {
    boolean copy = valueLength <= COPIED_VALUE_MAX;
    beginSingle(RecordLayout.PUT, promise, keyLength, copy ? valueLength : 0);
    System.arraycopy(key, keyOffset, bytes, size, keyLength);
    size += keyLength;
    if (copy) {
      System.arraycopy(value, valueOffset, bytes, size, valueLength);
      size += valueLength;
    } else {
      this.value = value;
      this.valueOffset = valueOffset;
      this.valueLength = valueLength;
    }
    finishBody();
  }

  /** Builds a put that promises nothing, of a key at an offset and the head of an array. */
  void put(byte[] key, int keyOffset, int keyLength, byte[] value, int valueLength) {
    put(key, keyOffset, keyLength, value, 0, valueLength, -1);
  }

  /** Builds a delete; {@code promise} as in {@link #put}. */
  public void delete(byte[] key, int keyLength, long promise) {
    beginSingle(RecordLayout.DELETE, promise, keyLength, 0);
    System.arraycopy(key, 0, bytes, size, keyLength);
    size += keyLength;
    finishBody();
  }

  /** Turns the single record built last into a void one, or back into what it was. */
  public void setVoid(boolean isVoid, boolean isDelete) {
    int kind = isVoid ? RecordLayout.VOID : isDelete ? RecordLayout.DELETE : RecordLayout.PUT;
    kindByte = (kindByte & ~RecordLayout.KIND_MASK) | kind;
  }

  /** Turns the batch built last into a void record that takes the same units. For good. */
  public void setBatchVoid() {
    kindByte = (kindByte & ~RecordLayout.KIND_MASK) | RecordLayout.VOID;
    SHORT.set(bytes, RecordLayout.bodyStart(kindByte), (short) 1); // no key is shorter
    finishBody();
  }

  /** Begins a batch that is no part of another; {@code promise} as in {@link #put}. */
  public void beginBatch(int operationCount, long promise) {
    beginBatch(operationCount, promise, null);
  }

  /**
   * Begins a batch; {@code promise} as in {@link #put}.
   *
   * @param mark of what batch over several stores it is a part; null for none
   */
  public void beginBatch(int operationCount, long promise, @Nullable PartMark mark) {
    int markLength = mark == null ? 0 : MarkLayout.length(mark);
    batchHead = RecordLayout.batchHead(markLength);
    begin(RecordLayout.BATCH, promise, batchHead);
    operations = operationCount;
    longestKey = 0;
    INT.set(bytes, size, operationCount);
    INT.set(bytes, size + 4, markLength);
    if (mark != null) {
      Arrays.fill(bytes, size + RecordLayout.BATCH_HEAD, size + batchHead, (byte) 0);
      ByteBuffer to = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
      MarkLayout.encode(mark, to, size + RecordLayout.BATCH_HEAD);
    }
    size += batchHead;
  }

  /**
   * Adds an operation to the batch; the key is {@code keyHead[0, keyHeadLength)} followed by a
   * slice of {@code source}. A negative value length makes it a delete.
   */
  public void addToBatch(
      byte[] keyHead,
      int keyHeadLength,
      byte[] source,
      int keyOffset,
      int keyLength,
      int valueOffset,
      int valueLength) {
    int valueBytes = Math.max(valueLength, 0);
    longestKey = Math.max(longestKey, keyHeadLength + keyLength);
    int more = RecordLayout.OPERATION_HEAD + keyHeadLength + keyLength + RecordLayout.UNIT;
    ensure((long) more + valueBytes);
    int start = size;
    bytes[start + 4] = (byte) (valueLength < 0 ? RecordLayout.DELETE : RecordLayout.PUT);
    bytes[start + 5] = 0;
    SHORT.set(bytes, start + 6, (short) (keyHeadLength + keyLength));
    INT.set(bytes, start + 8, valueBytes);
    size += RecordLayout.OPERATION_HEAD;
    System.arraycopy(keyHead, 0, bytes, size, keyHeadLength);
    System.arraycopy(source, keyOffset, bytes, size + keyHeadLength, keyLength);
    size += keyHeadLength + keyLength;
    if (valueBytes > 0) {
      System.arraycopy(source, valueOffset, bytes, size, valueBytes);
      size += valueBytes;
    }
    crc.reset();
    crc.update(bytes, start + 4, size - start - 4);
    INT.set(bytes, start, (int) crc.getValue());
    int padded = RecordLayout.align(size);
    Arrays.fill(bytes, size, padded, (byte) 0);
    size = padded;
  }

  /** Ends the batch. */
  public void finishBatch() {
    finishBody();
  }

  private void finishBody() {
    crc.reset();
    crc.update(bytes, RecordLayout.HEADER, size - RecordLayout.HEADER);
    if (valueLength > 0) {
      crc.update(value, valueOffset, valueLength);
    }
    crcHoldsBody = true;
  }

  /** Operations in the record: 1, or the batch's count. */
  public int operations() {
    return operations;
  }

  /** Bytes of the record without padding. */
  public int length() {
    return size + valueLength;
  }

  /** Units the record takes. */
  public int units() {
    return RecordLayout.units(length());
  }

  /** Writes the record to where it was reserved in {@code generation}. */
  public void store(LogGeneration generation, boolean inValueLog, long reservation) {
    ByteBuffer segment = generation.segment(inValueLog);
    int offset = LogGeneration.offset(reservation, inValueLog);
    store(segment, offset, generation.seqno(reservation), generation.salt());
  }

  /** Writes the record to an offset of a segment with that salt. */
  void store(ByteBuffer segment, int offset, long seqno, int salt) {
    writeHeader(seqno, salt);
    segment.put(offset, bytes, 0, size);
    if (valueLength > 0) {
      segment.put(offset + size, value, valueOffset, valueLength);
    }
  }

  private void writeHeader(long seqno, int salt) {
    if (!crcHoldsBody) {
      finishBody();
    }
    crcHoldsBody = false;
    INT.set(bytes, 0, salt);
    INT.set(bytes, 4, length());
    LONG.set(bytes, 8, RecordLayout.seqnoAndKind(seqno, kindByte));
    crc.update(bytes, 0, RecordLayout.HEADER);
    INT.set(bytes, 0, (int) crc.getValue());
  }

  /** Drops the user's value, and memory that only a huge record needed. Allocates nothing. */
  public void release() {
    value = NONE;
    valueLength = 0;
    if (bytes.length > KEPT_MAX) {
      bytes = NONE;
    }
  }

  /** Bytes of memory that it keeps for the next records. */
  public int heldBytes() {
    return bytes.length;
  }

  /** Bytes of the longest key in the batch. */
  public int longestKey() {
    return longestKey;
  }

  /** Where the entries of a batch begin, relative to the record. */
  public int firstOperationOffset() {
    return RecordLayout.bodyStart(kindByte) + batchHead;
  }

  private void ensure(long more) {
    long needed = size + more;
    if (needed > bytes.length) {
      if (needed > batchBytesMax) {
        throw new InvalidEntryException("a batch that takes " + needed
            + " bytes or more in the log, which adds some to each operation; at most "
            + batchBytesMax + " are allowed");
      }
      long length = Math.max(needed, Math.max(2L * bytes.length, FIRST_BYTES));
      bytes = Arrays.copyOf(bytes, (int) Math.min(length, batchBytesMax));
    }
  }
}
