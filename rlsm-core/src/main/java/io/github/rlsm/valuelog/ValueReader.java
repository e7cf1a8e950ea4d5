// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.valuelog;

import io.github.rlsm.base.LittleEndian;
import io.github.rlsm.base.ValuePointer;
import io.github.rlsm.io.MappedFile;
import io.github.rlsm.io.MappedFile.Advice;
import io.github.rlsm.kv.CorruptionException;
import io.github.rlsm.log.RecordLayout;
import io.github.rlsm.log.SegmentLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.function.IntFunction;
import java.util.zip.CRC32C;

/**
 * Reads values out of the value log. Each read verifies that the record is the expected one
 * (WiscKey section 3.3.3). The record must lie in its segment, hold the key and a value of the
 * pointer's length, and pass its checksum.
 *
 * <p>Threads: one thread at a time; each read has its own instance.
 */
public final class ValueReader {

  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private static final IntFunction<byte[]> NEW_ARRAY = byte[]::new;
  private static final int SCRATCH_MAX = 64 << 10;

  /** Bytes before a copied record: the checksum is read by a load that begins before it. */
  private static final int COPY_START = 8;

  private static final int COPY_MIN = 4 << 10;

  private final CRC32C crc = new CRC32C();
  private byte[] head = new byte[512];
  private byte[] scratch = new byte[0];
  private boolean cold;

  /** The buffer that contains the record: its segment, or {@link #copy}. */
  private ByteBuffer bytes = ByteBuffer.allocate(0);

  /** The record's offset in {@link #bytes}. */
  private int start;

  private ByteBuffer copy = ByteBuffer.allocate(0);

  /** The part of {@link #copy} from {@link #COPY_START} on. */
  private ByteBuffer record = copy;

  /**
   * Sets whether the following values are probably not in memory. Their records are then copied out
   * of the file by system calls, see {@link MappedFile#read}. False in a new reader.
   */
  public void setCold(boolean cold) {
    this.cold = cold;
  }

  /**
   * Returns the value that a pointer points to, in a new array.
   *
   * @param key buffer with the internal key that the record must hold
   * @throws CorruptionException if the record does not match the pointer
   */
  public byte[] read(ValueLog log, ValuePointer pointer, byte[] key, int keyOffset, int keyLength) {
    return read(log, pointer, key, keyOffset, keyLength, NEW_ARRAY);
  }

  /**
   * Copies as much of a value as fits into the destination, and returns the length of the value.
   * Otherwise like {@link #read(ValueLog, ValuePointer, byte[], int, int)}, but allocates no array
   * for a value of ordinary length. If this method throws, the destination's position is unchanged,
   * but bytes after the position may have been overwritten.
   */
  public int read(
      ValueLog log,
      ValuePointer pointer,
      byte[] key,
      int keyOffset,
      int keyLength,
      ByteBuffer destination) {
    int length = pointer.valueLength();
    if (destination.hasArray() && length <= destination.remaining()) {
      MappedFile file = log.segment(pointer);
      int headLength = readHead(file, pointer, key, keyOffset, keyLength);
      int position = destination.position();
      int at = destination.arrayOffset() + position;
      readValue(file, pointer, headLength, destination.array(), at);
      destination.position(position + length);
      return length;
    }
    byte[] value = read(log, pointer, key, keyOffset, keyLength, this::scratch);
    destination.put(value, 0, Math.min(length, destination.remaining()));
    return length;
  }

  /**
   * Reads a value into the start of an array that the next read may reuse. Otherwise like
   * {@link #read(ValueLog, ValuePointer, byte[], int, int)}.
   */
  public byte[] readShared(
      ValueLog log, ValuePointer pointer, byte[] key, int keyOffset, int keyLength) {
    return read(log, pointer, key, keyOffset, keyLength, this::scratch);
  }

  private byte[] scratch(int length) {
    if (length > SCRATCH_MAX) {
      return new byte[length];
    }
    if (length > scratch.length) {
      scratch = new byte[Math.min(SCRATCH_MAX, 2 * length)];
    }
    return scratch;
  }

  private byte[] read(
      ValueLog log,
      ValuePointer pointer,
      byte[] key,
      int keyOffset,
      int keyLength,
      IntFunction<byte[]> room) {
    MappedFile file = log.segment(pointer);
    int headLength = readHead(file, pointer, key, keyOffset, keyLength);
    byte[] value = room.apply(pointer.valueLength());
    readValue(file, pointer, headLength, value, 0);
    return value;
  }

