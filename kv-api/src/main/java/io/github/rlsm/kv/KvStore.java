// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import java.util.Set;

/**
 * An ordered, durable, embedded key-value store. The store itself is its default {@link Keyspace}.
 * Further keyspaces are created by name.
 *
 * <p>Threads: every method may be called from any thread, platform or virtual. {@link #close()}
 * waits for calls in progress. Later calls throw {@link StoreClosedException}: on the store and on
 * every object obtained from it, in any order and from any thread. A second close does nothing.
 * Only {@link #name()}, {@link #store()}, {@link #defaultDurability()} and {@link #isClosed()} work
 * after the close.
 */
public interface KvStore extends Keyspace, AutoCloseable {

  /** The longest key, in bytes. */
  int MAX_KEY_BYTES = 65_535 - 8;

  /** The longest value, in bytes: 512 MiB. */
  int MAX_VALUE_BYTES = 512 << 20;

  /** The longest name of a keyspace, in bytes of UTF-8. */
  int MAX_KEYSPACE_NAME_BYTES = 255;

  /** The durability of writes without a {@link Durability} argument. */
  Durability defaultDurability();

  /**
   * Applies all operations of the batch, in their order, atomically. No reader sees a part of the
   * batch, and after any crash the store holds all of it or nothing. The batch itself is not
   * changed. An empty batch changes nothing.
   *
   * @throws IllegalArgumentException if the batch names a keyspace of another store
   * @throws NoSuchKeyspaceException if the batch names a dropped keyspace; in both cases no
   *     operation is applied
   */
  void write(WriteBatch batch, Durability durability);

  /** As {@link #write(WriteBatch, Durability)} with the default durability. */
  default void write(WriteBatch batch) {
    write(batch, defaultDurability());
  }

  /** Freezes the whole store, with all keyspaces, as of now. Copies nothing. */
  Snapshot snapshot();

  /**
   * Returns the keyspace with that name, and creates it if necessary. The same name always gives
   * the same data. Creation is durable when this method returns.
   *
   * @param name 1 to {@link #MAX_KEYSPACE_NAME_BYTES} bytes of UTF-8
   * @throws InvalidEntryException if the name is empty, too long, or contains an unpaired surrogate
   */
  Keyspace keyspace(String name);

  /**
   * The names of all keyspaces as of now, without the default one. Later changes are not visible.
   */
  Set<String> keyspaceNames();

  /**
   * Drops a keyspace with all its entries. The time does not depend on the size of the keyspace;
   * its space is reclaimed in the background. The drop is durable when this method returns. A
   * keyspace created later under the same name is empty.
   *
   * @throws NoSuchKeyspaceException if no keyspace has that name
   */
  void dropKeyspace(String name);

  /** Makes every write acknowledged so far survive power loss, as if it had been {@code SYNC}. */
  void sync();

  /**
   * Writes the entries in memory to their files. Not needed for durability; see {@link #sync()}.
   */
  void flush();

  /**
   * Flushes, then waits until the store has done all foreseeable background work. For measurements.
   * The default, for a store without such work, only flushes.
   */
  default void settle() {
    flush();
  }

  /**
   * Reclaims all space that can be reclaimed by relocating live data, even if the store is within
   * its limit of space. Waits for the end of that work. Data that a snapshot needs stays until the
   * snapshot is closed. The default, for a store without such work, does nothing.
   *
   * @return bytes on disk freed during the call, less the bytes written to free them
   * @throws CorruptionException if data to be relocated is damaged; the damaged files and their
   *     readable values stay, and all other space is reclaimed
   */
  default long collect() {
    checkOpen(this);
    return 0;
  }

  /**
   * Returns the calls of this store that do not wait for durability. The default makes each call
   * completely in the calling thread.
   */
  default AsyncStore async() {
    checkOpen(this);
    return new DirectAsyncStore(this);
  }

  /**
   * Reads and checks the whole store. Reports every damage instead of ending at the first one. The
   * store stays usable. A close from another thread ends the check with a
   * {@link StoreClosedException}.
   *
   * <p>The default reads every entry of the store by scans, and ends at the first damage in each
   * keyspace.
   *
   * @param listener receives progress, and each damage when it is found
   * @return the damage found
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

  /** Counters since the store was opened, and its current space. */
  Stats stats();

  /**
   * Returns the current health of the store, with the cause if the store is not healthy. A store
   * that cannot fail is always healthy.
   */
  default StoreHealth health() {
    checkOpen(this);
    return StoreHealth.HEALTHY;
  }

  /**
   * Retries at once all work that failed for a transient cause and waits for its next retry. Call
   * it after the cause is removed, for example after space was freed. Without the call the store
   * resumes by itself, but later. Does not wait for the outcome, and does nothing in a store that
   * is not {@link StoreHealth.State#DEGRADED}.
   */
  default void resume() {
    checkOpen(this);
  }

  /** Whether {@link #close()} has been called. */
  boolean isClosed();

  /**
   * Makes every acknowledged write durable, stops background work and releases files and memory.
   * Iterators and snapshots that are still open become unusable, not dangerous.
   *
   * @throws StoreIoException if the last writes could not be made durable
   */
  @Override
  void close();

  /** Throws if the store is closed. */
  private static void checkOpen(KvStore store) {
    if (store.isClosed()) {
      throw new StoreClosedException("store");
    }
  }
}
