// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard;

import io.github.rlsm.kv.KvIterator;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A scan of one shard whose first entries its worker has read in advance. So all shards read at the
 * same time. The thread that uses the iterator reads the rest.
 *
 * <p>Threads: created by the worker; then one thread at a time.
 */
final class GatheredIterator implements KvIterator {

  /** Bytes of keys and values after which the worker stops reading. */
  private static final long BYTES_MAX = 64 << 10;

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Entry(byte[] key, byte[] value) {}

  private final KvIterator rest;
  private final List<Entry> gathered = new ArrayList<>();
  private int place = -1;

  /** Whether {@link #rest} ended while the worker read it. */
  private boolean ended;

  /** The error that ended reading in advance. It is thrown where a plain scan would have met it. */
  private @Nullable RuntimeException failure;

  private GatheredIterator(KvIterator rest) {
    this.rest = rest;
  }

  /** Reads up to {@code entriesMax} entries of a scan, with their values. */
  static KvIterator gather(KvIterator scan, long entriesMax) {
    GatheredIterator iterator = new GatheredIterator(scan);
    try {
      iterator.gather(entriesMax);
    } catch (RuntimeException e) {
      iterator.failure = e;
    }
    return iterator;
  }

  private void gather(long entriesMax) {
    long bytes = 0;
    while (gathered.size() < entriesMax && bytes < BYTES_MAX) {
      if (!rest.next()) {
        ended = true;
        return;
      }
      Entry entry = new Entry(rest.key(), rest.value());
      bytes += entry.key.length + entry.value.length;
      gathered.add(entry);
    }
  }

  @Override
  public boolean next() {
    if (place < gathered.size()) {
      place++;
    }
    if (place < gathered.size()) {
      return true;
    }
    if (failure != null) {
      throw failure;
    }
    return !ended && rest.next();
  }

  @Override
  public byte[] key() {
    return isGathered() ? gathered.get(place).key.clone() : rest.key();
  }

  @Override
  public byte[] value() {
    return isGathered() ? gathered.get(place).value.clone() : rest.value();
  }

  private boolean isGathered() {
    return place >= 0 && place < gathered.size();
  }

  @Override
  public void close() {
    rest.close();
  }
}
