// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard.worker;

import io.github.rlsm.kv.Durability;
import io.github.rlsm.kv.InvalidEntryException;
import io.github.rlsm.kv.Keyspace;
import io.github.rlsm.kv.KvStore;
import io.github.rlsm.kv.NoSuchKeyspaceException;
import io.github.rlsm.kv.StoreClosedException;
import io.github.rlsm.kv.StoreFailedException;
import io.github.rlsm.kv.WriteBatch;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Serves the requests of one shard, one group after another. A group is the longest sequence of
 * queued adjacent requests of one kind, up to the limits. Writes become one batch. Reads become one
 * {@code multiGet} for each sequence in the same keyspace. The worker never waits for a group to
 * grow.
 *
 * <p>Threads: the worker's own thread calls {@link #run}; any thread calls {@link #submit}.
 */
final class ShardWorker implements Runnable {

  private final KvStore shard;
  private final ShardSettings settings;
  private final Health health;
  private final RequestQueue queue;
  private final BatchSizes.Counters counters;
  private final WriteBatch batch = new WriteBatch();
  private final List<Request> group;
  private boolean stopped;

  ShardWorker(KvStore shard, ShardSettings settings, Health health) {
    this.shard = shard;
    this.settings = settings;
    this.health = health;
    this.counters = new BatchSizes.Counters(settings.batchMax());
    this.queue = new RequestQueue(settings.queueCapacity());
    this.group = new ArrayList<>(Math.min(settings.batchMax(), settings.queueCapacity()));
  }

  /** The shard's store. */
  KvStore shard() {
    return shard;
  }

  /** Returns the sizes of the groups served. */
  BatchSizes sizes() {
    return counters.sizes();
  }

  /** Submits a request. Blocks while the queue is full. */
  void submit(Request request) {
    queue.add(request);
  }

  /**
   * Creates the request that closes the shard's store and ends the worker. Later requests are
   * refused.
   */
  Request stopping(int number, ShutdownBarrier shutdown) {
    return new StopRequest(number, shutdown);
  }

  /** Refuses all requests, because the worker's thread could not be started. */
  void neverRuns(Throwable cause) {
    queue.end(() -> new StoreFailedException(cause));
  }

  @Override
  public void run() {
    try {
      while (!stopped) {
        serveGroup();
        group.clear();
      }
      queue.end(() -> new StoreClosedException("store"));
    } catch (Throwable e) {
      // The worker ends on any error. All waiting callers must get an exception.
      StoreFailedException failure = new StoreFailedException(e);
      queue.end(() -> new StoreFailedException(e));
      group.forEach(request -> request.fail(failure));
      throw e;
    }
  }

  /**
   * Serves the next group. A lack of memory or stack fails only the requests of the group, as it
   * fails only one call of a store without shards. The next group may need less.
   */
  private void serveGroup() {
    try {
      if (gather(queue.take())) {
        counters.count(group.get(0).kind(), group.size());
        serve();
      }
    } catch (OutOfMemoryError | StackOverflowError e) {
      for (int i = 0; i < group.size(); i++) { // allocates nothing
        group.get(i).fail(e);
      }
    }
  }

  /** Fills the group. Returns false if it stays empty, because the first request was cancelled. */
  private boolean gather(Request first) {
    if (!first.take()) {
      return false;
    }
    group.add(first);
    if (first.kind() == Request.Kind.ALONE) {
      return true;
    }
    long bytes = bytes(first);
    while (group.size() < settings.batchMax()) {
      Request next = queue.peek();
      if (next == null || next.kind() != first.kind()) {
        break;
      }
      bytes += bytes(next);
      if (bytes > settings.batchBytesMax()) {
        break;
      }
      queue.take();
      if (next.take()) {
        group.add(next);
      }
    }
    return true;
  }

  private static long bytes(Request request) {
    return request instanceof Request.Write write ? write.bytes() : 0;
  }

  private void serve() {
    Request first = group.get(0);
    RuntimeException refusal = refusal(first.access());
    if (refusal != null) {
      group.forEach(request -> request.fail(refusal));
    } else if (group.size() == 1) {
      first.run(shard);
    } else if (first.kind() == Request.Kind.WRITE) {
      writeGroup();
    } else {
      readGroup();
    }
  }

