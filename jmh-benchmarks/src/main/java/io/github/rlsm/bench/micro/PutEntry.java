// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.micro;

import io.github.rlsm.base.EntryCursor;
import io.github.rlsm.base.EntryKind;
import io.github.rlsm.base.KeyOrder;
import java.nio.ByteBuffer;

/** A cursor that is on the put of one key and cannot move. */
final class PutEntry implements EntryCursor {

  private final byte[] key;
  private final long seqno;
  private final ByteBuffer value;

  PutEntry(byte[] key, long seqno, ByteBuffer value) {
    this.key = key;
    this.seqno = seqno;
    this.value = value;
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
    return KeyOrder.prefix(key, 0, key.length);
  }

  @Override
  public ByteBuffer keyBuffer() {
    return ByteBuffer.wrap(key);
  }

  @Override
  public int keyOffset() {
    return 0;
  }

  @Override
  public int keyLength() {
    return key.length;
  }

  @Override
  public int kind() {
    return EntryKind.PUT;
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
    return 0;
  }

  @Override
  public int valueLength() {
    return value.capacity();
  }
}
