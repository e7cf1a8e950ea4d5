// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.log;

import io.github.rlsm.base.ValuePointer;
import io.github.rlsm.io.FileHeader;
import io.github.rlsm.io.MappedFaults;
import io.github.rlsm.io.MappedFile;
import io.github.rlsm.io.MappedFile.Advice;
import io.github.rlsm.io.StoreDirectory;
import io.github.rlsm.io.StoreFileName;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A value segment for values that are relocated from other segments. It belongs to no generation:
 * its records are found only through tables.
 *
 * <p>The caller first reserves places, in the final order of the values. It then
 * {@linkplain #create creates} the file with the resulting length, and fills the places in any
 * order. No pointer into the segment may be installed before the segment is {@linkplain #finish
 * finished}.
 *
 * <p>Threads: one thread at a time, except that several {@linkplain Writer writers} may fill it.
 * One {@linkplain Appender appender} fills segments alone.
 */
public final class RelocatedSegment {

  private final StoreDirectory directory;
  private final int number;
  private final SegmentLayout head;
  private final FileHeader header;
  private final int bytesMax;
  private int end = SegmentLayout.BYTES;
  private long recordBytes;
  private boolean staysInMemory;
  private @Nullable MappedFile file;

  RelocatedSegment(
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

  /** Bytes of the reserved records, without the padding between them. */
  public long recordBytes() {
    return recordBytes;
  }

  /** Bytes of the padding between the reserved records. */
  public long paddingBytes() {
    return end - SegmentLayout.BYTES - recordBytes;
  }

  /** Returns whether the next record would exceed the maximum length of a segment. */
  public boolean isFull(int keyLength, int valueLength) {
    int units = recordUnits(keyLength, valueLength);
    return end > SegmentLayout.BYTES && end + paddedBytes(units) > bytesMax;
  }

  private static int recordUnits(int keyLength, int valueLength) {
    int head = RecordLayout.HEADER + RecordLayout.KEY_LENGTH;
    return RecordLayout.units(Math.addExact(head + keyLength, valueLength));
  }

  private long paddedBytes(int units) {
    return ((long) RecordLayout.padding(end, units) + units) * RecordLayout.UNIT;
  }

  /**
   * Reserves the next place. Returns the pointer to it, which is valid once the segment is
   * finished.
   */
  public ValuePointer reserve(int keyLength, int valueLength) {
    int units = recordUnits(keyLength, valueLength);
    int bytes = Math.multiplyExact(units, RecordLayout.UNIT);
    end = Math.toIntExact(end + paddedBytes(units));
    recordBytes += bytes;
    return ValuePointer.of(number, end - bytes, false, valueLength);
  }

  /**
   * Creates the file. No more places may be reserved.
   *
   * @param staysInMemory whether its pages may stay in the page cache; otherwise {@link #finish}
   *     releases them, and until then they are large
   */
  public void create(boolean staysInMemory) {
    MappedFile made = directory.createMapped(StoreFileName.valueLog(number), end);
    if (!head.isMoved()) {
      SegmentFiles.keepInPages(made); // an appender fills it without touching the memory
    } else if (!staysInMemory) {
      made.advise(Advice.LARGE_PAGES, 0, made.length());
    }
    this.staysInMemory = staysInMemory;
    file = made;
    head.write(made.memory(), header);
  }

  /**
   * Writes records into reserved places.
   *
   * <p>Threads: one thread at a time.
   */
  public static final class Writer {

    private final RecordEncoder encoder = new RecordEncoder();
    private final RecordWriter writer = new RecordWriter();

    /**
     * Encodes a put, for the next {@link #store}.
     *
     * @param key array with the internal key
     * @param value array that begins with the value
     */
    public void encode(byte[] key, int keyOffset, int keyLength, byte[] value, int valueLength) {
      encoder.put(key, keyOffset, keyLength, value, valueLength);
    }

    /**
     * Writes the encoded put into a reserved place.
     *
     * @param into the segment, which was created
     * @param offset offset of the place
     * @param seqno the seqno that the value has had since it was written
     */
    public void store(RelocatedSegment into, int offset, long seqno) {
      writer.ensure(encoder.units(), false);
      writer.write(Objects.requireNonNull(into.file), offset, seqno, into.head.salt(), encoder);
      encoder.release();
    }
  }

  /**
   * Writes records in the order of their places, many at a time by a system call. Each new page of
   * mapped memory would cost a page fault, see decision 60 in docs/decisions.
   *
   * <p>Threads: one thread at a time.
   */
  public static final class Appender {

    private static final int BUFFER_BYTES = 128 << 10;

    private final RecordEncoder encoder = new RecordEncoder();
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
    private @Nullable RelocatedSegment segment;

    /** The offset of the buffer in the segment. */
    private int start;

    private int size;

    /** Like {@link Writer#encode}, for the next {@link #append}. */
    public void encode(byte[] key, int keyOffset, int keyLength, byte[] value, int valueLength) {
      encoder.put(key, keyOffset, keyLength, value, valueLength);
    }

    /**
     * Appends the encoded put. It is in the segment after {@link #flush}.
     *
     * @param into the segment, which was created
     * @param offset offset of a reserved place, behind the one before
     * @param seqno the seqno that the value has had since it was written
     */
    public void append(RelocatedSegment into, int offset, long seqno) {
      int length = encoder.length();
      if (segment != into || offset + length - start > BUFFER_BYTES) {
        flush();
        segment = into;
        start = offset;
      }
      encoder.finish(seqno, into.head.salt());
      while (size < offset - start) {
        buffer.put(size++, (byte) 0); // padding
      }
      for (int done = 0; done < length; ) {
        int part = Math.min(length - done, BUFFER_BYTES - size);
        encoder.copy(done, part, buffer, size);
        size += part;
        done += part;
        if (done < length) {
          flush(); // a record longer than the buffer
        }
      }
      encoder.release();
    }

    /** Writes what is still in the buffer. */
    public void flush() {
      if (segment != null && size > 0) {
        MappedFile file = Objects.requireNonNull(segment.file);
        if (!file.write(start, size, buffer)) {
          file.memory().put(start, buffer, 0, size);
        }
        start += size;
        size = 0;
      }
    }
  }

  /** Makes the whole segment durable, and closes it. */
  public void finish() {
    MappedFile filled = Objects.requireNonNull(file);
    MappedFaults.check();
    filled.force(0, end);
    if (!staysInMemory) {
      filled.forget();
    }
    filled.close();
  }

  /** Deletes the file if it was created, finished or not. No pointer may lead to it. */
  public void delete() {
    if (file != null) {
      file.close();
      directory.delete(file.name());
    }
  }
}