  /** Returns why requests with this access are refused, or null. A group has only one access. */
  private @Nullable RuntimeException refusal(Request.Access access) {
    try {
      switch (access) {
        case READS -> health.checkReads();
        case WRITES -> health.checkWrites();
        case CLOSES -> {}
      }
      return null;
    } catch (StoreFailedException e) {
      return e;
    }
  }

  private void writeGroup() {
    Durability strongest = Durability.BUFFERED;
    boolean staged = false;
    for (Request request : group) {
      Request.Write write = (Request.Write) request;
      write.addTo(batch);
      strongest = write.durability().compareTo(strongest) > 0 ? write.durability() : strongest;
      staged |= write.isStaged();
    }
    try {
      if (staged && strongest == Durability.SYNC) {
        shard.write(batch, Durability.OS);
        group.forEach(Request::visible);
        shard.sync();
      } else {
        shard.write(batch, strongest);
      }
    } catch (NoSuchKeyspaceException | InvalidEntryException e) {
      // Nothing was written, and only some of the requests are invalid.
      group.forEach(request -> request.run(shard));
      return;
    } catch (RuntimeException e) {
      group.forEach(request -> request.fail(e));
      return;
    } finally {
      batch.clear();
    }
    group.forEach(Request::finish);
  }

  /** Looks up each sequence of adjacent keys of the same keyspace at once. */
  @SuppressWarnings("ReferenceEquality") // A shard has one object for each keyspace.
  private void readGroup() {
    int from = 0;
    while (from < group.size()) {
      Keyspace keyspace = ((Request.Read) group.get(from)).keyspace();
      List<byte[]> keys = new ArrayList<>();
      int to = from;
      while (to < group.size()
          && group.get(to) instanceof Request.Read read
          && read.keyspace() == keyspace) {
        keys.add(read.key());
        to++;
      }
      readRow(keyspace, keys, group.subList(from, to));
      from = to;
    }
  }

  private void readRow(Keyspace keyspace, List<byte[]> keys, List<Request> row) {
    List<byte @Nullable []> values;
    try {
      values = keyspace.multiGet(keys);
    } catch (RuntimeException e) {
      // One damaged page must not fail the other lookups.
      row.forEach(request -> request.run(shard));
      return;
    }
    for (int i = 0; i < row.size(); i++) {
      ((Request.Read) row.get(i)).finish(values.get(i));
    }
  }

  /** Closes the store, after the shutdown barrier. */
  private final class StopRequest extends Request {

    private final int number;
    private final ShutdownBarrier shutdown;
    private boolean left;

    StopRequest(int number, ShutdownBarrier shutdown) {
      this.number = number;
      this.shutdown = shutdown;
    }

    @Override
    public Access access() {
      return Access.CLOSES;
    }

    @Override
    public void run(KvStore store) {
      stopped = true;
      left = true;
      shutdown.leave(number);
      try {
        store.close();
      } catch (RuntimeException e) {
        fail(e);
        return;
      }
      finish();
    }

    @Override
    protected void failed(Throwable cause) {
      if (!left) {
        left = true;
        shutdown.absent();
      }
    }
  }

  /**
   * The shutdown barrier of shards whose logs keep parts. It makes the parts of all cross-shard
   * batches durable before any shard's store is closed. So each store can close without forcing
   * another shard's log. If a log cannot be forced, its store reports the error, and each store
   * whose promises depend on that log does, too.
   *
   * <p>Threads: the workers, or the thread that finds a worker gone.
   */
  static final class ShutdownBarrier {

    private final List<Runnable> forces;
    private final Countdown arrivals;

    /**
     * Creates a barrier.
     *
     * @param forces forces the log of each shard; empty if no shard has to wait for another
     */
    ShutdownBarrier(List<Runnable> forces) {
      this.forces = List.copyOf(forces);
      this.arrivals = new Countdown(forces.size());
    }

    /**
     * Forces the shard's log and returns once all shards have tried. Called by the shard's worker.
     */
    void leave(int shard) {
      if (forces.isEmpty()) {
        return;
      }
      try {
        forces.get(shard).run();
      } catch (RuntimeException e) {
        System.getLogger(ShutdownBarrier.class.getName())
            .log(System.Logger.Level.DEBUG, "cannot force the log of shard " + shard, e);
      } finally {
        arrivals.down();
      }
      arrivals.await();
    }

    /** Counts a shard whose worker is gone. */
    void absent() {
      arrivals.down();
    }
  }
}
