// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import io.github.rlsm.kv.StoreFailedException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The first failure that left the store read-only. Later ones are attached to it, not put in its
 * place.
 *
 * <p>Threads: any.
 */
final class Fatal {

  private final AtomicReference<@Nullable Throwable> first = new AtomicReference<>();

  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

  /** Has a task run when the store becomes read-only: whoever waits for work then waits in vain. */
  void whenSet(Runnable listener) {
    listeners.add(listener);
  }

  /** Makes the store read-only, if it is not so yet. */
  @SuppressWarnings("ReferenceEquality") // one error, reported twice
  void set(Throwable cause) {
    if (first.compareAndSet(null, cause)) {
      listeners.forEach(Runnable::run);
      return;
    }
    Throwable earlier = Objects.requireNonNull(first.get());
    if (earlier != cause && !(cause instanceof StoreFailedException)) {
      earlier.addSuppressed(cause);
    }
  }

  /** Whether the store is read-only. */
  boolean isSet() {
    return first.get() != null;
  }

  /**
   * Lets a write pass.
   *
   * @throws StoreFailedException if the store is read-only
   */
  void check() {
    Throwable cause = first.get();
    if (cause != null) {
      throw new StoreFailedException(cause);
    }
  }
}
