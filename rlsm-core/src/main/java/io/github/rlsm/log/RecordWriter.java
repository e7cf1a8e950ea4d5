// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.log;

import io.github.rlsm.io.MappedFile;
import java.nio.ByteBuffer;

/**
 * Writes encoded records into segments: a short record by stores into mapped memory, a long one by
 * system calls, because each new page of mapped memory costs a page fault. See decision 60 in
 * docs/decisions.
 *
 * <p>Threads: one thread at a time; each write has its own writer.
 */
public final class RecordWriter {

  /**
   * From this length on, with the padding before it, a record is written by system calls. A record
   * of half this length takes about as long either way.
   */
  static final int CALL_BYTES = 4 << 10;

  /** The most bytes that one call writes. They stay in the processor's cache on their way. */
  private static final int BUFFER_BYTES_MAX = 64 << 10;

  private static final ByteBuffer NONE = ByteBuffer.allocate(0);

  private final RecordEncoder padding = new RecordEncoder();

  /** Direct. A copy of the part that the next call writes. */
  private ByteBuffer buffer = NONE;

  /**
   * Ensures the memory for the next {@link #write}, which must not allocate.
   *
   * @param units length of the record
   * @param isPadded whether there may be padding before the record
   */
  public void ensure(int units, boolean isPadded) {
    if (isPadded) {
      padding.ensurePadding();
    }
    int room = isPadded ? RecordLayout.PAGE_BYTES : 0;
    long bytes = Math.min((long) units * RecordLayout.UNIT + room, BUFFER_BYTES_MAX);
    if (bytes >= CALL_BYTES && buffer.capacity() < bytes) {
      buffer = ByteBuffer.allocateDirect(Integer.highestOneBit((int) bytes - 1) << 1);
    }
  }

  /**
   * Writes a record into its place in a generation.
   *
   * @param reservation the reserved place, which begins with the padding
   * @param paddingUnits units of padding before the record
   * @param record the encoded record
   */
  public void write(
      LogGeneration generation,
      boolean inValueLog,
      long reservation,
      int paddingUnits,
      RecordEncoder record) {
    int offset = LogGeneration.offset(reservation, inValueLog);
    int paddingBytes = paddingUnits * RecordLayout.UNIT;
    long seqno = generation.seqno(reservation);
    if (paddingUnits > 0) {
      padding.padding(paddingUnits);
      padding.finish(seqno, generation.salt());
    }
    record.finish(seqno + paddingUnits, generation.salt());
    write(generation.file(inValueLog), offset, paddingBytes, record);
  }

  /** Writes a record at an offset of a file, after {@link #ensure}. */
  void write(MappedFile file, int offset, long seqno, int salt, RecordEncoder record) {
    record.finish(seqno, salt);
    write(file, offset, 0, record);
  }

  private void write(MappedFile file, int offset, int paddingBytes, RecordEncoder record) {
    int total = paddingBytes + record.length();
    if (total < CALL_BYTES) {
      ByteBuffer memory = file.memory();
      padding.copy(0, paddingBytes, memory, offset);
      record.copy(0, record.length(), memory, offset + paddingBytes);
      return;
    }
    padding.copy(0, paddingBytes, buffer, 0);
    int buffered = paddingBytes;
    int done = 0;
    while (done < record.length()) {
      int part = Math.min(record.length() - done, buffer.capacity() - buffered);
      record.copy(done, part, buffer, buffered);
      int at = offset + paddingBytes + done - buffered;
      if (!file.write(at, buffered + part, buffer)) {
        file.memory().put(at, buffer, 0, buffered + part);
      }
      done += part;
      buffered = 0;
    }
  }
}
