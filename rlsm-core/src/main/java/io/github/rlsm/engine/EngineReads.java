// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import io.github.rlsm.io.MappedFaults;
import io.github.rlsm.read.Lookup;
import io.github.rlsm.read.OperationGuard;
import io.github.rlsm.read.SnapshotHandle;
import io.github.rlsm.read.Snapshots;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The reads of users: lookups and snapshots. Keeps the store open during each.
 *
 * <p>Threads: any.
 */
final class EngineReads {

  private final OperationGuard guard;
  private final Lookup lookup;
  private final Snapshots snapshots;

  EngineReads(OperationGuard guard, Lookup lookup, Snapshots snapshots) {
    this.guard = guard;
    this.lookup = lookup;
    this.snapshots = snapshots;
  }

  /** Returns the value of a key, or null. */
  byte @Nullable [] get(byte[] prefix, byte[] key, int offset, int length) {
    int stripe = guard.enter();
    try {
      return lookup.get(prefix, key, offset, length);
    } catch (InternalError e) {
      throw MappedFaults.explain(e);
    } finally {
      guard.leave(stripe);
    }
  }

  /** Whether a key is present; does not read its value. */
  boolean contains(byte[] prefix, byte[] key, int offset, int length) {
    int stripe = guard.enter();
    try {
      return lookup.contains(prefix, key, offset, length);
    } catch (InternalError e) {
      throw MappedFaults.explain(e);
    } finally {
      guard.leave(stripe);
    }
  }

  /**
   * Copies as much of a key's value as fits, and advances the destination's position by it.
   *
   * @return the length of the value; {@link io.github.rlsm.kv.KvReader#NOT_FOUND} if the key is
   *     absent
   */
  int get(byte[] prefix, byte[] key, int offset, int length, ByteBuffer destination) {
    int stripe = guard.enter();
    try {
      return lookup.get(prefix, key, offset, length, destination);
    } catch (InternalError e) {
      throw MappedFaults.explain(e);
    } finally {
      guard.leave(stripe);
    }
  }

  /** Takes a snapshot handle on the current state of the store. */
  SnapshotHandle snapshot() {
    int stripe = guard.enter();
    try {
      return snapshots.take();
    } catch (InternalError e) {
      throw MappedFaults.explain(e);
    } finally {
      guard.leave(stripe);
    }
  }

  /** As {@link #get(byte[], byte[], int, int)}, in the state that the handle sees. */
  byte @Nullable [] get(SnapshotHandle handle, byte[] prefix, byte[] key, int offset, int length) {
    int stripe = guard.enter();
    try {
      return lookup.get(handle, prefix, key, offset, length);
    } catch (InternalError e) {
      throw MappedFaults.explain(e);
    } finally {
      guard.leave(stripe);
    }
  }

  /** Returns another handle on the same state, to be released separately. */
  SnapshotHandle share(SnapshotHandle handle) {
    int stripe = guard.enter();
    try {
      return snapshots.share(handle);
    } catch (InternalError e) {
      throw MappedFaults.explain(e);
    } finally {
      guard.leave(stripe);
    }
  }
}
