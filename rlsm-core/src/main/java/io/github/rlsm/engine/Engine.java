// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import io.github.rlsm.base.PartMark;
import io.github.rlsm.io.MappedFaults;
import io.github.rlsm.io.StoreDirectory;
import io.github.rlsm.kv.Durability;
import io.github.rlsm.kv.KvReader;
import io.github.rlsm.kv.Stats;
import io.github.rlsm.kv.StoreHealth;
import io.github.rlsm.kv.VerifyListener;
import io.github.rlsm.kv.VerifyReport;
import io.github.rlsm.thread.Environment;
import io.github.rlsm.version.KeyspaceCatalog;
import io.github.rlsm.version.VersionEdit;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The engine of one store or shard: operations on its log, memory and files. A key consists of a
 * keyspace prefix and the user's bytes. The store above checks all arguments.
 *
 * <p>Threads: any. {@link #close} waits for running calls and rejects later ones.
 */
public final class Engine implements AutoCloseable {

  private final EngineParts parts;
  private final OperationGuard guard = new OperationGuard();
  private final Snapshots snapshots;
  private final Lookup lookup;

  /** Creates an engine from its open parts. */
  Engine(EngineParts parts) {
    this.parts = parts;
    this.lookup = new Lookup(parts);
    this.snapshots = new Snapshots(parts);
  }

  /**
   * Opens the store in a directory, and creates one if the directory is empty.
   *
   * @throws io.github.rlsm.kv.KvException if it cannot be opened; then all resources are released
   *     and no data on disk is lost
   */
  public static Engine open(
      StoreDirectory directory, EngineSettings settings, Environment environment) {
    EngineParts parts = EngineOpening.open(directory, settings, environment);
    try {
      return new Engine(parts);
    } catch (OutOfMemoryError e) {
      parts.close();
      throw e;
    }
  }

  // ----- writing

  /** Sets the value of a key. */
  public void put(
      byte[] prefix,
      byte[] key,
      int keyOffset,
      int keyLength,
      byte[] value,
      int valueOffset,
      int valueLength,
      Durability durability) {
    WriteScratch scratch = WriteScratch.own();
    int stripe = guard.enter();
    try {
      scratch.setKey(prefix, key, keyOffset, keyLength);
      parts.throttle.delay(scratch, (long) keyLength + valueLength);
      parts.writes.put(scratch, value, valueOffset, valueLength, durability);
      parts.counters.countWrite(1, (long) keyLength + valueLength);
    } catch (InternalError e) {
      throw MappedFaults.explain(e);
    } finally {
      guard.leave(stripe); // first: a thread without stack may not reach the next line
      scratch.release();
    }
  }

  /** Removes a key. */
  public void delete(byte[] prefix, byte[] key, int offset, int length, Durability durability) {
    WriteScratch scratch = WriteScratch.own();
    int stripe = guard.enter();
    try {
      scratch.setKey(prefix, key, offset, length);
      parts.throttle.delay(scratch, length);
      parts.writes.delete(scratch, durability);
      parts.counters.countWrite(1, length);
    } catch (InternalError e) {
      throw MappedFaults.explain(e);
    } finally {
      guard.leave(stripe);
      scratch.release();
    }
  }

  /** Applies a batch atomically. */
  public void write(Batch batch, Durability durability) {
    int stripe = guard.enter();
    try {
      if (batch.operations() == 0) {
        if (durability == Durability.SYNC) {
          parts.writes.sync(); // a SYNC write also makes all earlier writes durable
        }
        return;
      }
      write(batch, durability, null, Engine::consents);
    } catch (InternalError e) {
      throw MappedFaults.explain(e);
    } finally {
      guard.leave(stripe);
    }
  }

  /** The consent to a batch that is not part of a cross-shard batch. */
  private static boolean consents() {
    return true;
  }

  private boolean write(
      Batch batch, Durability durability, @Nullable PartMark mark, BooleanSupplier consent) {
    WriteScratch scratch = WriteScratch.own();
    try {
      parts.throttle.delay(scratch, batch.bytes());
      parts.writes.beginBatch(scratch, batch.operations(), durability, mark);
      boolean inValueLog = batch.encode(scratch.encoder) >= parts.settings.separationBytes();
      if (!parts.writes.writeBatch(scratch, inValueLog, durability, mark, consent)) {
        return false;
      }
      parts.counters.countWrite(batch.operations(), batch.bytes());
      return true;
    } finally {
      scratch.release();
    }
  }

  /**
   * Applies this store's part of a cross-shard batch, atomically. The part survives a crash of the
   * process. The store must have been opened together with the other stores
   * ({@link EnginePreparation}). Call this for one part at a time, in the order of their numbers.
   *
   * @param consent asked once the part has reserved all that it needs; returns whether to write the
   *     part; may block, must not throw
   * @return whether the part was written
   */
  public boolean writePart(Batch part, PartMark mark, BooleanSupplier consent) {
    int stripe = guard.enter();
    try {
      return write(part, Durability.OS, mark, consent);
    } catch (InternalError e) {
      throw MappedFaults.explain(e);
    } finally {
      guard.leave(stripe);
    }
  }

  /**
   * Makes all parts of cross-shard batches written so far durable. Unlike {@link #sync}, it
   * promises nothing and calls no other store. So stores that wait for each other's parts cannot
   * deadlock in it.
   */
  public void forceParts() {
    if (!parts.writes.hasUnforcedPart()) {
      return; // also when the store is closing, which has made all parts durable
    }
    int stripe = guard.enter();
    try {
      parts.writes.forceParts();
    } catch (InternalError e) {
      throw MappedFaults.explain(e);
    } finally {
      guard.leave(stripe);
    }
  }

  /** Throws if the store is read-only. */
  public void checkWrites() {
    parts.errors.check();
  }

  /** Returns the current health of the store, even while other calls wait. */
  public StoreHealth health() {
    return parts.errors.health();
  }

  /** Retries failed background work at once. */
  public void resume() {
    int stripe = guard.enter();
    try {
      parts.errors.resume();
    } catch (InternalError e) {
      throw MappedFaults.explain(e);
    } finally {
      guard.leave(stripe);
    }
  }

  /** Makes the store read-only. From then on it promises no durability. */
  public void fail(Throwable cause) {
    parts.errors.set(cause);
  }

  /**
   * Atomically replaces a value if it equals the expected one.
   *
   * @param expected null if the key must be absent
   * @param replacement null to remove the key
   */
  public Conditional replace(
      byte[] prefix,
      byte[] key,
      byte @Nullable [] expected,
      byte @Nullable [] replacement,
      Durability durability) {
    int stripe = guard.enter();
    try {
      while (true) {
        byte[] now = lookup.get(prefix, key, 0, key.length);
        if (!Arrays.equals(now, expected)) {
          return new Conditional(false, now);
        }
        Conditional done = tryReplace(prefix, key, expected, replacement, durability);
        if (done != null) {
          return done;
        }
      }
    } catch (InternalError e) {
      throw MappedFaults.explain(e);
    } finally {
      guard.leave(stripe);
      WriteScratch.own().release();
    }
  }

  /**
   * The result of a conditional write.
   *
   * @param applied whether the write happened
   * @param found the value before the write, null if the key was absent
   */
  @SuppressWarnings("ArrayRecordComponent") // a pair of results, never compared
  public record Conditional(boolean applied, byte @Nullable [] found) {}

  private @Nullable Conditional tryReplace(
      byte[] prefix,
      byte[] key,
      byte @Nullable [] expected,
      byte @Nullable [] replacement,
      Durability durability) {
    WriteScratch scratch = WriteScratch.own();
    scratch.setKey(prefix, key, 0, key.length);
    boolean inValueLog = parts.writes.build(scratch, replacement, durability);
    Conditional[] result = new Conditional[1];
    WritePath.Premise premise = seqno -> {
      Lookup.Before before = lookup.before(prefix, key, seqno);
      if (before == null) {
        return WritePath.Verdict.RETRY;
      }
      boolean asExpected = Arrays.equals(before.value(), expected);
      result[0] = new Conditional(asExpected, before.value());
      return asExpected ? WritePath.Verdict.APPLY : WritePath.Verdict.WITHDRAW;
    };
    WritePath.Verdict verdict =
        parts.writes.writeIf(scratch, inValueLog, replacement == null, durability, premise);
    if (verdict == WritePath.Verdict.APPLY) {
      long bytes = key.length + (replacement == null ? 0L : replacement.length);
      parts.counters.countWrite(1, bytes);
    }
    return verdict == WritePath.Verdict.RETRY ? null : result[0];
  }

  /** Makes every write acknowledged so far durable. */
  public void sync() {
    int stripe = guard.enter();
    try {
      parts.writes.sync();
    } catch (InternalError e) {
      throw MappedFaults.explain(e);
    } finally {
      guard.leave(stripe);
    }
  }

  /** Flushes all memory components to level 0. */
  public void flush() {
    int stripe = guard.enter();
    try {
      parts.flushAll();
    } catch (InternalError e) {
      throw MappedFaults.explain(e);
    } finally {
      guard.leave(stripe);
    }
  }

  /** Flushes, and waits until all idle-time maintenance is done. */
  public void settle() {
    int stripe = guard.enter();
    try {
      parts.settle();
    } catch (InternalError e) {
      throw MappedFaults.explain(e);
    } finally {
      guard.leave(stripe);
    }
  }

  /**
   * Reclaims every value segment whose removal frees space.
   *
   * @return bytes freed during the call, less the bytes written to free them
   */
  public long collect() {
    int stripe = guard.enter();
    try {
      long before = netFreedBytes();
      parts.collectAll();
      return netFreedBytes() - before;
    } catch (InternalError e) {
      throw MappedFaults.explain(e);
    } finally {
      guard.leave(stripe);
    }
  }

  private long netFreedBytes() {
    return parts.counters.netFreedBytes() + parts.values.holes().punchedBytes();
  }

  // ----- reading

  /** Returns the value of a key, or null. */
  public byte @Nullable [] get(byte[] prefix, byte[] key, int offset, int length) {
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
  public boolean contains(byte[] prefix, byte[] key, int offset, int length) {
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
   * @return the length of the value; {@link KvReader#NOT_FOUND} if the key is absent
   */
  public int get(byte[] prefix, byte[] key, int offset, int length, ByteBuffer destination) {
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
  public SnapshotHandle snapshot() {
    int stripe = guard.enter();
    try {
      return snapshots.take();
    } catch (InternalError e) {
      throw MappedFaults.explain(e);
    } finally {
      guard.leave(stripe);
    }
  }

  /** As {@link #get}, in the state that the handle sees. */
  public byte @Nullable [] get(
      SnapshotHandle handle, byte[] prefix, byte[] key, int offset, int length) {
    int stripe = guard.enter();
    try {
      // Hold the state during the read: another thread may release the handle at any time.
      SnapshotState snapshot = snapshots.hold(handle);
      try {
        return lookup.get(snapshot, prefix, key, offset, length);
      } finally {
        snapshot.unpin();
      }
    } catch (InternalError e) {
      throw MappedFaults.explain(e);
    } finally {
      guard.leave(stripe);
    }
  }

  /**
   * Opens a scan over a key range of the state that the handle sees. Closing the scan resnapshots
   * the lease.
   */
  public EngineScan scan(SnapshotHandle handle, ScanRequest request) {
    return new EngineScan(parts, guard, snapshots, handle, request);
  }

  /** Returns another handle on the same state, to be released separately. */
  public SnapshotHandle share(SnapshotHandle handle) {
    int stripe = guard.enter();
    try {
      return snapshots.share(handle);
    } catch (InternalError e) {
      throw MappedFaults.explain(e);
    } finally {
      guard.leave(stripe);
    }
  }

  /** Resnapshots a snapshot handle. A second call, or a call after close, does nothing. */
  public void release(SnapshotHandle handle) {
    snapshots.release(handle);
  }

  // ----- keyspaces

  /** Returns the current keyspaces. */
  public KeyspaceCatalog keyspaces() {
    int stripe = guard.enter();
    try {
      return parts.versions.current().keyspaces();
    } catch (InternalError e) {
      throw MappedFaults.explain(e);
    } finally {
      guard.leave(stripe);
    }
  }

  /** Returns the id of the keyspace with that name. Creates a missing keyspace. */
  public int keyspace(String name) {
    int stripe = guard.enter();
    try {
      OptionalInt known = parts.versions.current().keyspaces().id(name);
      if (known.isPresent()) {
        return known.getAsInt();
      }
      return parts
          .install(current -> {
            VersionEdit.Builder edit = VersionEdit.builder();
            if (current.keyspaces().id(name).isEmpty()) {
              edit.createKeyspace(current.keyspaces().nextId(), name);
            }
            return edit.build();
          })
          .keyspaces()
          .id(name)
          .orElseThrow();
    } catch (InternalError e) {
      throw MappedFaults.explain(e);
    } finally {
      guard.leave(stripe);
    }
  }

  /** Whether a keyspace was already dropped when the handle was taken. */
  public static boolean isDropped(SnapshotHandle handle, int id) {
    KeyspaceCatalog then = handle.state().files().version().keyspaces();
    return id < then.nextId() && !then.isLive(id);
  }

  /** Drops a keyspace. */
  public void dropKeyspace(int id) {
    int stripe = guard.enter();
    try {
      parts.install(current -> VersionEdit.builder().dropKeyspace(id).build());
      parts.readStates.refresh(); // snapshots taken from now on do not see the keyspace
      parts.compactor.kick();
    } catch (InternalError e) {
      throw MappedFaults.explain(e);
    } finally {
      guard.leave(stripe);
    }
  }

  // ----- the rest

  /** Returns the statistics of the store. */
  public Stats stats() {
    int stripe = guard.enter();
    try {
      return new EngineStats(parts, snapshots.count()).picture();
    } catch (InternalError e) {
      throw MappedFaults.explain(e);
    } finally {
      guard.leave(stripe);
    }
  }

  /** Reads and checks the whole store. */
  public VerifyReport verify(VerifyListener listener) {
    int stripe = guard.enter();
    try {
      return new Verification(parts, listener).run();
    } catch (InternalError e) {
      throw MappedFaults.explain(e);
    } finally {
      guard.leave(stripe);
    }
  }

  /** Returns the ages of all open snapshots in nanoseconds, oldest first. */
  public List<Long> leaseAgesNanos() {
    return snapshots.agesNanos();
  }

  @Override
  public void close() {
    parts.stopWaiting();
    guard.closeAndAwait();
    snapshots.releaseAll();
    parts.close();
  }
}