  /** Reads the bytes before the value, and verifies the key. Returns their number. */
  private int readHead(
      MappedFile file, ValuePointer pointer, byte[] key, int keyOffset, int keyLength) {
    findRecord(file, pointer, keyLength);
    int length = checkedHeadLength(file, pointer, keyLength);
    if (length > head.length) {
      head = new byte[length];
    }
    bytes.get(start, head, 0, length);
    if (!Arrays.equals(head, length - keyLength, length, key, keyOffset, keyOffset + keyLength)) {
      throw damage(file, pointer, "the record holds another key");
    }
    return length;
  }

  /** Finds the record in its segment, or copies it if values are cold. */
  private void findRecord(MappedFile file, ValuePointer pointer, int keyLength) {
    bytes = file.memory();
    start = pointer.offset();
    long length = (long) RecordLayout.headBytesMax(keyLength) + pointer.valueLength();
    length = Math.min(length, (long) file.length() - start);
    if (!cold || start < SegmentLayout.BYTES || length <= 0) {
      return;
    }
    if (length <= SCRATCH_MAX && file.read(start, (int) length, roomForRecord((int) length))) {
      bytes = copy;
      start = COPY_START;
    } else {
      file.advise(Advice.WILL_NEED, start, (int) length);
    }
  }

  private ByteBuffer roomForRecord(int length) {
    if (length > record.capacity()) {
      int capacity = COPY_START + Math.max(COPY_MIN, 2 * length);
      copy = ByteBuffer.allocateDirect(capacity).order(ByteOrder.LITTLE_ENDIAN);
      record = copy.slice(COPY_START, capacity - COPY_START);
    }
    return record;
  }

  /** Reads the value after the head that was read last, and verifies both by the checksum. */
  private void readValue(
      MappedFile file, ValuePointer pointer, int headLength, byte[] into, int at) {
    bytes.get(start + headLength, into, at, pointer.valueLength());
    if (checksum(file.memory(), pointer, headLength, into, at)
        != RecordLayout.checksum(bytes, start)) {
      throw damage(file, pointer, "the record fails its checksum");
    }
  }

  /** Returns the number of bytes before the value, after checking the record's lengths. */
  private int checkedHeadLength(MappedFile file, ValuePointer pointer, int keyLength) {
    ByteBuffer segment = bytes;
    int room = file.length() - pointer.offset();
    // Require no more than the reads below need: a segment's last record may be as short as its
    // head.
    int least = pointer.inBatch() ? RecordLayout.OPERATION_HEAD : RecordLayout.HEADER;
    if (pointer.offset() < SegmentLayout.BYTES || room < least) {
      throw damage(file, pointer, "the pointer points outside the segment");
    }
    int head;
    boolean agrees;
    if (pointer.inBatch()) {
      head = RecordLayout.OPERATION_HEAD + keyLength;
      agrees = RecordLayout.operationKind(segment, start) == RecordLayout.PUT
          && RecordLayout.operationKeyLength(segment, start) == keyLength
          && RecordLayout.operationValueLength(segment, start) == pointer.valueLength();
    } else {
      int kindByte = RecordLayout.kindByte(segment, start);
      int body = RecordLayout.bodyStart(kindByte);
      head = body + RecordLayout.KEY_LENGTH + keyLength;
      agrees = (kindByte & RecordLayout.KIND_MASK) == RecordLayout.PUT
          && room >= head
          && LittleEndian.getUnsignedShort(segment, start + body) == keyLength
          && RecordLayout.length(segment, start) == (long) head + pointer.valueLength();
    }
    if (!agrees || pointer.valueLength() < 0 || (long) head + pointer.valueLength() > room) {
      throw damage(
          file, pointer, "the record is not a put with the expected key length and value length");
    }
    return head;
  }

  private int checksum(
      ByteBuffer segment, ValuePointer pointer, int headLength, byte[] value, int at) {
    crc.reset();
    if (pointer.inBatch()) {
      crc.update(head, RecordLayout.CRC_BYTES, headLength - RecordLayout.CRC_BYTES);
      crc.update(value, at, pointer.valueLength());
    } else {
      crc.update(head, RecordLayout.HEADER, headLength - RecordLayout.HEADER);
      crc.update(value, at, pointer.valueLength());
      INT.set(head, 0, SegmentLayout.salt(segment));
      crc.update(head, 0, RecordLayout.HEADER);
    }
    return (int) crc.getValue();
  }

  private static CorruptionException damage(MappedFile file, ValuePointer pointer, String what) {
    return new CorruptionException(file.name(), pointer.offset(), what);
  }
}
