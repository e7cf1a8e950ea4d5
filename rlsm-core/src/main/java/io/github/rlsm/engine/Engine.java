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
import io.github.rlsm.version.KeyspaceCatalog;
import io.github.rlsm.version.VersionEdit;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One shard: a log, memory and files, and what may be done with them. Keys come as a keyspace's
 * prefix and the user's bytes; arguments are checked by the store above.
 *
 * <p>Threads: any. {@link #close} waits for calls that are running and refuses later ones.
 */
public final class Engine implements AutoCloseable {

  private final EngineParts parts;
  private final Gate gate = new Gate();
  private final Leases leases;
  private final Lookup lookup;

  /** An engine of parts that are open. */
  Engine(EngineParts parts) {
    this.parts = parts;
    this.lookup = new Lookup(parts);
    this.leases = new Leases(parts);
  }

  /**
   * Opens the store in a directory, and makes one if the directory is empty.
   *
   * @throws io.github.rlsm.kv.KvException if it cannot be opened; then nothing is held and nothing
   *     on disk is lost
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

  /** Sets a value. */
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
    int stripe = gate.enter();
    try {
      scratch.setKey(prefix, key, keyOffset, keyLength);
      parts.brake.delay(scratch, (long) keyLength + valueLength);
      parts.writes.put(scratch, value, valueOffset, valueLength, durability);
      parts.counters.countWrite(1, (long) keyLength + valueLength);
    } catch (InternalError e) {
      throw MappedFaults.explain(e);
    } finally {
      gate.leave(stripe); // first: a thread without stack may get no further
      scratch.release();
    }
  }

  /** Removes a key. */
  public void delete(byte[] prefix, byte[] key, int offset, int length, Durability durability) {
    WriteScratch scratch = WriteScratch.own();
    int stripe = gate.enter();
    try {
      scratch.setKey(prefix, key, offset, length);
      parts.brake.delay(scratch, length);
      parts.writes.delete(scratch, durability);
      parts.counters.countWrite(1, length);
    } catch (InternalError e) {
      throw MappedFaults.explain(e);
    } finally {
      gate.leave(stripe);
      scratch.release();
    }
  }

  /** Applies a batch as one. */
  public void write(Batch batch, Durability durability) {
    int stripe = gate.enter();
    try {
      if (batch.operations() == 0) {
        if (durability == Durability.SYNC) {
          parts.writes.sync(); // what SYNC promises for one write it promises for all before it
        }
        return;
      }
      write(batch, durability, null, Engine::consents);
    } catch (InternalError e) {
      throw MappedFaults.explain(e);
    } finally {
      gate.leave(stripe);
    }
  }

  /** The consent to a batch that is not a part of another. */
  private static boolean consents() {
    return true;
  }

  private boolean write(
      Batch batch, Durability durability, @Nullable PartMark mark, BooleanSupplier consent) {
    WriteScratch scratch = WriteScratch.own();
    try {
      parts.brake.delay(scratch, batch.bytes());
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
   * Applies this store's part of a batch over several, atomically; it survives the death of the
   * process. The store must have been opened together with the others ({@link EnginePreparation}).
   * One part at a time, in the order of their numbers.
   *
   * @param consent asked once all that the part needs is reserved; says whether the part is to be
   *     written, may block, must not throw
   * @return whether the part was written
   */
  public boolean writePart(Batch part, PartMark mark, BooleanSupplier consent) {
    int stripe = gate.enter();
    try {
      return write(part, Durability.OS, mark, consent);
    } catch (InternalError e) {
      throw MappedFaults.explain(e);
    } finally {
      gate.leave(stripe);
    }
  }

  /**
   * Makes every part durable that was written so far. Unlike {@link #sync} it promises nothing and
   * asks nobody: so it can be waited for by whoever the other parts' stores wait for.
   */
  public void forceParts() {
    if (!parts.writes.hasUnforcedPart()) {
      return; // also of a store that is being closed, which has made all durable
    }
    int stripe = gate.enter();
    try {
      parts.writes.forceParts();
    } catch (InternalError e) {
      throw MappedFaults.explain(e);
    } finally {
      gate.leave(stripe);
    }
  }

  /** Throws if nothing may be written any more. */
  public void checkWrites() {
    parts.errors.check();
  }

  /** Returns the current health of the store. Answers while other calls wait. */
  public StoreHealth health() {
    return parts.errors.health();
  }

  /** Has background work tried again at once that failed and waits. */
  public void resume() {
    int stripe = gate.enter();
    try {
      parts.errors.resume();
    } catch (InternalError e) {
      throw MappedFaults.explain(e);
    } finally {
      gate.leave(stripe);
    }
  }

  /** Makes the store read-only, and has it promise nothing any more. */
  public void fail(Throwable cause) {
    parts.errors.set(cause);
  }

  /**
   * Replaces a value if it is what is expected, as one step.
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
    int stripe = gate.enter();
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
      gate.leave(stripe);
      WriteScratch.own().release();
    }
  }

  /**
   * How a conditional write ended.
   *
   * @param applied whether it took place
   * @param found the value that was there before, null for none
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

  /** Makes everything acknowledged so far durable. */
  public void sync() {
    int stripe = gate.enter();
    try {
      parts.writes.sync();
    } catch (InternalError e) {
      throw MappedFaults.explain(e);
    } finally {
      gate.leave(stripe);
    }
  }

  /** Writes what is in memory to level 0. */
  public void flush() {
    int stripe = gate.enter();
    try {
      parts.flushAll();
    } catch (InternalError e) {
      throw MappedFaults.explain(e);
    } finally {
      gate.leave(stripe);
    }
  }

  /** Flushes, and returns once nothing is left to do that a store does when nobody writes. */
  public void settle() {
    int stripe = gate.enter();
    try {
      parts.settle();
    } catch (InternalError e) {
      throw MappedFaults.explain(e);
    } finally {
      gate.leave(stripe);
    }
  }

  /**
   * Collects every value segment that gives space back.
   *
   * @return bytes freed meanwhile, less those that were written for it
   */
  public long collect() {
    int stripe = gate.enter();
    try {
      long before = netFreedBytes();
      parts.collectAll();
      return netFreedBytes() - before;
    } catch (InternalError e) {
      throw MappedFaults.explain(e);
    } finally {
      gate.leave(stripe);
    }
  }

  private long netFreedBytes() {
    return parts.counters.netFreedBytes() + parts.values.holes().punchedBytes();
  }

  // ----- reading

  /** The value of a key, or null. */
  public byte @Nullable [] get(byte[] prefix, byte[] key, int offset, int length) {
    int stripe = gate.enter();
    try {
      return lookup.get(prefix, key, offset, length);
    } catch (InternalError e) {
      throw MappedFaults.explain(e);
    } finally {
      gate.leave(stripe);
    }
  }

  /** Whether a key is present; does not read its value. */
  public boolean contains(byte[] prefix, byte[] key, int offset, int length) {
    int stripe = gate.enter();
    try {
      return lookup.contains(prefix, key, offset, length);
    } catch (InternalError e) {
      throw MappedFaults.explain(e);
    } finally {
      gate.leave(stripe);
    }
  }

  /**
   * Copies as much as fits of a key's value, and advances the destination's position by it.
   *
   * @return how long the value is; {@link KvReader#NOT_FOUND} if the key is absent
   */
  public int get(byte[] prefix, byte[] key, int offset, int length, ByteBuffer destination) {
    int stripe = gate.enter();
    try {
      return lookup.get(prefix, key, offset, length, destination);
    } catch (InternalError e) {
      throw MappedFaults.explain(e);
    } finally {
      gate.leave(stripe);
    }
  }

  /** Freezes what is there now, until the lease is released. */
  public Lease lease() {
    int stripe = gate.enter();
    try {
      return leases.take();
    } catch (InternalError e) {
      throw MappedFaults.explain(e);
    } finally {
      gate.leave(stripe);
    }
  }

  /** As {@link #get}, as the lease sees it. */
  public byte @Nullable [] get(Lease lease, byte[] prefix, byte[] key, int offset, int length) {
    int stripe = gate.enter();
    try {
      // Held while it is read: another thread may release the lease at any time.
      FrozenMoment moment = leases.hold(lease);
      try {
        return lookup.get(moment, prefix, key, offset, length);
      } finally {
        moment.letGo();
      }
    } catch (InternalError e) {
      throw MappedFaults.explain(e);
    } finally {
      gate.leave(stripe);
    }
  }

  /** A scan over a part of what the lease sees. The scan releases the lease when it is closed. */
  public EngineScan scan(Lease lease, ScanRequest request) {
    return new EngineScan(parts, gate, leases, lease, request);
  }

  /** Another lease on the same moment, with a life of its own. */
  public Lease share(Lease lease) {
    int stripe = gate.enter();
    try {
      return leases.share(lease);
    } catch (InternalError e) {
      throw MappedFaults.explain(e);
    } finally {
      gate.leave(stripe);
    }
  }

  /** Lets a lease go. Doing so twice, or after close, does nothing. */
  public void release(Lease lease) {
    leases.release(lease);
  }

  // ----- keyspaces

  /** The keyspaces there are. */
  public KeyspaceCatalog keyspaces() {
    int stripe = gate.enter();
    try {
      return parts.versions.current().keyspaces();
    } catch (InternalError e) {
      throw MappedFaults.explain(e);
    } finally {
      gate.leave(stripe);
    }
  }

  /** The id of the keyspace of that name, made if there is none. */
  public int keyspace(String name) {
    int stripe = gate.enter();
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
      gate.leave(stripe);
    }
  }

  /** Whether a keyspace had been dropped already when a lease was taken. */
  public static boolean isDropped(Lease lease, int id) {
    KeyspaceCatalog then = lease.view().files().version().keyspaces();
    return id < then.nextId() && !then.isLive(id);
  }

  /** Drops a keyspace. */
  public void dropKeyspace(int id) {
    int stripe = gate.enter();
    try {
      parts.install(current -> VersionEdit.builder().dropKeyspace(id).build());
      parts.views.refresh(); // a lease taken from now on knows that it is gone
      parts.compactor.kick();
    } catch (InternalError e) {
      throw MappedFaults.explain(e);
    } finally {
      gate.leave(stripe);
    }
  }

  // ----- the rest

  /** Counters, and the space taken. */
  public Stats stats() {
    int stripe = gate.enter();
    try {
      return new EngineStats(parts, leases.count()).picture();
    } catch (InternalError e) {
      throw MappedFaults.explain(e);
    } finally {
      gate.leave(stripe);
    }
  }

  /** Reads the whole store and checks it. */
  public VerifyReport verify(VerifyListener listener) {
    int stripe = gate.enter();
    try {
      return new Verification(parts, listener).run();
    } catch (InternalError e) {
      throw MappedFaults.explain(e);
    } finally {
      gate.leave(stripe);
    }
  }

  /** Leases that are open, oldest first in nanoseconds of age. */
  public List<Long> leaseAgesNanos() {
    return leases.agesNanos();
  }

  @Override
  public void close() {
    parts.stopWaiting();
    gate.closeAndAwait();
    leases.releaseAll();
    parts.close();
  }
}
