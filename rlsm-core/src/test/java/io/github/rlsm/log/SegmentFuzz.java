// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.log;

import io.github.rlsm.base.PartHeader;
import io.github.rlsm.fuzz.Decoding;
import io.github.rlsm.fuzz.Forged;
import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.io.StoreFileName;
import io.github.rlsm.log.RecordLayout.PartHeaderLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;

/**
 * Decodes any bytes as the two segments of a generation, which recovery reads: headers, records of
 * every kind, batches and part headers. The first two bytes of an input are the length of the first
 * segment. Also decodes every input as the header of a part of a batch.
 */
public final class SegmentFuzz {

  private static final int RECORD_MIN = RecordLayout.HEADER + RecordLayout.KEY_LENGTH;
  private static final int SEGMENT_CRC = SegmentLayout.BYTES - Integer.BYTES;

  private SegmentFuzz() {}

  /** Recovers from an input unchanged, and with corrected checksums. */
  public static void fuzzerTestOneInput(byte[] input) {
    decodeHeader(input);
    if (input.length < Short.BYTES) {
      return;
    }
    int first = (input[0] & 0xFF) | (input[1] & 0xFF) << 8;
    int middle = Short.BYTES + Math.min(first, input.length - Short.BYTES);
    byte[] wal = Arrays.copyOfRange(input, Short.BYTES, middle);
    byte[] values = Arrays.copyOfRange(input, middle, input.length);
    recover(wal, values);
    recover(sealed(wal), sealed(values));
  }

  private static void decodeHeader(byte[] input) {
    Decoding.of(input.length, () -> {
      ByteBuffer header = ByteBuffer.wrap(input).order(ByteOrder.LITTLE_ENDIAN);
      if (PartHeaderLayout.isSound(header, 0, input.length)) {
        PartHeaderLayout.decode(header, 0);
      }
    });
  }

  private static void recover(byte[] wal, byte[] values) {
    SimulatedDirectory directory = new SimulatedDirectory();
    directory.replace(StoreFileName.writeAheadLog(1), wal);
    directory.replace(StoreFileName.valueLog(1), values);
    Decoding.of(wal.length + values.length, () -> LogFixture.replay(directory));
  }

  private static byte[] sealed(byte[] segment) {
    Forged forged = new Forged(segment)
        .header(0)
        .sum()
        .range(Forged.HEADER_BYTES, SEGMENT_CRC)
        .putAt(SEGMENT_CRC);
    int offset = SegmentLayout.BYTES;
    while (forged.has(offset, RECORD_MIN)) {
      int length = forged.buffer().getInt(offset + 4);
      if (length < RECORD_MIN || !forged.has(offset, length)) {
        break;
      }
      int salt = forged.buffer().getInt(SegmentLayout.SALT);
      forged
          .sum()
          .range(offset + 16, offset + length)
          .number(salt)
          .range(offset + 4, offset + 16)
          .putAt(offset);
      offset += RecordLayout.units(length) * RecordLayout.UNIT;
    }
    return forged.bytes();
  }

  /** Returns records of every kind, promises, and a part header; then a header alone. */
  public static List<byte[]> seeds() {
    try (LogFixture log = new LogFixture(new SimulatedDirectory())) {
      log.put(false, "\0key", "value", LogFixture.NOTHING)
          .delete("\0key", 4)
          .put(true, "\0large", "a value in the value log", LogFixture.NOTHING)
          .voidPut(false, "\0void", "withdrawn")
          .batch(false, 15, "\0a=1", "\0b", "\0c=")
          .batch(true, LogFixture.NOTHING, "\0d=another value in the value log");
      PartHeaderTest.write(log, new PartHeader(7, List.of(0, 2)));
      byte[] wal = used(log, StoreFileName.writeAheadLog(1), false);
      byte[] values = used(log, StoreFileName.valueLog(1), true);
      byte[] seed = new byte[Short.BYTES + wal.length + values.length];
      ByteBuffer.wrap(seed)
          .order(ByteOrder.LITTLE_ENDIAN)
          .putShort((short) wal.length)
          .put(wal)
          .put(values);
      return List.of(seed, header());
    }
  }

  private static byte[] header() {
    PartHeader part = new PartHeader(5, List.of(0, 2, 3));
    ByteBuffer header =
        ByteBuffer.allocate(PartHeaderLayout.length(part)).order(ByteOrder.LITTLE_ENDIAN);
    PartHeaderLayout.encode(part, header, 0);
    return Forged.bytesOf(header);
  }

  private static byte[] used(LogFixture log, String name, boolean inValueLog) {
    return Arrays.copyOf(log.directory.bytes(name), log.generation.usedBytes(inValueLog) + 64);
  }
}
