// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import io.github.rlsm.base.KeyspacePrefix;
import io.github.rlsm.base.ValuePointer;
import io.github.rlsm.compact.CollectJob;
import io.github.rlsm.kv.Durability;
import io.github.rlsm.log.RecordLayout;
import io.github.rlsm.log.SegmentRecords;
import org.jspecify.annotations.Nullable;

/**
 * Moves values for a collection: each by a conditional write like a user's, whose condition is that
 * the newest entry of the key is the very pointer to the record that is to be freed.
 *
 * <p>Threads: one at a time.
 */
final class Relocation implements CollectJob.Mover {

  private final WritePath writes;
  private final Lookup lookup;

  /** Not the thread's: a test may run this in a thread that is about to write. */
  private final WriteScratch scratch = new WriteScratch();

  private final ReadScratch read = new ReadScratch();

  Relocation(WritePath writes, Lookup lookup) {
    this.writes = writes;
    this.lookup = lookup;
  }

  @Override
  public boolean isCurrent(SegmentRecords put) {
    int keyspace = KeyspacePrefix.id(put.buffer(), put.keyOffset());
    if (!lookup.isLive(keyspace)) {
      return false;
    }
    return put.pointer().equals(newest(put));
  }

  /**
   * What the newest entry of the put's key points to. That is compared as a pointer and not by its
   * seqno: records that a recovery dropped have seqnos that were given again since.
   */
  private @Nullable ValuePointer newest(SegmentRecords put) {
    read.setKey(put.buffer(), put.keyOffset(), put.keyLength());
    return lookup.newest(read);
  }

  @Override
  public long move(SegmentRecords put) {
    ValuePointer pointer = put.pointer();
    byte[] value = new byte[pointer.valueLength()];
    put.buffer().get(put.valueOffset(), value);
    scratch.setKey(put.buffer(), put.keyOffset(), put.keyLength());
    boolean inValueLog = writes.build(scratch, value, Durability.BUFFERED);
    long bytes = (long) scratch.encoder.units() * RecordLayout.UNIT;
    // The condition also fails for a newer entry that got behind this one already: it makes the
    // record as dead as an older one does.
    writes.writeIf(
        scratch,
        inValueLog,
        false,
        Durability.BUFFERED,
        seqno ->
            pointer.equals(newest(put)) ? WritePath.Verdict.APPLY : WritePath.Verdict.WITHDRAW);
    return bytes;
  }
}
