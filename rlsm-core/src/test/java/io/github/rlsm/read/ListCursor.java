// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.read;

import io.github.rlsm.base.CursorEntry;
import io.github.rlsm.base.EntryCursor;
import io.github.rlsm.base.EntryKind;
import io.github.rlsm.base.KeyOrder;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;

/** A cursor over a map from keys to seqnos. Every third seqno is a tombstone. */
final class ListCursor implements EntryCursor {

  private final List<Map.Entry<byte[], Long>> entries;
  private final boolean descending;
  private final CursorEntry entry = new CursorEntry();
  private int at = -1;

  ListCursor(NavigableMap<byte[], Long> map, boolean descending) {
    this.entries = new ArrayList<>((descending ? map.descendingMap() : map).entrySet());
    this.descending = descending;
  }

  static int kindOf(long seqno) {
    return seqno % 3 == 0 ? EntryKind.DELETE : EntryKind.PUT;
  }

  byte[] key() {
    return entries.get(at).getKey();
  }

  @Override
  public boolean seekFirst() {
    at = 0;
    return !entries.isEmpty();
  }

  @Override
  public boolean seek(byte[] key, int offset, int length) {
    byte[] sought = Arrays.copyOfRange(key, offset, offset + length);
    for (at = 0; at < entries.size(); at++) {
      int order = Arrays.compareUnsigned(key(), sought);
      if (descending ? order <= 0 : order >= 0) {
        return true;
      }
    }
    return false;
  }

  @Override
  public boolean next() {
    if (at >= entries.size()) {
      throw new AssertionError("moved beyond the end");
    }
    return ++at < entries.size();
  }

  @Override
  public CursorEntry entry() {
    long seqno = entries.get(at).getValue();
    ByteBuffer buffer = ByteBuffer.wrap(key()).order(ByteOrder.LITTLE_ENDIAN);
    entry.setKey(buffer, 0, key().length, KeyOrder.prefix(key(), 0, key().length));
    entry.setValue(kindOf(seqno), seqno, 0);
    return entry;
  }
}
