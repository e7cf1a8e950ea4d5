// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import io.github.rlsm.base.EntryCursor;
import io.github.rlsm.base.EntryKind;
import io.github.rlsm.base.KeyOrder;
import io.github.rlsm.base.KeyRange;
import io.github.rlsm.base.ValuePointer;
import io.github.rlsm.kv.StoreClosedException;
import io.github.rlsm.log.ValueReader;
import io.github.rlsm.read.MergingCursor;
import io.github.rlsm.read.ViewCursor;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A scan over a key range of what a lease sees, without tombstones.
 *
 * <p>Threads: one thread at a time, except that the store may be closed meanwhile.
 */
public final class EngineScan implements AutoCloseable {

  private static final EntryCursor NOWHERE = new MergingCursor(List.of(), false);

  private final EngineParts parts;
  private final Gate gate;
  private final Leases leases;
  private final Lease lease;
  private final KeyRange range;
  private final boolean descending;
  private final ValueReader values = new ValueReader();
  private @Nullable EntryCursor cursor;
  private EntryCursor entry = NOWHERE;
  private byte[] key = new byte[64];
  private int keyLength;
  private boolean ended;

  EngineScan(
      EngineParts parts,
      Gate gate,
      Leases leases,
      Lease lease,
      KeyRange range,
      boolean descending) {
    this.parts = parts;
    this.gate = gate;
    this.leases = leases;
    this.lease = lease;
    this.range = range;
    this.descending = descending;
  }

  /** Goes to the next entry. Returns whether there is one. */
  public boolean next() {
    int stripe = enter();
    try {
      if (ended) {
        return false;
      }
      EntryCursor all = cursor;
      boolean more = all == null ? first() : all.next();
      while (more && isTombstone()) {
        more = cursor().next();
      }
      ended = !more || isPastEnd();
      if (!ended) {
        readKey();
      }
      return !ended;
    } finally {
      gate.leave(stripe);
    }
  }

  /** Stands on a tombstone inside the range; also puts the entry's own cursor at hand. */
  private boolean isTombstone() {
    entry = cursor().leaf();
    return entry.kind() == EntryKind.DELETE && !isPastEnd();
  }

  private boolean first() {
    EntryCursor opened = ViewCursor.of(lease.view(), lease.end(), range, descending);
    cursor = opened;
    byte[] bound = descending ? range.to() : range.from();
    if (range.isEmpty()) {
      return false;
    }
    if (bound == null) {
      return opened.seekFirst();
    }
    boolean found = opened.seek(bound, 0, bound.length);
    // The upper end is exclusive: a descending scan that stands on it begins one further.
    boolean standsOnEnd = found && descending && isKey(opened, bound);
    return standsOnEnd ? opened.next() : found;
  }

  private static boolean isKey(EntryCursor entry, byte[] key) {
    return KeyOrder.equal(
        key, 0, key.length, entry.keyBuffer(), entry.keyOffset(), entry.keyLength());
  }

  private boolean isPastEnd() {
    byte[] bound = descending ? range.from() : range.to();
    if (bound == null) {
      return false;
    }
    int order = KeyOrder.compare(
        bound, 0, bound.length, entry.keyBuffer(), entry.keyOffset(), entry.keyLength());
    return descending ? order > 0 : order <= 0;
  }

  private void readKey() {
    keyLength = entry.keyLength();
    if (keyLength > key.length) {
      key = new byte[Integer.highestOneBit(keyLength) * 2];
    }
    entry.keyBuffer().get(entry.keyOffset(), key, 0, keyLength);
  }

  /** The current internal key without its first {@code skip} bytes, in a new array. */
  public byte[] key(int skip) {
    return Arrays.copyOfRange(key, skip, keyLength);
  }

  /** The current value, in a new array. */
  public byte[] value() {
    int stripe = enter();
    try {
      if (entry.kind() == EntryKind.POINTER) {
        ValuePointer pointer = ValuePointer.read(entry.valueBuffer(), entry.valueOffset());
        parts.counters.valueReads.increment();
        return values.read(parts.values, pointer, key, 0, keyLength);
      }
      byte[] value = new byte[entry.valueLength()];
      entry.valueBuffer().get(entry.valueOffset(), value);
      return value;
    } finally {
      gate.leave(stripe);
    }
  }

  /** Throws if the scan or its store is closed. */
  public void check() {
    // Closing the store releases every lease; what this guards is the scan's own copy of the key.
    if (lease.isReleased()) {
      throw new StoreClosedException("iterator");
    }
  }

  private int enter() {
    int stripe = gate.enter();
    if (lease.isReleased()) {
      gate.leave(stripe);
      throw new StoreClosedException("iterator");
    }
    return stripe;
  }

  private EntryCursor cursor() {
    EntryCursor opened = cursor;
    if (opened == null) {
      throw new IllegalStateException("not on an entry");
    }
    return opened;
  }

  @Override
  public void close() {
    leases.release(lease);
  }
}
