// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.table;

import io.github.rlsm.base.EntryCursor;
import io.github.rlsm.base.KeyOrder;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** A cursor that is on one entry and cannot move. */
public final class FixedEntry implements EntryCursor {

  private final int kind;
  private final long seqno;
  private ByteBuffer key = ByteBuffer.allocate(0);
  private int keyOffset;
  private int keyLength;
  private ByteBuffer value = ByteBuffer.allocate(0);
  private int valueOffset;
  private int valueLength;

  /** Creates an entry without key and value. */
  public FixedEntry(int kind, long seqno) {
    this.kind = kind;
    this.seqno = seqno;
  }

  /** Sets the key. */
  public FixedEntry key(byte[] bytes) {
    return key(ByteBuffer.wrap(bytes), 0, bytes.length);
  }

  FixedEntry key(ByteBuffer buffer, int offset, int length) {
    key = buffer;
    keyOffset = offset;
    keyLength = length;
    return this;
  }

  /** Sets the value. */
  public FixedEntry value(byte[] bytes) {
    return value(ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN), 0, bytes.length);
  }

  FixedEntry value(ByteBuffer buffer, int offset, int length) {
    value = buffer;
    valueOffset = offset;
    valueLength = length;
    return this;
  }

  @Override
  public boolean seekFirst() {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean seek(byte[] sought, int offset, int length) {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean next() {
    throw new UnsupportedOperationException();
  }

  @Override
  public long keyPrefix() {
    return KeyOrder.prefix(key, keyOffset, keyLength);
  }

  @Override
  public ByteBuffer keyBuffer() {
    return key;
  }

  @Override
  public int keyOffset() {
    return keyOffset;
  }

  @Override
  public int keyLength() {
    return keyLength;
  }

  @Override
  public int kind() {
    return kind;
  }

  @Override
  public long seqno() {
    return seqno;
  }

  @Override
  public ByteBuffer valueBuffer() {
    return value;
  }

  @Override
  public int valueOffset() {
    return valueOffset;
  }

  @Override
  public int valueLength() {
    return valueLength;
  }
}
