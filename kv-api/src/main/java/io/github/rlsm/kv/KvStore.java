// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import java.util.Set;

/**
 * An ordered, durable, embedded key-value store. The store itself is its default {@link Keyspace};
 * further keyspaces are made by name.
 *
 * <p>Threads: every method may be called from any thread. {@link #close()} waits for calls that are
 * running; calls that come later, on the store or on anything obtained from it, in any order and
 * from any thread, throw {@link StoreClosedException}. Closing what is closed already does nothing.
 * Only {@link #name()}, {@link #store()}, {@link #defaultDurability()} and {@link #isClosed()}
 * answer for ever.
 */
public interface KvStore extends Keyspace, AutoCloseable {

  /** The longest key, in bytes. */
  int MAX_KEY_BYTES = 65_535 - 8;

  /** The longest value, in bytes: 512 MiB. */
  int MAX_VALUE_BYTES = 512 << 20;

  /** The longest name of a keyspace, in bytes of UTF-8. */
  int MAX_KEYSPACE_NAME_BYTES = 255;

  /** What a write without a {@link Durability} of its own gets. */
  Durability defaultDurability();

  /**
   * Applies all of the batch's operations, in their order, as one: no reader sees a part of it, and
   * after any crash either all of it is there or nothing. The batch is left as it is; an empty one
   * changes nothing.
   *
   * @throws IllegalArgumentException if the batch names a keyspace of another store; as after
   *     {@link NoSuchKeyspaceException}, none of it is applied
   */
  void write(WriteBatch batch, Durability durability);

  /** As {@link #write(WriteBatch, Durability)} with the default durability. */
  default void write(WriteBatch batch) {
    write(batch, defaultDurability());
  }

  /** The whole store, all keyspaces, frozen as it is now. Costs no copying. */
  Snapshot snapshot();

  /**
   * The keyspace of that name, made if there is none. The same name always gives the same data;
   * creation is durable when this returns.
   *
   * @param name 1 to {@link #MAX_KEYSPACE_NAME_BYTES} bytes of UTF-8
   * @throws InvalidEntryException if the name is empty, too long, or has half a surrogate pair in
   *     it
   */
  Keyspace keyspace(String name);

  /**
   * The names of the keyspaces there are now, without the default one. Later changes don't show.
   */
  Set<String> keyspaceNames();

  /**
   * Drops a keyspace with everything in it, in a time that does not depend on how much that is; the
   * space comes back in the background. Durable when this returns. A keyspace made later under the
   * same name is empty.
   *
   * @throws NoSuchKeyspaceException if there is none of that name
   */
  void dropKeyspace(String name);

  /** Makes every write acknowledged so far survive power loss, as if it had been {@code SYNC}. */
  void sync();

  /**
   * Writes what is in memory to its place on disk. Not needed for durability; see {@link #sync()}.
   */
  void flush();

  /**
   * Flushes, then waits until the store has done the background work that it can foresee. For
   * measurements. A store without such work only flushes, which is the default.
   */
  default void settle() {
    flush();
  }

  /**
   * Reads the whole store and checks it. Reports every damage instead of ending at the first. The
   * store stays usable. A close from another thread ends the check with a
   * {@link StoreClosedException}.
   *
   * <p>The default reads every entry of the store by scans, and ends at the first damage in each
   * keyspace.
   *
   * @param listener receives progress, and each damage when it is found
   * @return what was found
   */
  default VerifyReport verify(VerifyListener listener) {
    return ScanVerification.run(this, listener);
  }

  /**
   * As {@link #verify(VerifyListener)}, for a caller that expects no damage.
   *
   * @throws KvException the error of the first damage, for example a {@link CorruptionException};
   *     errors of further damages are attached as suppressed exceptions
   */
  default void verify() {
    verify(VerifyListener.NONE).throwIfDamaged();
  }

  /** Counters since the store was opened, and the space it takes now. */
  Stats stats();

  /**
   * Returns the current health of the store, with the cause if it is not healthy. A store that
   * never fails is healthy.
   */
  default StoreHealth health() {
    if (isClosed()) {
      throw new StoreClosedException("store");
    }
    return StoreHealth.HEALTHY;
  }

  /**
   * Retries at once all work that failed for a transient cause and waits for its next retry. Call
   * it when the cause is gone, for example when space was freed. Without the call the store resumes
   * by itself, only later. Does not wait for the outcome, and does nothing in a store that is not
   * {@link StoreHealth.State#DEGRADED}.
   */
  default void resume() {
    if (isClosed()) {
      throw new StoreClosedException("store");
    }
  }

  /** Whether {@link #close()} has been called. */
  boolean isClosed();

  /**
   * Makes every acknowledged write durable, stops background work and releases files and memory.
   * Unclosed iterators and snapshots become unusable, not dangerous.
   *
   * @throws StoreIoException if the last writes could not be made durable
   */
  @Override
  void close();
}
