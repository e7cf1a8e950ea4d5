// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard.worker;

import io.github.rlsm.kv.KvStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * A barrier at which several shards each run one action at the same moment. A worker that has run
 * its part serves no other request until all parts have ended. So the parts together see one
 * consistent state.
 *
 * <p>Threads: created and awaited by a caller; the workers run the parts.
 */
final class SnapshotBarrier<T> {

  private final int[] shards;
  private final Shards.BarrierAction<T> action;
  private final Countdown left;
  private final AtomicReferenceArray<@Nullable T> results;
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  /**
   * Creates a barrier.
   *
   * @param shards the shards that take part
   */
  SnapshotBarrier(int[] shards, Shards.BarrierAction<T> action) {
    this.shards = shards;
    this.action = action;
    this.left = new Countdown(shards.length);
    this.results = new AtomicReferenceArray<>(shards.length);
  }

  /** Returns the request to the shard at an index of the shards that take part. */
  Request part(int place) {
    return new PartRequest(place);
  }

  /** Parks until all parts have ended. */
  void await() {
    left.await();
  }

  /** Returns the first failure of a part, or null. Call it after all parts have ended. */
  @Nullable
  Throwable failure() {
    return failure.get();
  }

  /** Returns the results of the parts that succeeded. */
  List<T> results() {
    List<T> done = new ArrayList<>();
    for (int i = 0; i < shards.length; i++) {
      T result = results.get(i);
      if (result != null) {
        done.add(result);
      }
    }
    return done;
  }

  private final class PartRequest extends Request {

    private final int place;

    PartRequest(int place) {
      this.place = place;
    }

    @Override
    public void run(KvStore store) {
      try {
        results.set(place, action.run(shards[place], store));
      } catch (RuntimeException e) {
        fail(e);
        left.await();
        return;
      }
      finish();
      left.down();
      left.await();
    }

    @Override
    protected void failed(Throwable cause) {
      failure.compareAndSet(null, cause);
      left.down();
    }
  }
}
