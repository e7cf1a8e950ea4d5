// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.rlsm.kv.AsyncStore;
import io.github.rlsm.kv.AsyncWrite;
import io.github.rlsm.kv.Durability;
import io.github.rlsm.kv.Keyspace;
import io.github.rlsm.kv.KvStore;
import io.github.rlsm.kv.WriteBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The asynchronous calls of a store without shards. The calling thread reads, or writes to the log,
 * as it does in a synchronous call. For {@link Durability#SYNC} another thread forces the log, once
 * for all waiting writes. So no call waits for a device, except a read of a page that is not in
 * memory.
 *
 * <p>If too many writes wait, the calling thread forces the log. It never waits for a callback.
 *
 * <p>Threads: any.
 */
final class RlsmAsyncStore implements AsyncStore {

  private static final int WAITING_MAX = 4096;

  private final AsyncStore direct;
  private final Runnable force;
  private final Executor executor;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition forced = lock.newCondition();

  @GuardedBy("lock")
  private List<Stage<?>> waiting = new ArrayList<>();

  @GuardedBy("lock")
  private boolean forcing;

  /**
   * Creates the calls of a store.
   *
   * @param direct makes each call completely in the calling thread
   * @param force makes all acknowledged writes durable
   * @param executor runs forces and callbacks
   */
  RlsmAsyncStore(AsyncStore direct, Runnable force, Executor executor) {
    this.direct = direct;
    this.force = force;
    this.executor = executor;
  }

  @Override
  public KvStore store() {
    return direct.store();
  }

  @Override
  public CompletableFuture<byte @Nullable []> get(Keyspace keyspace, byte[] key) {
    return direct.get(keyspace, key);
  }

  @Override
  public AsyncWrite put(Keyspace keyspace, byte[] key, byte[] value, Durability durability) {
    return durable(direct.put(keyspace, key, value, unforced(durability)), durability);
  }

  @Override
  public AsyncWrite delete(Keyspace keyspace, byte[] key, Durability durability) {
    return durable(direct.delete(keyspace, key, unforced(durability)), durability);
  }

  @Override
  public CompletableFuture<Boolean> compareAndSet(
      Keyspace keyspace,
      byte[] key,
      byte @Nullable [] expected,
      byte @Nullable [] replacement,
      Durability durability) {
    CompletableFuture<Boolean> written =
        direct.compareAndSet(keyspace, key, expected, replacement, unforced(durability));
    return isDone(written, durability) ? written : forced(written.join());
  }

  @Override
  public AsyncWrite write(WriteBatch batch, Durability durability) {
    return durable(direct.write(batch, unforced(durability)), durability);
  }

  /** Returns the durability with which the calling thread writes. */
  private static Durability unforced(Durability durability) {
    return durability == Durability.SYNC ? Durability.OS : durability;
  }

  private static boolean isDone(CompletableFuture<?> written, Durability durability) {
    return durability != Durability.SYNC || written.isCompletedExceptionally();
  }

  private AsyncWrite durable(AsyncWrite written, Durability durability) {
    return isDone(written.visible(), durability)
        ? written
        : new AsyncWrite(written.visible(), this.<@Nullable Void>forced(null));
  }

  /** Returns a future that is completed after the next force. */
  private <T extends @Nullable Object> CompletableFuture<T> forced(T result) {
    Stage<T> stage = new Stage<>(result);
    int count;
    lock.lock();
    try {
      waiting.add(stage);
      count = waiting.size();
    } finally {
      lock.unlock();
    }
    if (count >= WAITING_MAX) {
      forceWaiting();
    } else if (count == 1) {
      execute();
    }
    return stage;
  }

  /** Has another thread force the log, or forces it here if there is no other thread. */
  private void execute() {
    try {
      executor.execute(this::forceWaiting);
    } catch (RejectedExecutionException | OutOfMemoryError e) {
      forceWaiting();
    }
  }

  /**
   * Forces the log and completes all writes that wait for it. Waits for a force in progress, so
   * that the writes that arrive during it share the next one. The group commit of the log does not
   * replace this wait. It serves waiting threads, and this wait keeps at most one thread of the
   * executor in it. The other threads stay free for callbacks.
   */
  private void forceWaiting() {
    List<Stage<?>> taken = take();
    if (taken.isEmpty()) {
      return;
    }
    Throwable failure = null;
    try {
      force.run();
    } catch (RuntimeException | Error e) {
      failure = e;
    } finally {
      lock.lock();
      try {
        forcing = false;
        forced.signalAll();
      } finally {
        lock.unlock();
      }
    }
    for (Stage<?> stage : taken) {
      stage.end(failure);
    }
  }

  private List<Stage<?>> take() {
    lock.lock();
    try {
      while (forcing) {
        forced.awaitUninterruptibly();
      }
      List<Stage<?>> taken = waiting;
      if (!taken.isEmpty()) {
        waiting = new ArrayList<>();
        forcing = true;
      }
      return taken;
    } finally {
      lock.unlock();
    }
  }

  /** Ends all calls made so far. The store makes no further calls. */
  void close() {
    forceWaiting();
  }

  /** The stage of a write that was made. It cannot be cancelled. */
  private static final class Stage<T extends @Nullable Object> extends CompletableFuture<T> {

    private final T result;

    Stage(T result) {
      this.result = result;
    }

    void end(@Nullable Throwable failure) {
      if (failure == null) {
        complete(result);
      } else {
        completeExceptionally(failure);
      }
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
      return isCancelled();
    }

    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
      return new CompletableFuture<>();
    }
  }
}
