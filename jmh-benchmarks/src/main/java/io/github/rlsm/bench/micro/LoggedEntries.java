// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.micro;

import io.github.rlsm.base.KeyHash;
import io.github.rlsm.log.LogGeneration;
import io.github.rlsm.log.RecordEncoder;
import io.github.rlsm.log.RecordLayout;
import io.github.rlsm.log.RecordWriter;
import io.github.rlsm.memory.MembufferArrays;
import io.github.rlsm.memory.MemoryComponent;
import io.github.rlsm.memory.OlderVersions;
import io.github.rlsm.memory.SnapshotRegistry;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Records of puts in one generation of the log. Benchmarks build memory components over them.
 *
 * <p>Threads: immutable after construction; any thread may {@link #insert}.
 */
final class LoggedEntries implements AutoCloseable {

  private static final int VALUE_BYTES = 100;
  private static final int RECORD_BYTES_MAX = 160;
  private static final long NO_PROMISE = -1;

  /** Stays empty, so that all threads share it: no benchmark opens a snapshot. */
  private static final OlderVersions.Spare NONE = new OlderVersions.Spare();

  private final ScratchLog log;
  private final SnapshotRegistry snapshots = new SnapshotRegistry();
  private final int[] locations;
  private final long[] seqnos;

  /** Logs one put for each key number from 0 to {@code count - 1}. */
  LoggedEntries(int count) {
    log = new ScratchLog(Math.max(1 << 20, count * RECORD_BYTES_MAX));
    locations = new int[count];
    seqnos = new long[count];
    InternalKeys keys = new InternalKeys();
    RecordEncoder encoder = new RecordEncoder();
    RecordWriter writer = new RecordWriter();
    byte[] value = new byte[VALUE_BYTES];
    for (int id = 0; id < count; id++) {
      encoder.put(keys.key(id), InternalKeys.BYTES, value, 0, VALUE_BYTES, NO_PROMISE);
      long reservation = log.append(encoder, writer, false, false);
      locations[id] = RecordLayout.location(false, false, LogGeneration.offset(reservation, false));
      seqnos[id] = log.generation().seqno(reservation);
    }
  }

  int count() {
    return locations.length;
  }

  /** Creates an empty component over the log. */
  MemoryComponent component(MemoryComponent.Shape shape, @Nullable MembufferArrays arrays) {
    return new MemoryComponent(log.generation(), log.published(), snapshots, shape, arrays);
  }

  /** Inserts the key with number {@code id} under a claimed entry number. */
  void insert(MemoryComponent component, int entry, InternalKeys keys, int id) {
    byte[] key = keys.key(id);
    long hash = KeyHash.hash(key, 0, InternalKeys.BYTES);
    long reference = component.reference(locations[id], seqnos[id]);
    component.insert(entry, key, InternalKeys.BYTES, hash, reference, NONE);
  }

  @Override
  public void close() throws IOException {
    log.close();
  }
}
