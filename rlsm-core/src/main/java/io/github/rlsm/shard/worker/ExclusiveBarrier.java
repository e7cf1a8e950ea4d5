// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard.worker;

import io.github.rlsm.kv.KvStore;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * An exclusive barrier of all shards. The last worker to arrive runs one action, while the other
 * workers wait; then all continue. If a worker is gone, the action does not run.
 *
 * <p>Threads: created and awaited by a caller; the workers run the parts.
 */
final class ExclusiveBarrier {

  private final Runnable action;
  private final Countdown arrivals;
  private final Countdown over = new Countdown(1);
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  ExclusiveBarrier(int shards, Runnable action) {
    this.action = action;
    this.arrivals = new Countdown(shards);
  }

  /** Creates the request for any one shard. */
  Request part() {
    return new PartRequest();
  }

  /** Parks until the action has ended. Throws the failure if there was one. */
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
    public Access access() {
      return Access.WRITES;
    }

    @Override
    public void run(KvStore store) {
      arrive();
      over.await();
      finish();
    }

    @Override
    protected void failed(Throwable cause) {
      failure.compareAndSet(null, cause);
      if (arrivals.down()) {
        over.down();
      }
    }
  }
}
