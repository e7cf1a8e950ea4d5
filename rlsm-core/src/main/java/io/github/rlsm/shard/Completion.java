// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The asynchronous end of a request: completes futures, on an executor. A request that is cancelled
 * before its worker has taken it is not served; later it cannot be cancelled any more.
 *
 * <p>Threads: any; {@link #take}, {@link #visible} and {@link #ended} are the worker's, or of
 * whoever stands in for it.
 */
final class Completion<T extends @Nullable Object> {

  private enum State {
    WAITING,
    TAKEN,
    WITHDRAWN
  }

  private final InFlight inFlight;
  private final Executor executor;
  private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);
  private final Pending<@Nullable Void> visible = new Pending<>();
  private final Pending<T> done = new Pending<>();

  /** Allocated early, because memory may be missing when the request ends. */
  private final Runnable completes = this::complete;

  private final Runnable leaves;

  /** The request's result. Written before the request is submitted. */
  private @Nullable Supplier<T> result;

  /** The end of a call that begins now, once there is room for it. */
  Completion(InFlight inFlight, Executor executor) {
    this.inFlight = inFlight;
    this.executor = executor;
    this.leaves = () -> inFlight.leave(completes);
    inFlight.enter();
  }

  /** Says what the result is: asked once, when it has ended; what it throws is the failure. */
  Completion<T> of(Supplier<T> newResult) {
    result = newResult;
    return this;
  }

  /** Completed when readers see the write, or with what {@link #done} failed with. */
  CompletableFuture<@Nullable Void> whenVisible() {
    return visible;
  }

  /** Completed when all of it is done. */
  CompletableFuture<T> whenDone() {
    return done;
  }

  /** The worker's turn: whether it is to be served. */
  boolean take() {
    if (state.compareAndSet(State.WAITING, State.TAKEN)) {
      return true;
    }
    inFlight.release();
    return false;
  }

  /** Nothing came of it, and nobody has its futures. */
  void abandon() {
    inFlight.release();
  }

  /** It is visible, and not yet done. */
  void visible() {
    execute(() -> visible.complete(null));
  }

  /** It has ended. */
  void ended() {
    execute(leaves);
  }

  /**
   * Has the executor run a task. If the executor is closed, or cannot start a thread, the worker
   * runs the task itself: a call must end, and an error here would end the worker.
   */
  private void execute(Runnable task) {
    try {
      executor.execute(task);
    } catch (RejectedExecutionException | OutOfMemoryError e) {
      task.run();
    }
  }

  private void complete() {
    Supplier<T> known = result;
    if (known == null) {
      throw new AssertionError("a request without a result");
    }
    T value;
    try {
      value = known.get();
    } catch (RuntimeException | Error e) {
      visible.completeExceptionally(e);
      done.completeExceptionally(e);
      return;
    }
    visible.complete(null);
    done.complete(value);
  }

  private boolean withdraw() {
    if (!state.compareAndSet(State.WAITING, State.WITHDRAWN)) {
      return false;
    }
    visible.cancelThis();
    done.cancelThis();
    return true;
  }

  /** A future whose cancelling withdraws the request, or does nothing. */
  private final class Pending<V extends @Nullable Object> extends CompletableFuture<V> {

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
      return isCancelled() || withdraw();
    }

    void cancelThis() {
      super.cancel(false);
    }

    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
      return new CompletableFuture<>();
    }
  }
}
