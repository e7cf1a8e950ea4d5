// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import io.github.rlsm.kv.StoreFailedException;
import java.util.Objects;
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

  /** Makes the store read-only, if it is not so yet. */
  void set(Throwable cause) {
    if (!first.compareAndSet(null, cause) && !(cause instanceof StoreFailedException)) {
      Objects.requireNonNull(first.get()).addSuppressed(cause);
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
