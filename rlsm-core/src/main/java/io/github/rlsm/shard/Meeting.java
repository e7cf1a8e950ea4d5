// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard;

import io.github.rlsm.kv.KvStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * A look at several shards as they are at one moment. Each worker does its part and then serves
 * nothing until all have done theirs.
 *
 * <p>Threads: made and awaited by a caller; the parts belong to the workers.
 */
final class Meeting<T> {

  /** One shard's part. */
  @FunctionalInterface
  interface Part<T> {
    T run(int shard, KvStore store);
  }

  private final int[] shards;
  private final Part<T> action;
  private final Countdown left;
  private final AtomicReferenceArray<@Nullable T> results;
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  /**
   * A meeting.
   *
   * @param shards which shards take part
   */
  Meeting(int[] shards, Part<T> action) {
    this.shards = shards;
    this.action = action;
    this.left = new Countdown(shards.length);
    this.results = new AtomicReferenceArray<>(shards.length);
  }

  /** The shards that take part. */
  int[] shards() {
    return shards;
  }

  /** The request to the shard at that place of {@link #shards()}. */
  Request part(int place) {
    return new PartRequest(place);
  }

  /** Parks until all parts have ended. */
  void await() {
    left.await();
  }

  /** What a part failed with, the first one, once all have ended. */
  @Nullable
  Throwable failure() {
    return failure.get();
  }

  /** The results of the parts that were done. */
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
    void run(KvStore store) {
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
    void failed(Throwable cause) {
      failure.compareAndSet(null, cause);
      left.down();
    }
  }
}
