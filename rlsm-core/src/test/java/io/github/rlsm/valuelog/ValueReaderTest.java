// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.valuelog;

import static io.github.rlsm.log.LogFixture.NOTHING;
import static io.github.rlsm.log.LogFixture.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rlsm.base.ValuePointer;
import io.github.rlsm.io.FilterDirectory;
import io.github.rlsm.io.MappedFile;
import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.io.StoreDirectory;
import io.github.rlsm.kv.CorruptionException;
import io.github.rlsm.kv.FormatVersionException;
import io.github.rlsm.log.LogFixture;
import io.github.rlsm.log.RecordLayout;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Tests that a read returns the right value or an error. */
class ValueReaderTest {

  private static final String FILE = "val-00000001.log";
  private static final byte[] KEY = bytes("\0key");
  private static final String VALUE = "a value that stands in the value log";

  private final SimulatedDirectory directory = new SimulatedDirectory();
  private final ValueReader reader = newReader();
  private final LogFixture log = new LogFixture(directory)
      .put(true, "\0key", VALUE, NOTHING)
      .put(true, "\0key", VALUE, 0)
      .batch(true, 0, "\0other=x", "\0key=" + VALUE);
  private ValueLog values = new ValueLog(directory, LogFixture.STORE_ID, () -> 0, () -> {});

  private static final int PLAIN = 64;
  private static final int PROMISING = PLAIN + 64;
  private static final int BATCH = PROMISING + 72;
  private static final int IN_BATCH = BATCH + 24 + 8 + 24;

  private static final ValuePointer[] POINTERS = {
    pointer(PLAIN, false), pointer(PROMISING, false), pointer(IN_BATCH, true)
  };

  private static ValuePointer pointer(int offset, boolean inBatch) {
    return ValuePointer.of(1, offset, inBatch, VALUE.length());
  }

  @AfterEach
  void close() {
    values.close();
    log.close();
  }

  ValueReader newReader() {
    return new ValueReader();
  }

  private byte[] read(ValuePointer pointer, byte[] key) {
    return reader.read(values, pointer, key, 0, key.length);
  }

  private static void isDamage(Executable action) {
    assertThatThrownBy(action::execute).isInstanceOf(CorruptionException.class);
  }

  @Test
  void readAheadIsDisabledBeforeTheHeadOfASegmentIsRead() {
    List<String> calls = new ArrayList<>();
    values = new ValueLog(watched(calls), LogFixture.STORE_ID, () -> 0, () -> {});
    assertThat(read(POINTERS[0], KEY)).isEqualTo(bytes(VALUE));
    assertThat(calls).containsSubsequence("advise", "memory");
    assertThat(calls.indexOf("advise")).isLessThan(calls.indexOf("memory"));
  }

  /** Returns the directory, recording the names of all calls of the files that it opens. */
  private StoreDirectory watched(List<String> calls) {
    return new FilterDirectory(directory) {
      @Override
      public MappedFile openReadOnly(String name) {
        MappedFile file = super.openReadOnly(name);
        InvocationHandler recording = (proxy, method, arguments) -> {
          calls.add(method.getName());
          return method.invoke(file, arguments);
        };
        return (MappedFile) Proxy.newProxyInstance(
            MappedFile.class.getClassLoader(), new Class<?>[] {MappedFile.class}, recording);
      }
    };
  }

  @Test
  void readsRecordsWithAndWithoutPromiseAndOperations() {
    for (ValuePointer pointer : POINTERS) {
      assertThat(read(pointer, KEY)).as(pointer.toString()).isEqualTo(bytes(VALUE));
    }
    values.add(log.generation);
    assertThat(read(POINTERS[0], KEY)).isEqualTo(bytes(VALUE));
  }

  @Test
  void copiesWhatFitsIntoBuffersOfEveryKind() {
    byte[] expected = bytes(VALUE);
    for (ValuePointer pointer : POINTERS) {
      for (int room : new int[] {0, 1, expected.length - 1, expected.length, 100}) {
        ByteBuffer heap =
            ByteBuffer.allocate(120).position(7).slice().position(5).limit(5 + room);
        ByteBuffer direct = ByteBuffer.allocateDirect(120).position(5).limit(5 + room);
        for (ByteBuffer destination : List.of(heap, direct)) {
          int length = reader.read(values, pointer, KEY, 0, KEY.length, destination);
          assertThat(length).isEqualTo(expected.length);
          int copied = Math.min(room, length);
          assertThat(destination.position()).isEqualTo(5 + copied);
          byte[] whole = new byte[110];
          destination.clear().get(0, whole);
          byte[] wanted = new byte[110];
          System.arraycopy(expected, 0, wanted, 5, copied);
          assertThat(whole).isEqualTo(wanted);
        }
      }
    }
  }

