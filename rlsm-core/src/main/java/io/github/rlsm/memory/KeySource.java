// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.memory;

import io.github.rlsm.base.KeyOrder;
import io.github.rlsm.log.LogGeneration;
import io.github.rlsm.log.RecordLayout;
import java.nio.ByteBuffer;

/** Reads and compares the keys of entries, by entry number, in place in the log. */
final class KeySource {

  private final Membuffer membuffer;
  private final LogGeneration log;

  KeySource(Membuffer membuffer) {
    this.membuffer = membuffer;
    this.log = membuffer.log();
  }

  int compare(int a, int b) {
    int locationA = location(a);
    int locationB = location(b);
    ByteBuffer segmentA = log.segmentOf(locationA);
    ByteBuffer segmentB = log.segmentOf(locationB);
    int offsetA = RecordLayout.keyOffset(segmentA, locationA);
    int offsetB = RecordLayout.keyOffset(segmentB, locationB);
    return KeyOrder.compare(
        segmentA,
        offsetA,
        RecordLayout.keyLength(segmentA, locationA, offsetA),
        segmentB,
        offsetB,
        RecordLayout.keyLength(segmentB, locationB, offsetB));
  }

  /** Compares a key with the key of an entry. */
  int compare(byte[] key, int offset, int length, int entry) {
    int location = location(entry);
    ByteBuffer segment = log.segmentOf(location);
    int keyOffset = RecordLayout.keyOffset(segment, location);
    int keyLength = RecordLayout.keyLength(segment, location, keyOffset);
    return KeyOrder.compare(key, offset, length, segment, keyOffset, keyLength);
  }

  /** Returns the first {@code length} bytes of an entry's key. */
  byte[] head(int entry, int length) {
    int location = location(entry);
    ByteBuffer segment = log.segmentOf(location);
    byte[] head = new byte[length];
    segment.get(RecordLayout.keyOffset(segment, location), head);
    return head;
  }

  int keyLength(int entry) {
    int location = location(entry);
    ByteBuffer segment = log.segmentOf(location);
    return RecordLayout.keyLength(segment, location, RecordLayout.keyOffset(segment, location));
  }

  /**
   * Returns {@link KeyOrder#prefix} of an entry's key without its first {@code skip} bytes. The key
   * must have at least {@code skip} bytes.
   */
  long prefix(int entry, int skip) {
    int location = location(entry);
    ByteBuffer segment = log.segmentOf(location);
    int keyOffset = RecordLayout.keyOffset(segment, location);
    int keyLength = RecordLayout.keyLength(segment, location, keyOffset);
    return KeyOrder.prefix(segment, keyOffset + skip, keyLength - skip);
  }

  /**
   * Returns how many leading bytes, at most {@code max}, an entry's key shares with {@code head}.
   */
  int commonLength(byte[] head, int max, int entry) {
    int location = location(entry);
    ByteBuffer segment = log.segmentOf(location);
    int keyOffset = RecordLayout.keyOffset(segment, location);
    int limit = Math.min(max, RecordLayout.keyLength(segment, location, keyOffset));
    int i = 0;
    while (i < limit && head[i] == segment.get(keyOffset + i)) {
      i++;
    }
    return i;
  }

  private int location(int entry) {
    return Reference.location(membuffer.newest(entry));
  }
}
