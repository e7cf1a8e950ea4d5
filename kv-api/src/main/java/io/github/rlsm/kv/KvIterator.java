// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.function.BiConsumer;

/**
 * A cursor over the entries of a {@link KvReader#scan scan}. It starts before the first entry:
 *
 * <pre>{@code
 * try (KvIterator it = store.scan(ScanOptions.prefix(prefix))) {
 *   while (it.next()) {
 *     use(it.key(), it.value());
 *   }
 * }
 * }</pre>
 *
 * <p>Threads: one thread at a time, except that any thread may close the iterator at any time. A
 * call in progress in another thread ends normally or throws {@link StoreClosedException}, and
 * never reads released memory. A second close does nothing. Any other call after a close of the
 * iterator or its store throws {@link StoreClosedException}. An iterator over a {@link Snapshot}
 * stays valid when the snapshot is closed.
 */
public interface KvIterator extends AutoCloseable {

  /** Moves to the next entry. Returns false at the end, also in repeated calls. */
  boolean next();

  /**
   * The current entry's key, in a new array.
   *
   * @throws IllegalStateException before the first {@link #next()} and after the last entry
   */
  byte[] key();

  /**
   * The current entry's value, in a new array.
   *
   * @throws IllegalStateException as {@link #key()}, and when the scan reads
   *     {@link ScanOptions.Builder#keysOnly keys only}
   */
  byte[] value();

  /** Copies the part of the key that fits and returns the full length, see {@link KvReader#get}. */
  default int key(ByteBuffer destination) {
    Objects.requireNonNull(destination, "destination");
    return Buffers.copyWhatFits(key(), destination);
  }

  /**
   * Copies the part of the value that fits and returns the full length, see {@link KvReader#get}.
   */
  default int value(ByteBuffer destination) {
    Objects.requireNonNull(destination, "destination");
    return Buffers.copyWhatFits(value(), destination);
  }

  /**
   * Passes the key and value of every remaining entry to {@code action}.
   *
   * @throws IllegalStateException if an entry remains and the scan reads keys only
   */
  default void forEachRemaining(BiConsumer<? super byte[], ? super byte[]> action) {
    Objects.requireNonNull(action, "action");
    while (next()) {
      action.accept(key(), value());
    }
  }

  @Override
  void close();
}
