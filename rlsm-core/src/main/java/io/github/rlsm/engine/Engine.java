// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import io.github.rlsm.background.BackgroundError;
import io.github.rlsm.background.BackgroundWork;
import io.github.rlsm.background.StoreFiles;
import io.github.rlsm.background.StoreMemory;
import io.github.rlsm.background.WriteThrottle;
import io.github.rlsm.base.PartHeader;
import io.github.rlsm.io.MappedFaults;
import io.github.rlsm.io.StoreDirectory;
import io.github.rlsm.kv.Durability;
import io.github.rlsm.kv.Stats;
import io.github.rlsm.kv.StoreHealth;
import io.github.rlsm.kv.VerifyListener;
import io.github.rlsm.kv.VerifyReport;
import io.github.rlsm.log.RecordEncoder.Batch;
import io.github.rlsm.read.Lookup;
import io.github.rlsm.read.OperationGuard;
import io.github.rlsm.read.Scan;
import io.github.rlsm.read.Scans;
import io.github.rlsm.read.SnapshotHandle;
import io.github.rlsm.read.Snapshots;
import io.github.rlsm.thread.Environment;
import io.github.rlsm.version.KeyspaceCatalog;
import java.nio.ByteBuffer;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The engine of one store or shard: operations on its log, memory and files. A key consists of a
 * keyspace prefix and the user's bytes. The store above checks all arguments.
 *
 * <p>Threads: any. {@link #close} waits for running calls and rejects later ones.
 */
public final class Engine implements AutoCloseable {

  final StoreFiles files;
  final StoreMemory memory;
  final LogForce force;
  final BackgroundWork background;
  final ActiveGeneration active;
  final WritePath writes;
  private final WriteThrottle throttle;
  final Lookup lookup;
  final Snapshots snapshots;
  private final Scans scans;
  private final ConditionalWrites conditional;
  private final Keyspaces keyspaces;
  private final BackgroundError errors;
  private final OperationGuard guard = new OperationGuard();
  private final EngineClosing closing;
  private final EngineStats stats;

  /** Creates an engine from its sides. Its background work has not started. */
  Engine(
      StoreFiles files,
      StoreMemory memory,
      LogForce force,
      CommittedSeqno committed,
      BackgroundWork background,
      LongSupplier nanoClock) {
    this.files = files;
    this.memory = memory;
    this.force = force;
    this.background = background;
    errors = files.errors();
    active = new ActiveGeneration(memory, background, nanoClock);
    writes = new WritePath(active, memory, committed, background);
    throttle = background.throttle();
    lookup = new Lookup(memory.readStates(), files.values(), nanoClock);
    snapshots = new Snapshots(memory.readStates(), memory.published(), memory.snapshots());
    scans = new Scans(guard, snapshots, files.values(), nanoClock, background::kick);
    conditional = new ConditionalWrites(writes, lookup);
    keyspaces = new Keyspaces(files, memory.readStates(), background);
    closing = new EngineClosing(files, memory, force);
    stats = new EngineStats(this);
  }

  /**
   * Opens the store in a directory, and creates one if the directory is empty.
   *
   * @throws io.github.rlsm.kv.KvException if it cannot be opened; then all resources are released
   *     and no data on disk is lost
   */
  public static Engine open(
      StoreDirectory directory, EngineOpening.Settings settings, Environment environment) {
    return EngineOpening.open(directory, settings, environment);
  }

  /** Runs a call of the user, and keeps the store open during it. */
  private <T> T inside(Supplier<T> call) {
    int stripe = guard.enter();
    try {
      return call.get();
    } catch (InternalError e) {
      throw MappedFaults.explain(e);
    } finally {
      guard.leave(stripe);
    }
  }

  /** As {@link #inside(Supplier)}, for a call without a result. */
  private void inside(Runnable call) {
    inside(() -> {
      call.run();
      return this;
    });
  }

  // ----- writing

  /**
   * Sets the value of a key.
   *
   * @param key from {@link WriteScratch#of}; released by this call
   */
  public void put(WriteScratch key, byte[] value, int offset, int length, Durability durability) {
    int stripe = guard.enter();
    try {
      long bytes = (long) key.userKeyLength + length;
      key.owedNanos = throttle.delay(key.owedNanos, bytes);
      writes.put(key, value, offset, length, durability);
      writes.count(1, bytes);
    } catch (InternalError e) {
      throw MappedFaults.explain(e);
    } finally {
      guard.leave(stripe); // first: a thread without stack may not reach the next line
      key.release();
    }
  }

  /**
   * Removes a key.
   *
   * @param key from {@link WriteScratch#of}; released by this call
   */
  public void delete(WriteScratch key, Durability durability) {
    int stripe = guard.enter();
    try {
      key.owedNanos = throttle.delay(key.owedNanos, key.userKeyLength);
      writes.delete(key, durability);
      writes.count(1, key.userKeyLength);
    } catch (InternalError e) {
      throw MappedFaults.explain(e);
    } finally {
      guard.leave(stripe);
      key.release();
    }
  }

  /** Applies a batch atomically. */
  public void write(Batch batch, Durability durability) {
    int stripe = guard.enter();
    try {
      if (batch.operations() > 0) {
        write(batch, durability, null, () -> true);
      } else if (durability == Durability.SYNC) {
        writes.sync(); // a SYNC write also makes all earlier writes durable
      }
    } catch (InternalError e) {
      throw MappedFaults.explain(e);
    } finally {
      guard.leave(stripe);
    }
  }

  /**
   * Applies this store's part of a cross-shard batch, atomically. The part survives a crash of the
   * process. The store must have been opened together with the other stores
   * ({@link EngineOpening}). Call this for one part at a time, in the order of their numbers.
   *
   * @param consent asked once the part has reserved all that it needs; returns whether to write the
   *     part; may block, must not throw
   * @return whether the part was written
   */
  public boolean writePart(Batch part, PartHeader header, BooleanSupplier consent) {
    return inside(() -> write(part, Durability.OS, header, consent));
  }

  private boolean write(
      Batch batch, Durability durability, @Nullable PartHeader header, BooleanSupplier consent) {
    WriteScratch scratch = WriteScratch.take();
    try {
      scratch.owedNanos = throttle.delay(scratch.owedNanos, batch.bytes());
      boolean isWritten = writes.writeBatch(scratch, batch, durability, header, consent);
      if (isWritten) {
        writes.count(batch.operations(), batch.bytes());
      }
      return isWritten;
    } finally {
      scratch.release();
    }
  }

  /**
   * Makes all parts of cross-shard batches written so far durable. Unlike {@link #sync}, it
   * promises nothing and calls no other store. So stores that wait for each other's parts cannot
   * deadlock in it.
   */
  public void forceParts() {
    if (writes.hasUnforcedPart()) { // none if the store is closing: it has made all durable
      inside(writes::forceParts);
    }
  }

  /** Throws if the store is read-only. */
  public void checkWrites() {
    errors.check();
  }

  /** Returns the current health of the store, even while other calls wait. */
  public StoreHealth health() {
    return errors.health();
  }

  /** Retries failed background work at once. */
  public void resume() {
    inside(errors::resume);
  }

  /** Makes the store read-only. From then on it promises no durability. */
  public void fail(Throwable cause) {
    errors.set(cause);
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
    return inside(() -> conditional.replace(prefix, key, expected, replacement, durability));
  }

  /**
   * The result of a conditional write.
   *
   * @param applied whether the write happened
   * @param found the value before the write, null if the key was absent
   */
  @SuppressWarnings("ArrayRecordComponent") // a pair of results, never compared
  public record Conditional(boolean applied, byte @Nullable [] found) {}

  /** Makes every write acknowledged so far durable. */
  public void sync() {
    inside(writes::sync);
  }

  /** Flushes all memory components to level 0. */
  public void flush() {
    inside(writes::flush);
  }

  /** Flushes, and waits until all idle-time maintenance is done. */
  public void settle() {
    inside(() -> {
      memory.segments().calm();
      writes.flush();
      background.settle(active::shrinkLog);
    });
  }

  /**
   * Reclaims every value segment whose removal frees space.
   *
   * @return bytes freed during the call, less the bytes written to free them
   */
  public long collect() {
    return inside(() -> {
      long before = background.netFreedBytes();
      long end = active.tailSeqno();
      writes.flush();
      background.collectAll(end);
      return background.netFreedBytes() - before;
    });
  }

  // ----- reading: these lookups report faults of mapped files themselves

  /** Returns the value of a key, or null. */
  public byte @Nullable [] get(byte[] prefix, byte[] key, int offset, int length) {
    int stripe = guard.enter();
    try {
      return lookup.get(prefix, key, offset, length);
    } finally {
      guard.leave(stripe);
    }
  }

  /** Whether a key is present; does not read its value. */
  public boolean contains(byte[] prefix, byte[] key, int offset, int length) {
    int stripe = guard.enter();
    try {
      return lookup.contains(prefix, key, offset, length);
    } finally {
      guard.leave(stripe);
    }
  }

  /** See {@link Lookup#get(byte[], byte[], int, int, ByteBuffer)}. */
  public int get(byte[] prefix, byte[] key, int offset, int length, ByteBuffer destination) {
    int stripe = guard.enter();
    try {
      return lookup.get(prefix, key, offset, length, destination);
    } finally {
      guard.leave(stripe);
    }
  }

  /** Takes a snapshot handle on the current state of the store. */
  public SnapshotHandle snapshot() {
    return inside(snapshots::take);
  }

  /** As {@link #get}, in the state that the handle sees. */
  public byte @Nullable [] get(
      SnapshotHandle handle, byte[] prefix, byte[] key, int offset, int length) {
    int stripe = guard.enter();
    try {
      return lookup.get(handle, prefix, key, offset, length);
    } finally {
      guard.leave(stripe);
    }
  }

  /**
   * Opens a scan over a key range of the state that the handle sees. Closing the scan releases the
   * handle.
   */
  public Scan scan(SnapshotHandle handle, Scans.Request request) {
    return scans.open(handle, request);
  }

  /** Returns another handle on the same state, to be released separately. */
  public SnapshotHandle share(SnapshotHandle handle) {
    return inside(() -> snapshots.share(handle));
  }

  /** Releases a snapshot handle. A second call, or a call after close, does nothing. */
  public void release(SnapshotHandle handle) {
    snapshots.release(handle);
  }

  // ----- keyspaces

  /** Returns the current keyspaces. */
  public KeyspaceCatalog keyspaces() {
    return inside(keyspaces::catalog);
  }

  /** Returns the id of the keyspace with that name. Creates a missing keyspace. */
  public int keyspace(String name) {
    return inside(() -> keyspaces.idOf(name));
  }

  /** Drops a keyspace. */
  public void dropKeyspace(int id) {
    inside(() -> keyspaces.drop(id));
  }

  // ----- the rest

  /** Returns the statistics of the store. */
  public Stats stats() {
    return inside(stats::stats);
  }

  /** Reads and checks the whole store. */
  public VerifyReport verify(VerifyListener listener) {
    return inside(() -> new Verification(files, memory, listener).run());
  }

  /** Closes the store. Waits for running calls, and makes the log durable. */
  @Override
  public void close() {
    background.stopWaiting();
    guard.closeAndAwait();
    snapshots.releaseAll();
    background.close();
    try {
      if (errors.isSet()) {
        force.forceAnyway();
      } else {
        writes.forceAll();
        files.recordDurable(active.tailSeqno());
        force.detach();
      }
    } finally {
      closing.close();
    }
  }
}
