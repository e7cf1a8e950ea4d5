// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.base;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The entry that a cursor is on: the place of its bytes, which are not copied. Each move of the
 * cursor changes it.
 *
 * <p>The value, or its encoded {@link ValuePointer}, follows the key in the same buffer. The buffer
 * is little-endian and shared; use only absolute access. Its content stays valid while the cursor's
 * source is pinned.
 *
 * <p>All cursors fill objects of this one class. Accessors in the cursors would be compiled for the
 * classes of cursors that have occurred, and again when a scan meets its first entry in memory.
 *
 * <p>Threads: one thread at a time.
 */
public final class CursorEntry {

  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0).order(ByteOrder.LITTLE_ENDIAN);

  private ByteBuffer buffer = NOTHING;
  private int keyOffset;
  private int keyLength;
  private long keyPrefix;
  private int kind;
  private int valueLength;
  private long seqno;

  /** Sets the place of the key. {@link #setValue} must follow. */
  public void setKey(ByteBuffer newBuffer, int offset, int length, long prefix) {
    buffer = newBuffer;
    keyOffset = offset;
    keyLength = length;
    keyPrefix = prefix;
  }

  /** Sets the kind and the seqno of the entry, and the length of its value. */
  public void setValue(int newKind, long newSeqno, int length) {
    kind = newKind;
    seqno = newSeqno;
    valueLength = length;
  }

  /** The buffer that holds the key and the value. */
  public ByteBuffer buffer() {
    return buffer;
  }

  /** Offset of the key in {@link #buffer()}. */
  public int keyOffset() {
    return keyOffset;
  }

  /** Length of the key in bytes. */
  public int keyLength() {
    return keyLength;
  }

  /** {@link KeyOrder#prefix} of the key. */
  public long keyPrefix() {
    return keyPrefix;
  }

  /** {@link EntryKind} of the entry. */
  public int kind() {
    return kind;
  }

  /** Sequence number of the entry. */
  public long seqno() {
    return seqno;
  }

  /** Offset of the value, or of its pointer, in {@link #buffer()}. Undefined for a tombstone. */
  public int valueOffset() {
    return keyOffset + keyLength;
  }

  /** Length of the value, or of its pointer, in bytes; 0 for a tombstone. */
  public int valueLength() {
    return valueLength;
  }
}
