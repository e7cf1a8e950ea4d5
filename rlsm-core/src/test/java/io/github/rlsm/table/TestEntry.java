// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.base.EntryCursor;
import io.github.rlsm.base.EntryKind;
import io.github.rlsm.base.EntryView;
import io.github.rlsm.base.ValuePointer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.OptionalInt;

/**
 * The entry of a key in a model of a table.
 *
 * @param kind {@link EntryKind}
 * @param seqno sequence number
 * @param value the value, an encoded pointer, or empty for a tombstone
 */
@SuppressWarnings("ArrayRecordComponent") // compared field by field
record TestEntry(int kind, long seqno, byte[] value) {

  static TestEntry put(long seqno, byte[] value) {
    return new TestEntry(EntryKind.PUT, seqno, value);
  }

  static TestEntry tombstone(long seqno) {
    return new TestEntry(EntryKind.DELETE, seqno, new byte[0]);
  }

  static TestEntry pointer(long seqno, ValuePointer pointer) {
    byte[] value = new byte[ValuePointer.BYTES];
    pointer.write(ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN), 0);
    return new TestEntry(EntryKind.POINTER, seqno, value);
  }

  /** The segment that the entry points into, if it is a pointer. */
  OptionalInt segment() {
    return kind == EntryKind.POINTER
        ? OptionalInt.of(ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN).getInt())
        : OptionalInt.empty();
  }

  void assertIn(EntryView view) {
    assertThat(view.kind()).isEqualTo(kind);
    assertThat(bytes(view.buffer(), view.valueOffset(), view.valueLength())).isEqualTo(value);
  }

  void assertAt(EntryCursor cursor) {
    assertThat(cursor.kind()).isEqualTo(kind);
    assertThat(cursor.seqno()).isEqualTo(seqno);
    assertThat(bytes(cursor.valueBuffer(), cursor.valueOffset(), cursor.valueLength()))
        .isEqualTo(value);
  }

  static byte[] key(EntryCursor cursor) {
    return bytes(cursor.keyBuffer(), cursor.keyOffset(), cursor.keyLength());
  }

  private static byte[] bytes(ByteBuffer buffer, int offset, int length) {
    byte[] bytes = new byte[length];
    buffer.get(offset, bytes);
    return bytes;
  }
}
