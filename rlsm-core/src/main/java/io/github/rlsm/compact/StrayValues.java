// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.compact;

import io.github.rlsm.base.EntryKind;
import io.github.rlsm.base.ValuePointer;
import io.github.rlsm.kv.CorruptionException;
import io.github.rlsm.policy.ScanCosts;
import java.nio.ByteBuffer;

/**
 * The place for small values that scans keep fetching one by one: beside their keys in the table.
 *
 * <p>Threads: one thread at a time.
 */
final class StrayValues implements FetchedValues.Place {

  private final TableFactory.Output output;

  StrayValues(TableFactory.Output output) {
    this.output = output;
  }

  @Override
  public boolean takes(ValuePointer pointer) {
    return pointer.valueLength() <= ScanCosts.STRAY_BYTES_MAX;
  }

  @Override
  public void put(EntryLot lot, int entry, ValuePointer pointer, byte[] value) {
    output
        .writer()
        .add(
            lot.bytes(),
            lot.keyOffset(entry),
            lot.keyLength(entry),
            EntryKind.PUT,
            lot.seqno(entry),
            ByteBuffer.wrap(value),
            0,
            pointer.valueLength());
  }

  @Override
  public void damaged(ValuePointer pointer, CorruptionException damage) {
    // A read of that key will say so; nothing waits for this value.
  }
}
