// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.memory;

import io.github.rlsm.base.EntryCursor;
import io.github.rlsm.log.LogGeneration;
import io.github.rlsm.log.RecordLayout;
import java.nio.ByteBuffer;

/**
 * The entries of a component, or of a part of it, as a snapshot sees them; those it does not see
 * are skipped. Values are always read from the log's memory, wherever they will stand on disk, so
 * the kind is never POINTER; {@link #location()} tells a flush where the value is.
 *
 * <p>Threads: one thread at a time.
 */
public final class MemoryCursor implements EntryCursor {

  private final Membuffer membuffer;
  private final LogGeneration log;
  private final EntrySequence sequence;
  private final long end;
  private ByteBuffer segment;
  private long reference;
  private int location;
  private int keyOffset;
  private int keyLength;

  MemoryCursor(Membuffer membuffer, EntrySequence sequence, long end) {
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

  /** Goes on to an entry that is seen, and reads where its key lies. */
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

  /** Where the current version stands in the generation's segments. */
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
