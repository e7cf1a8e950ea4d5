// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard.worker;

import io.github.rlsm.kv.KvStore;
import io.github.rlsm.kv.StoreClosedException;
import io.github.rlsm.thread.ThreadScheduler;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The workers of all shards, and the submission of requests to them.
 *
 * <p>Requests that concern several shards are put into the queues under one lock. So any two
 * barriers or transactions have the same order in every queue that they share. A thread may hold
 * the lock while it waits for room in a full queue. The worker of that queue makes progress: if it
 * waits at a barrier or transaction, all requests of that barrier or transaction are in the queues
 * already.
 *
 * <p>Threads: any.
 */
public final class Shards {

  /** An action of one shard at a barrier of several shards. */
  @FunctionalInterface
  public interface BarrierAction<T> {

    /** Runs the action in the worker of a shard. */
    T run(int shard, KvStore store);
  }

  private final ShardSettings settings;
  private final ShardRouter router;
  private final List<ShardWorker> workers = new ArrayList<>();
  private final int[] all;
  private final ShardWorker.ShutdownBarrier shutdown;
  private final Runnable last;
  private final ReentrantLock ordering = new ReentrantLock();
  private final Health health;
  private final AtomicInteger openSnapshots = new AtomicInteger();
  private volatile boolean closed;

  /**
   * Starts a worker for each store.
   *
   * @param health the health of the shards as a whole
   * @param forces forces the log of each shard before any store is closed; empty if no store
   *     depends on another one's log
   * @param last runs after all stores are closed
   */
  public Shards(
      List<? extends KvStore> stores,
      ShardSettings settings,
      ThreadFactory threads,
      Health health,
      List<Runnable> forces,
      Runnable last) {
    this.settings = settings;
    this.health = health;
    this.shutdown = new ShardWorker.ShutdownBarrier(forces);
    this.last = last;
    this.router = new ShardRouter(stores.size());
    this.all = IntStream.range(0, stores.size()).toArray();
    stores.forEach(store -> workers.add(new ShardWorker(store, settings, health)));
    for (int i = 0; i < all.length; i++) {
      start(i, threads);
    }
  }

  private void start(int shard, ThreadFactory threads) {
    String name = "rlsm-shard-" + shard;
    try {
      Thread thread = threads.newThread(workers.get(shard));
      thread.setName(name);
      thread.start();
    } catch (RuntimeException | Error e) {
      // Workers that run close their stores in order; close() closes the other stores.
      workers.subList(shard, workers.size()).forEach(worker -> worker.neverRuns(e));
      try {
        close();
      } catch (RuntimeException again) {
        e.addSuppressed(again);
      }
      if (e instanceof OutOfMemoryError shortage) {
        throw ThreadScheduler.shortage(name, shortage);
      }
      throw e;
    }
  }

  /** Maps keys to these shards. */
  public ShardRouter router() {
    return router;
  }

  /** The number of shards. */
  public int count() {
    return all.length;
  }

  /** The numbers of all shards. */
  public int[] all() {
    return all;
  }

  /** The shards' stores. */
  public List<KvStore> stores() {
    return workers.stream().map(ShardWorker::shard).toList();
  }

  /** The store of a shard. */
  public KvStore store(int shard) {
    return workers.get(shard).shard();
  }

  /** The limits of queues, batches and scans. */
  public ShardSettings settings() {
    return settings;
  }

  /** Returns the sizes of the batches that all workers have served. */
  public BatchSizes batchSizes() {
    BatchSizes sum = new BatchSizes(List.of(), List.of(), 0);
    for (ShardWorker worker : workers) {
      sum = sum.plus(worker.sizes());
    }
    return sum;
  }

  /** Counts a snapshot or iterator that was opened. */
  public void snapshotOpened() {
    openSnapshots.incrementAndGet();
  }

  /** Counts a snapshot or iterator that was closed. */
  public void snapshotClosed() {
    openSnapshots.decrementAndGet();
  }

  /** The number of snapshots and iterators that are open. */
  public int openSnapshots() {
    return openSnapshots.get();
  }

  /** Whether the shards are closed or being closed. */
  public boolean isClosed() {
    return closed;
  }

