// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.memory;

import io.github.rlsm.base.CursorEntry;
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
  private final CursorEntry entry = new CursorEntry();
  private int location;

  MemoryCursor(Membuffer membuffer, Memtable.Sequence sequence, long end) {
    this.membuffer = membuffer;
    this.log = membuffer.log();
    this.sequence = sequence;
    this.end = end;
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

  /** Advances to an entry that the snapshot sees. */
  private boolean settle(boolean found) {
    boolean more = found;
    while (more) {
      long reference = membuffer.visible(sequence.entry(), end);
      if (reference != Reference.NONE) {
        stand(reference);
        return true;
      }
      more = sequence.next();
    }
    return false;
  }

  private void stand(long reference) {
    location = Reference.location(reference);
    ByteBuffer segment = log.segmentOf(location);
    int keyOffset = RecordLayout.keyOffset(segment, location);
    int keyLength = RecordLayout.keyLength(segment, location, keyOffset);
    entry.setKey(segment, keyOffset, keyLength, sequence.keyPrefix());
    entry.setValue(
        RecordLayout.entryKind(segment, location),
        membuffer.seqno(reference),
        RecordLayout.valueLength(segment, location, keyOffset, keyLength));
  }

  /** Location of the current version in the generation's segments. */
  public int location() {
    return location;
  }

  @Override
  public CursorEntry entry() {
    return entry;
  }
}
