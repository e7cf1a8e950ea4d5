// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.log;

import io.github.rlsm.base.PartHeader;
import io.github.rlsm.kv.InvalidEntryException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Encodes records. The body and its checksum are built before the record has a place. Once space is
 * reserved, {@link #finish} adds the header, and a {@link RecordWriter} copies the record into the
 * segment.
 *
 * <p>A large value is not copied into the encoder's buffer. The encoder keeps a reference to it,
 * and copies it from there.
 *
 * <p>Threads: one thread at a time; each write has its own encoder.
 */
public final class RecordEncoder {

  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);

  /**
   * Values up to this length are copied next to their key: one copy into the segment instead of
   * two.
   */
  private static final int COPIED_VALUE_MAX = 1024;

  /** Length of the largest batch record. */
  public static final int BATCH_BYTES_MAX = 1 << 30;

  /** A buffer larger than this, which a huge batch needed, is released afterwards. */
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

  /** Bytes of a batch between the start of its body and the first operation. */
  private int batchHead;

  /** Whether {@link #crc} holds exactly the checksum of the body. */
  private boolean crcHoldsBody;

  private final int batchBytesMax;

  /** Creates an encoder that holds no memory yet. */
  public RecordEncoder() {
    this(BATCH_BYTES_MAX);
  }

  /** Creates an encoder with another limit for batches. */
  RecordEncoder(int batchBytesMax) {
    this.batchBytesMax = batchBytesMax;
  }

  /** Begins a put, delete or void record, up to the length of its key. */
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
   * Encodes a put. {@code promise} is the seqno below which everything is durable, or negative for
   * no promise. The value array must not change until the record is written.
   */
  public void put(
      byte[] key, int keyLength, byte[] value, int valueOffset, int valueLength, long promise) {
    beginPut(promise, key, 0, keyLength, valueLength);
    finishPut(value, valueOffset, valueLength);
  }

  /**
   * Encodes a put without a promise. The key is at an offset; the value is at the start of its
   * array.
   */
  void put(byte[] key, int keyOffset, int keyLength, byte[] value, int valueLength) {
    beginPut(-1, key, keyOffset, keyLength, valueLength);
    finishPut(value, 0, valueLength);
  }

  private void beginPut(long promise, byte[] key, int keyOffset, int keyLength, int valueLength) {
    int copied = valueLength <= COPIED_VALUE_MAX ? valueLength : 0;
    beginSingle(RecordLayout.PUT, promise, keyLength, copied);
    System.arraycopy(key, keyOffset, bytes, size, keyLength);
    size += keyLength;
  }

  private void finishPut(byte[] value, int valueOffset, int valueLength) {
    if (valueLength <= COPIED_VALUE_MAX) {
      System.arraycopy(value, valueOffset, bytes, size, valueLength);
      size += valueLength;
    } else {
      this.value = value;
      this.valueOffset = valueOffset;
      this.valueLength = valueLength;
    }
    finishBody();
  }

  /** Encodes a delete; {@code promise} as in {@link #put}. */
  public void delete(byte[] key, int keyLength, long promise) {
    beginSingle(RecordLayout.DELETE, promise, keyLength, 0);
    System.arraycopy(key, 0, bytes, size, keyLength);
    size += keyLength;
    finishBody();
  }

  /**
   * Ensures the memory for {@link #padding}, which is called when a write must not allocate any
   * more.
   */
  public void ensurePadding() {
    size = 0;
    ensure(RecordLayout.PAGE_BYTES);
  }

  /** Encodes a void record of less than a page, which fills the space before a put. */
  public void padding(int units) {
    int rest = units * RecordLayout.UNIT - RecordLayout.HEADER - RecordLayout.KEY_LENGTH;
    beginSingle(RecordLayout.VOID, -1, 1, rest - 1);
    Arrays.fill(bytes, size, size + rest, (byte) 0);
    size += rest;
    finishBody();
  }

  /** Turns the last single record into a void one, or back into a put or delete. */
  public void setVoid(boolean isVoid, boolean isDelete) {
    int kind = isVoid ? RecordLayout.VOID : isDelete ? RecordLayout.DELETE : RecordLayout.PUT;
    kindByte = (kindByte & ~RecordLayout.KIND_MASK) | kind;
  }

  /** Turns the last batch into a void record of the same length. This cannot be undone. */
  public void setBatchVoid() {
    kindByte = (kindByte & ~RecordLayout.KIND_MASK) | RecordLayout.VOID;
    SHORT.set(bytes, RecordLayout.bodyStart(kindByte), (short) 1); // the shortest key length
    finishBody();
  }

  /**
   * Begins a batch; {@code promise} as in {@link #put}.
   *
   * @param header if the batch is a part of a cross-shard batch; otherwise null
   */
  public void beginBatch(int operationCount, long promise, @Nullable PartHeader header) {
    int headerLength = header == null ? 0 : RecordLayout.PartHeaderLayout.length(header);
    batchHead = RecordLayout.batchHead(headerLength);
    begin(RecordLayout.BATCH, promise, batchHead);
    operations = operationCount;
    longestKey = 0;
    INT.set(bytes, size + RecordLayout.COUNT, operationCount);
    INT.set(bytes, size + RecordLayout.PART_HEADER_LENGTH, headerLength);
    if (header != null) {
      Arrays.fill(bytes, size + RecordLayout.BATCH_HEAD, size + batchHead, (byte) 0);
      ByteBuffer to = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
      RecordLayout.PartHeaderLayout.encode(header, to, size + RecordLayout.BATCH_HEAD);
    }
    size += batchHead;
  }

  /**
   * Adds an operation to the batch. The key is {@code keyHead} followed by a slice of
   * {@code source}. A negative value length makes the operation a delete.
   */
  public void addToBatch(
      byte[] keyHead,
      byte[] source,
      int keyOffset,
      int keyLength,
      int valueOffset,
      int valueLength) {
    int keyHeadLength = keyHead.length;
    int valueBytes = Math.max(valueLength, 0);
    longestKey = Math.max(longestKey, keyHeadLength + keyLength);
    int more = RecordLayout.OPERATION_HEAD + keyHeadLength + keyLength + RecordLayout.UNIT;
    ensure((long) more + valueBytes);
    int start = size;
    bytes[start + RecordLayout.OPERATION_KIND] =
        (byte) (valueLength < 0 ? RecordLayout.DELETE : RecordLayout.PUT);
    bytes[start + RecordLayout.OPERATION_ZERO] = 0;
    SHORT.set(
        bytes, start + RecordLayout.OPERATION_KEY_LENGTH, (short) (keyHeadLength + keyLength));
    INT.set(bytes, start + RecordLayout.OPERATION_VALUE_LENGTH, valueBytes);
    size += RecordLayout.OPERATION_HEAD;
    System.arraycopy(keyHead, 0, bytes, size, keyHeadLength);
    System.arraycopy(source, keyOffset, bytes, size + keyHeadLength, keyLength);
    size += keyHeadLength + keyLength;
    if (valueBytes > 0) {
      System.arraycopy(source, valueOffset, bytes, size, valueBytes);
      size += valueBytes;
    }
    crc.reset();
    int checked = start + RecordLayout.CRC_BYTES;
    crc.update(bytes, checked, size - checked);
    INT.set(bytes, start + RecordLayout.CRC, (int) crc.getValue());
    int padded = RecordLayout.align(size);
    Arrays.fill(bytes, size, padded, (byte) 0);
    size = padded;
  }

  /** Finishes the batch. */
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

  /** Returns whether the record is a batch. */
  public boolean isBatch() {
    return (kindByte & RecordLayout.KIND_MASK) == RecordLayout.BATCH;
  }

  /** The number of operations: 1, or the count of the batch. */
  public int operations() {
    return operations;
  }

  /** Length of the record in bytes, without padding. */
  public int length() {
    return size + valueLength;
  }

  /** Length of the record in units, with padding. */
  public int units() {
    return RecordLayout.units(length());
  }

  /** Copies a part of the {@linkplain #finish finished} record into a buffer. */
  void copy(int from, int length, ByteBuffer to, int at) {
    int head = Math.min(Math.max(size - from, 0), length);
    if (head > 0) {
      to.put(at, bytes, from, head);
    }
    if (length > head) {
      to.put(at + head, value, valueOffset + from + head - size, length - head);
    }
  }

  /** Adds the header to the encoded record. It is complete then. */
  void finish(long seqno, int salt) {
    if (!crcHoldsBody) {
      finishBody();
    }
    crcHoldsBody = false;
    // The checksum ends with the salt, in the place where the checksum itself goes, and the header.
    INT.set(bytes, RecordLayout.CRC, salt);
    INT.set(bytes, RecordLayout.LENGTH, length());
    LONG.set(bytes, RecordLayout.SEQNO_AND_KIND, RecordLayout.seqnoAndKind(seqno, kindByte));
    crc.update(bytes, 0, RecordLayout.HEADER);
    INT.set(bytes, RecordLayout.CRC, (int) crc.getValue());
  }

  /** Releases the user's value, and memory that only a huge record needed. Allocates nothing. */
  public void release() {
    value = NONE;
    valueLength = 0;
    if (bytes.length > KEPT_MAX) {
      bytes = NONE;
    }
  }

  /**
   * Bytes of memory that the encoder retains for the next records. Only tests call this method. The
   * array is private, and no other method shows that it was released.
   */
  int heldBytes() {
    return bytes.length;
  }

  /** Length of the longest key in the batch. */
  public int longestKey() {
    return longestKey;
  }

  /** Offset of the first operation of a batch, relative to its record. */
  public int firstOperationOffset() {
    return RecordLayout.bodyStart(kindByte) + batchHead;
  }

  private void ensure(long more) {
    long needed = size + more;
    if (needed > bytes.length) {
      if (needed > batchBytesMax) {
        throw new InvalidEntryException("the batch takes " + needed
            + " bytes or more in the log, including the overhead of each operation; at most "
            + batchBytesMax + " are allowed: split the batch");
      }
      long length = Math.max(needed, Math.max(2L * bytes.length, FIRST_BYTES));
      bytes = Arrays.copyOf(bytes, (int) Math.min(length, batchBytesMax));
    }
  }

  /** The operations of a batch, in the form that an encoder needs. */
  public interface Batch {

    /** Returns the number of operations. */
    int operations();

    /** Returns the total bytes of all keys and values. */
    long bytes();

    /** Adds every operation to the encoder, in order. Returns the length of the longest value. */
    int encode(RecordEncoder encoder);
  }
}