  /** Throws if reads are not allowed any more. */
  public void checkReads() {
    checkOpen();
    health.checkReads();
  }

  /** Throws if writes are not allowed any more. */
  public void checkWrites() {
    checkOpen();
    health.checkWrites();
  }

  /** Throws if the shards are closed. */
  public void checkOpen() {
    if (closed) {
      throw new StoreClosedException("store");
    }
  }

  /** The failures that concern the shards as a whole. */
  public Health health() {
    return health;
  }

  /** Submits a request to one shard. Blocks while its queue is full. */
  public void submit(int shard, Request request) {
    workers.get(shard).submit(request);
  }

  /**
   * Runs an action on several shards at the same moment, each in its shard's worker. If one fails,
   * undoes the others and throws the first failure.
   *
   * @param check called under the ordering lock, before the action is submitted
   * @param undo releases the result of one shard
   * @return the results, in the order of {@code numbers}
   */
  public <T> List<T> runTogether(
      int[] numbers, BarrierAction<T> action, Runnable check, Consumer<T> undo) {
    SnapshotBarrier<T> barrier = new SnapshotBarrier<>(numbers, action);
    submitInOrder(numbers, barrier::part, check);
    barrier.await();
    Throwable failure = barrier.failure();
    if (failure != null) {
      barrier.results().forEach(undo);
      throw Request.rethrown(failure);
    }
    return barrier.results();
  }

  /** Runs an action while all workers are stopped. {@code check} runs under the ordering lock. */
  public void runExclusively(Runnable action, Runnable check) {
    ExclusiveBarrier barrier = new ExclusiveBarrier(all.length, action);
    submitInOrder(all, place -> barrier.part(), check);
    barrier.await();
  }

  /**
   * Submits one request to each of several shards, in the same order in all queues as all other
   * requests that concern several shards.
   *
   * @param request creates the request to the shard at an index of {@code shards}
   */
  public void submitInOrder(int[] shards, IntFunction<Request> request, Runnable check) {
    ordering.lock();
    try {
      check.run();
      for (int place = 0; place < shards.length; place++) {
        submit(shards[place], request.apply(place));
      }
    } finally {
      ordering.unlock();
    }
  }

  /**
   * Lets every worker serve its queue, close its store and end. Only the first call has an effect.
   */
  public void close() {
    List<Request> stops = new ArrayList<>();
    ordering.lock();
    try {
      if (closed) {
        return;
      }
      closed = true;
      for (int shard : all) {
        Request stop = workers.get(shard).stopping(shard, shutdown);
        submit(shard, stop);
        stops.add(stop);
      }
    } finally {
      ordering.unlock();
    }
    RuntimeException first = null;
    for (int i = 0; i < stops.size(); i++) {
      first = stopped(i, stops.get(i), first);
    }
    try {
      last.run();
    } catch (RuntimeException e) {
      if (first == null) {
        first = e;
      } else {
        first.addSuppressed(e);
      }
    }
    if (first != null) {
      throw first;
    }
  }

  /** Waits for a worker's end and closes its store if the worker could not. */
  private @Nullable RuntimeException stopped(
      int shard, Request stop, @Nullable RuntimeException first) {
    try {
      stop.await();
      return first;
    } catch (RuntimeException e) {
      try {
        store(shard).close();
      } catch (RuntimeException again) {
        e.addSuppressed(again);
      }
      if (first == null) {
        return e;
      }
      first.addSuppressed(e);
      return first;
    }
  }

  /**
   * A barrier at which several shards each run one action at the same moment. A worker that has run
   * its part serves no other request until all parts have ended. So the parts together see one
   * consistent state.
   *
   * <p>Threads: created and awaited by a caller; the workers run the parts.
   */
  static final class SnapshotBarrier<T> {

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

  /**
   * An exclusive barrier of all shards. The last worker to arrive runs one action, while the other
   * workers wait; then all continue. If a worker is gone, the action does not run.
   *
   * <p>Threads: created and awaited by a caller; the workers run the parts.
   */
  static final class ExclusiveBarrier {

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
      return new Arrival();
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

    private final class Arrival extends Request {

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
}