  @Test
  void damagedValueLeavesTheBufferPosition() {
    byte[] damaged = directory.bytes(FILE);
    damaged[PLAIN + 30] ^= 1;
    SimulatedDirectory other = new SimulatedDirectory();
    other.replace(FILE, damaged);
    ByteBuffer destination = ByteBuffer.allocate(100).position(9);
    try (ValueLog log = new ValueLog(other, LogFixture.STORE_ID, () -> 0, () -> {})) {
      isDamage(() -> reader.read(log, POINTERS[0], KEY, 0, KEY.length, destination));
    }
    assertThat(destination.position()).isEqualTo(9);
  }

  @Test
  void touchingReadsNothingOutsideOfTheSegment() {
    values.add(log.generation);
    int[] offsets = {0, PLAIN, LogFixture.SEGMENT_BYTES - 1, LogFixture.SEGMENT_BYTES, 1 << 30, -1};
    for (int segment : new int[] {-1, 0, 1, 2, Integer.MAX_VALUE}) {
      for (int offset : offsets) {
        for (int length : new int[] {Integer.MIN_VALUE, -1, 0, 1, 1 << 20, Integer.MAX_VALUE}) {
          int sum = values.touch(new ValuePointer(segment, offset, length));
          assertThat(segment == 1 || sum == 0).isTrue();
        }
      }
    }
    int lines = 0;
    ByteBuffer memory = log.generation.file(true).memory();
    for (int at = PLAIN; at < PLAIN + 200; at += 64) {
      lines += memory.get(at);
    }
    assertThat(values.touch(ValuePointer.of(1, PLAIN, false, 200))).isEqualTo(lines);
  }

  @Test
  void refusesAnotherKeyOrLength() {
    for (ValuePointer pointer : POINTERS) {
      isDamage(() -> read(pointer, bytes("\0kex")));
      isDamage(() -> read(pointer, bytes("\0ke")));
      isDamage(() -> read(pointer, bytes("\0key1")));
      isDamage(() -> read(pointer, new byte[70_000]));
      for (int length : new int[] {-1, 0, VALUE.length() - 1, VALUE.length() + 1, 1 << 30}) {
        isDamage(() -> read(new ValuePointer(1, pointer.position(), length), KEY));
      }
      isDamage(() -> read(new ValuePointer(1, ~pointer.position(), VALUE.length()), KEY));
    }
    isDamage(() -> read(pointer(BATCH, false), KEY));
    isDamage(() -> read(pointer(PLAIN, true), KEY));
  }

  @Test
  void refusesPointersToWhereNoRecordBegins() {
    for (int offset = -64; offset < LogFixture.SEGMENT_BYTES + 64; offset++) {
      if (offset != PLAIN && offset != PROMISING) {
        ValuePointer pointer = new ValuePointer(1, offset & Integer.MAX_VALUE, VALUE.length());
        isDamage(() -> read(pointer, KEY));
      }
      if (offset != IN_BATCH) {
        ValuePointer pointer = new ValuePointer(1, offset | 1 << 31, VALUE.length());
        isDamage(() -> read(pointer, KEY));
      }
    }
  }

  @Test
  void refusesPointersPastTheEndOfACutSegment() {
    values.add(log.generation);
    log.generation.file(true).truncate(log.generation.usedBytes(true));
    for (ValuePointer pointer : POINTERS) {
      assertThat(read(pointer, KEY)).as(pointer.toString()).isEqualTo(bytes(VALUE));
    }
    log.generation.file(true).truncate(IN_BATCH + 8);
    isDamage(() -> read(POINTERS[2], KEY));
    log.generation.file(true).truncate(BATCH - 16);
    isDamage(() -> read(POINTERS[1], KEY));
    assertThat(read(POINTERS[0], KEY)).isEqualTo(bytes(VALUE));
  }

