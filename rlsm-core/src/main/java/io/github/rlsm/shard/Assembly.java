// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard;

import io.github.rlsm.kv.KvStore;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Something done to all shards in a fixed order while no worker does anything else: the last one to
 * arrive does it, then all go on. If a worker is gone, it is not done at all.
 *
 * <p>Threads: made and awaited by a caller; the parts belong to the workers.
 */
final class Assembly {

  private final Runnable action;
  private final Countdown arrivals;
  private final Countdown over = new Countdown(1);
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  Assembly(int shards, Runnable action) {
    this.action = action;
    this.arrivals = new Countdown(shards);
  }

  /** The request to any one of the shards. */
  Request part() {
    return new PartRequest();
  }

  /** Parks until it is over; throws what it failed with. */
  void await() {
    over.await();
    Throwable cause = failure.get();
    if (cause != null) {
      throw Request.rethrown(cause);
    }
  }

  private void arrive() {
    if (!arrivals.down()) {
      return;
    }
    try {
      if (failure.get() == null) {
        action.run();
      }
    } catch (RuntimeException | Error e) {
      failure.set(e);
    } finally {
      over.down();
    }
  }

  private final class PartRequest extends Request {

    @Override
    Access access() {
      return Access.WRITES;
    }

    @Override
    void run(KvStore store) {
      arrive();
      over.await();
      finish();
    }

    @Override
    void failed(Throwable cause) {
      failure.compareAndSet(null, cause);
      if (arrivals.down()) {
        over.down();
      }
    }
  }
}
