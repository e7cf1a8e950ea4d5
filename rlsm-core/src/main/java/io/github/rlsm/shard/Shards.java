// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard;

import io.github.rlsm.kv.KvStore;
import io.github.rlsm.kv.ResourceExhaustedException;
import io.github.rlsm.kv.ResourceExhaustedException.Resource;
import io.github.rlsm.kv.StoreClosedException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The workers, and the way to them.
 *
 * <p>Whatever concerns several shards is put into their queues under one lock, so that any two such
 * things stand in the same order in every queue they share. The lock may be held while a queue is
 * full: its worker makes room, for what it may be waiting for stands complete in front of that.
 *
 * <p>Threads: any.
 */
final class Shards {

  private final ShardRouter router;
  private final List<ShardWorker> workers = new ArrayList<>();
  private final int[] all;
  private final Departure departure;
  private final Runnable last;
  private final ReentrantLock ordering = new ReentrantLock();
  private final Health health = new Health();
  private volatile boolean closed;

  /**
   * Starts a worker for each store.
   *
   * @param departure what the workers do together before they close their stores
   * @param last what to close after all stores
   */
  Shards(
      List<? extends KvStore> stores,
      ShardSettings settings,
      ThreadFactory threads,
      Departure departure,
      Runnable last) {
    this.departure = departure;
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
      // Those that run end in their order; the stores of the others are closed without them.
      workers.subList(shard, workers.size()).forEach(worker -> worker.neverRuns(e));
      try {
        close();
      } catch (RuntimeException again) {
        e.addSuppressed(again);
      }
      if (e instanceof OutOfMemoryError) {
        throw new ResourceExhaustedException("start a thread", name, Resource.THREADS, e);
      }
      throw e;
    }
  }

  ShardRouter router() {
    return router;
  }

  int count() {
    return all.length;
  }

  /** The numbers of all shards. */
  int[] all() {
    return all;
  }

  /** The shards' stores. */
  List<KvStore> stores() {
    return workers.stream().map(ShardWorker::shard).toList();
  }

  KvStore store(int shard) {
    return workers.get(shard).shard();
  }

  ShardWorker worker(int shard) {
    return workers.get(shard);
  }

  boolean isClosed() {
    return closed;
  }

  /** Throws if nothing may be read any more. */
  void checkReads() {
    checkOpen();
    health.checkReads();
  }

  /** Throws if nothing may be written any more. */
  void checkWrites() {
    checkOpen();
    health.checkWrites();
  }

  void checkOpen() {
    if (closed) {
      throw new StoreClosedException("store");
    }
  }

  Health health() {
    return health;
  }

  /** Hands a request to one shard. */
  void submit(int shard, Request request) {
    workers.get(shard).submit(request);
  }

  /**
   * Has several shards look at something as one, and returns once they have.
   *
   * @param check called before it is under way, ordered with everything else that concerns several
   *     shards
   * @return the meeting; it may have failed
   */
  <T> Meeting<T> meet(Meeting<T> meeting, Runnable check) {
    submitInOrder(meeting.shards(), meeting::part, check);
    meeting.await();
    return meeting;
  }

  /** Does something while no worker does anything else. {@code check} as in {@link #meet}. */
  void assemble(Runnable action, Runnable check) {
    Assembly assembly = new Assembly(all.length, action);
    submitInOrder(all, place -> assembly.part(), check);
    assembly.await();
  }

  /**
   * Hands one request to each of several shards, in the same order in all queues as everything else
   * that concerns several.
   *
   * @param request makes the request to the shard at a place of {@code shards}
   */
  void submitInOrder(int[] shards, IntFunction<Request> request, Runnable check) {
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

  /** Has every worker serve what waits, close its store and end. Only the first call does. */
  void close() {
    List<Request> stops = new ArrayList<>();
    ordering.lock();
    try {
      if (closed) {
        return;
      }
      closed = true;
      for (int shard : all) {
        Request stop = workers.get(shard).stopping(shard, departure);
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
}