  /** The last operation of a batch may be shorter than the header of any record. */
  @Test
  void readsShortRecordsAtTheEndOfACutSegment() {
    int batch = log.generation.usedBytes(true);
    log.batch(true, NOTHING, "\0a=" + VALUE, "\0k=v", "\0k=");
    int first = batch + RecordLayout.HEADER + 8;
    int second = first + 12 + 2 + VALUE.length();
    second = (second + 7) / 8 * 8;
    int third = second + 16;
    values.add(log.generation);
    log.generation.file(true).truncate(log.generation.usedBytes(true));
    assertThat(log.generation.usedBytes(true)).isEqualTo(third + 16);
    assertThat(read(ValuePointer.of(1, second, true, 1), bytes("\0k"))).isEqualTo(bytes("v"));
    assertThat(read(ValuePointer.of(1, third, true, 0), bytes("\0k"))).isEmpty();
    isDamage(() -> read(ValuePointer.of(1, third, true, 3), bytes("\0k")));
    isDamage(() -> read(ValuePointer.of(1, third + 8, true, 0), bytes("\0k")));
    isDamage(() -> read(ValuePointer.of(1, third + 8, false, 0), bytes("\0k")));
  }

  @Test
  void segmentIsDeletedAfterTablesAndMemoryReleaseIt() {
    values.add(log.generation);
    values.free(1);
    assertThat(directory.exists(FILE)).as("while memory reads it").isTrue();
    assertThat(read(POINTERS[0], KEY)).isEqualTo(bytes(VALUE));
    values.leftMemory(log.generation, Runnable::run);
    assertThat(directory.exists(FILE)).isFalse();
    isDamage(() -> read(POINTERS[0], KEY));
  }

  @Test
  void segmentOutOfMemoryIsDeletedAtOnce() {
    values.add(log.generation);
    values.leftMemory(log.generation, Runnable::run);
    assertThat(read(POINTERS[0], KEY)).isEqualTo(bytes(VALUE));
    values.free(1);
    assertThat(directory.exists(FILE)).isFalse();
    isDamage(() -> read(POINTERS[0], KEY));
  }

  @Test
  void unreadSegmentIsDeletedToo() {
    log.generation.file(true).close();
    values.free(1);
    assertThat(directory.exists(FILE)).isFalse();
  }

  @Test
  void refusesMissingSegments() {
    for (int segment : new int[] {Integer.MIN_VALUE, -1, 0, 2, 1000, Integer.MAX_VALUE}) {
      isDamage(() -> read(new ValuePointer(segment, PLAIN, VALUE.length()), KEY));
    }
  }

  @Test
  void refusesEveryFlippedByte() {
    byte[] whole = directory.bytes(FILE);
    for (ValuePointer pointer : POINTERS) {
      int from = pointer.offset();
      int headBytes = pointer.inBatch() ? 12 : pointer.offset() == PLAIN ? 18 : 26;
      for (int i = from; i < from + headBytes + KEY.length + VALUE.length(); i++) {
        for (int mask : new int[] {1, 0x10, 0x80, 0xFF}) {
          byte[] damaged = whole.clone();
          damaged[i] ^= (byte) mask;
          isDamage(() -> readFrom(damaged, pointer));
        }
      }
    }
  }

  private void readFrom(byte[] segment, ValuePointer pointer) {
    SimulatedDirectory other = new SimulatedDirectory();
    other.replace(FILE, segment);
    try (ValueLog damaged = new ValueLog(other, LogFixture.STORE_ID, () -> 0, () -> {})) {
      reader.read(damaged, pointer, KEY, 0, KEY.length);
    } finally {
      assertThat(other.openHandles()).isEmpty();
    }
  }

  @Test
  void refusesADamagedHeadAndLeavesNothingOpen() {
    byte[] whole = directory.bytes(FILE);
    for (int i = 0; i < 52; i++) {
      byte[] damaged = whole.clone();
      damaged[i] ^= 0x40;
      assertThatThrownBy(() -> readFrom(damaged, POINTERS[0]))
          .isInstanceOfAny(CorruptionException.class, FormatVersionException.class);
    }
    isDamage(() -> readFrom(new byte[10], POINTERS[0]));
  }

  @Test
  void countsTheBytesOfRecords() {
    assertThat(ValueLog.recordBytes(KEY.length, POINTERS[0])).isEqualTo(PROMISING - PLAIN);
    assertThat(ValueLog.recordBytes(KEY.length, POINTERS[2])).isEqualTo(56);
  }
}
