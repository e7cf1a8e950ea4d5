// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.base.CursorEntry;
import io.github.rlsm.base.EntryCursor;
import io.github.rlsm.base.EntryKind;
import io.github.rlsm.base.EntryView;
import io.github.rlsm.base.KeyOrder;
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
public record TestEntry(int kind, long seqno, byte[] value) {

  /** Returns a put. */
  public static TestEntry put(long seqno, byte[] value) {
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

  /** Returns the entry as a cursor on it shows it, in the middle of a larger buffer. */
  public CursorEntry at(byte[] key) {
    ByteBuffer buffer = ByteBuffer.allocateDirect(key.length + value.length + 3)
        .put(1, key)
        .put(1 + key.length, value)
        .order(ByteOrder.LITTLE_ENDIAN);
    CursorEntry entry = new CursorEntry();
    entry.setKey(buffer, 1, key.length, KeyOrder.prefix(key, 0, key.length));
    entry.setValue(kind, seqno, value.length);
    return entry;
  }

  void assertIn(EntryView view) {
    assertThat(view.kind()).isEqualTo(kind);
    assertThat(bytes(view.buffer(), view.valueOffset(), view.valueLength())).isEqualTo(value);
  }

  void assertAt(EntryCursor cursor) {
    CursorEntry entry = cursor.entry();
    assertThat(entry.kind()).isEqualTo(kind);
    assertThat(entry.seqno()).isEqualTo(seqno);
    assertThat(bytes(entry.buffer(), entry.valueOffset(), entry.valueLength())).isEqualTo(value);
  }

  static byte[] key(EntryCursor cursor) {
    CursorEntry entry = cursor.entry();
    byte[] key = bytes(entry.buffer(), entry.keyOffset(), entry.keyLength());
    assertThat(entry.keyPrefix()).isEqualTo(KeyOrder.prefix(key, 0, key.length));
    return key;
  }

  private static byte[] bytes(ByteBuffer buffer, int offset, int length) {
    byte[] bytes = new byte[length];
    buffer.get(offset, bytes);
    return bytes;
  }
}
