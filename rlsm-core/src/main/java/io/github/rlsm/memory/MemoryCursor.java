// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.memory;

import io.github.rlsm.base.EntryCursor;
import io.github.rlsm.log.LogGeneration;
import io.github.rlsm.log.RecordLayout;
import java.nio.ByteBuffer;

/**
 * A cursor over the entries of a component, or of a part of it, that a snapshot sees. It skips
 * entries that the snapshot does not see.
 *
 * <p>The cursor reads all values from the log's memory, even if a flush will leave them in the
 * value log. So the kind is never POINTER; a flush finds the value by its {@link #location()}.
 *
 * <p>Threads: one thread at a time.
 */
public final class MemoryCursor implements EntryCursor {

  private final Membuffer membuffer;
  private final LogGeneration log;
  private final Memtable.Sequence sequence;
  private final long end;
  private ByteBuffer segment;
  private long reference;
  private int location;
  private int keyOffset;
  private int keyLength;

  MemoryCursor(Membuffer membuffer, Memtable.Sequence sequence, long end) {
    this.membuffer = membuffer;
    this.log = membuffer.log();
    this.sequence = sequence;
    this.end = end;
    this.segment = log.segment(false);
  }

  @Override
  public boolean seekFirst() {
    return settle(sequence.seekFirst());
  }

  @Override
  public boolean seek(byte[] key, int offset, int length) {
    return settle(sequence.seek(key, offset, length));
  }

  @Override
  public boolean next() {
    return settle(sequence.next());
  }

  /** Advances to an entry that the snapshot sees, and locates its key. */
  private boolean settle(boolean found) {
    boolean more = found;
    while (more) {
      reference = membuffer.visible(sequence.entry(), end);
      if (reference != Reference.NONE) {
        location = Reference.location(reference);
        segment = log.segmentOf(location);
        keyOffset = RecordLayout.keyOffset(segment, location);
        keyLength = RecordLayout.keyLength(segment, location, keyOffset);
        return true;
      }
      more = sequence.next();
    }
    return false;
  }

  /** Location of the current version in the generation's segments. */
  public int location() {
    return location;
  }

  @Override
  public long keyPrefix() {
    return sequence.keyPrefix();
  }

  @Override
  public ByteBuffer keyBuffer() {
    return segment;
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
    return RecordLayout.entryKind(segment, location);
  }

  @Override
  public long seqno() {
    return membuffer.seqno(reference);
  }

  @Override
  public ByteBuffer valueBuffer() {
    return segment;
  }

  @Override
  public int valueOffset() {
    return keyOffset + keyLength;
  }

  @Override
  public int valueLength() {
    return RecordLayout.valueLength(segment, location, keyOffset, keyLength);
  }
}
