// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard.worker;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Completes the futures of an asynchronous request, on an executor. A request that is cancelled
 * before its worker takes it is not served. A later cancellation has no effect.
 *
 * <p>Threads: any. Only the worker, or the thread that refuses requests for it, calls
 * {@link #take}, {@link #visible} and {@link #ended}.
 */
public final class Completion<T extends @Nullable Object> {

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

  /**
   * Ends the call and completes the futures. Allocated in advance, because memory may be missing
   * when the request ends.
   */
  private final Runnable end;

  /** Supplies the request's result. Set before the request is submitted. */
  private @Nullable Supplier<T> result;

  /** Begins a call. Blocks while too many calls are in flight. */
  public Completion(InFlight inFlight, Executor executor) {
    this.inFlight = inFlight;
    this.executor = executor;
    Runnable complete = this::complete;
    this.end = () -> inFlight.leave(complete);
    inFlight.enter();
  }

  /**
   * Sets the source of the result. It is called once, after the request has ended; an exception
   * that it throws is the failure.
   */
  public Completion<T> of(Supplier<T> newResult) {
    result = newResult;
    return this;
  }

  /** Completed when readers see the write, or with the failure of {@link #done}. */
  public CompletableFuture<@Nullable Void> whenVisible() {
    return visible;
  }

  /** Completed when the request has ended. */
  public CompletableFuture<T> whenDone() {
    return done;
  }

  /** Claims the request for its worker. Returns false if it was cancelled. */
  public boolean take() {
    if (state.compareAndSet(State.WAITING, State.TAKEN)) {
      return true;
    }
    inFlight.release();
    return false;
  }

  /** Ends a call that was not submitted. No caller has its futures. */
  public void abandon() {
    inFlight.release();
  }

  /** Reports that the write is visible, before it is durable. */
  void visible() {
    execute(() -> visible.complete(null));
  }

  /** Reports that the request has ended. */
  public void ended() {
    execute(end);
  }

  /**
   * Runs a task on the executor. If the executor is closed, or cannot start a thread, the worker
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
      throw new AssertionError("the request has no result supplier");
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

  /** A future whose cancellation withdraws the request if the worker has not taken it. */
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

  /**
   * Limits the number of asynchronous calls in flight. A caller beyond the limit blocks. A call
   * made from inside a completion callback never blocks; otherwise all callback threads could wait
   * for each other and deadlock.
   *
   * <p>Threads: any.
   */
  @SuppressWarnings("serial") // Never serialized.
  public static final class InFlight extends Semaphore {

    private final transient ThreadLocal<Boolean> telling = ThreadLocal.withInitial(() -> false);

    /** Creates a limit of a number of calls. */
    public InFlight(int calls) {
      super(calls);
    }

    /** Takes a permit for a new call. */
    void enter() {
      if (telling.get()) {
        reducePermits(1);
      } else {
        acquireUninterruptibly();
      }
    }

    /** Returns the permit of a call that has ended and runs its callbacks. */
    void leave(Runnable tell) {
      release();
      boolean nested = telling.get();
      telling.set(true);
      try {
        tell.run();
      } finally {
        if (!nested) {
          telling.remove();
        }
      }
    }
  }
}
