// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.shards;

import io.github.rlsm.bench.gauge.ContextSwitches;
import io.github.rlsm.bench.gauge.CpuTime;
import io.github.rlsm.bench.gauge.QuietProcess;
import io.github.rlsm.bench.result.Json;
import io.github.rlsm.bench.result.Latency;
import io.github.rlsm.bench.result.ShardsPhase;
import io.github.rlsm.bench.result.ShardsResult;
import io.github.rlsm.bench.result.ShardsSpec;
import io.github.rlsm.kv.AsyncStore;
import io.github.rlsm.kv.KvStore;
import io.github.rlsm.shard.ShardedStore;
import io.github.rlsm.shard.worker.BatchSizes;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * The process that measures one store. It loads the store, warms it up, and runs every kind of work
 * with every number of clients.
 *
 * <p>Threads: one thread at a time.
 */
public final class ShardsRun {

  private static final int WARM_UP_THREADS = 4;
  private static final Duration QUIET_WAIT_MAX = Duration.ofSeconds(1);
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double MICROS_PER_SECOND = 1e6;
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final ShardsSpec spec;
  private final KvStore store;
  private final List<ShardsPhase> phases = new ArrayList<>();
  private long seed;

  private ShardsRun(ShardsSpec spec, KvStore store) {
    this.spec = spec;
    this.store = store;
  }

  /** Measures. Arguments: the spec's file, the store's directory and the result's file. */
  public static void main(String[] arguments) throws Exception {
    ShardsSpec spec = Json.read(Path.of(arguments[0]), ShardsSpec.class);
    try (KvStore store = spec.contender().open(Path.of(arguments[1]), spec.shards())) {
      Json.write(Path.of(arguments[2]), new ShardsRun(spec, store).run());
    }
  }

  /** Loads, warms up and measures. */
  static ShardsResult run(ShardsSpec spec, Path directory) throws Exception {
    try (KvStore store = spec.contender().open(directory, spec.shards())) {
      return new ShardsRun(spec, store).run();
    }
  }

  private ShardsResult run() throws Exception {
    long begin = System.nanoTime();
    for (int id = 0; id < spec.data().keys(); id++) {
      store.put(ShardsClient.key(id), ShardsClient.value(id, spec.data().valueBytes()));
    }
    double loadSeconds = (System.nanoTime() - begin) / NANOS_PER_SECOND;
    store.flush();
    rounds(WARM_UP_THREADS);
    phases.clear();
    for (int threads : spec.threads()) {
      rounds(threads);
    }
    return new ShardsResult(spec, loadSeconds, phases);
  }

  private void rounds(int threads) throws Exception {
    for (Work work : spec.works()) {
      phases.add(phase(work, threads, null));
      if (work.hasAsync() && store instanceof ShardedStore) {
        phases.add(phase(work, threads, store.async()));
      }
    }
  }

  private ShardsPhase phase(Work work, int threads, @Nullable AsyncStore async) throws Exception {
    CountDownLatch done = new CountDownLatch(threads);
    CountDownLatch leave = new CountDownLatch(1);
    List<ShardsClient> clients = new ArrayList<>();
    List<FutureTask<Boolean>> tasks = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      ShardsClient client = new ShardsClient(
          store,
          async,
          work,
          spec.data().keys(),
          spec.data().valueBytes(),
          new SplittableRandom(seed++));
      clients.add(client);
      tasks.add(new FutureTask<>(() -> {
        try {
          client.run();
        } finally {
          done.countDown();
        }
        // The counters of a thread are lost when it ends, so it waits.
        leave.await();
        return true;
      }));
    }
    QuietProcess.await(QUIET_WAIT_MAX); // the background work of the previous phase ends
    BatchSizes sizesBefore = sizes();
    long switchesBefore = ContextSwitches.now();
    CpuTime cpuBefore = CpuTime.now();
    long begin = System.nanoTime();
    tasks.forEach(task -> new Thread(task, "client").start());
    pause(spec.millis());
    clients.forEach(ShardsClient::stop);
    done.await();
    double seconds = (System.nanoTime() - begin) / NANOS_PER_SECOND;
    CpuTime cpu = CpuTime.now().since(cpuBefore);
    long switches = ContextSwitches.now() - switchesBefore;
    leave.countDown();
    for (FutureTask<Boolean> task : tasks) {
      task.get();
    }
    Spent spent = new Spent(seconds, cpu, switches);
    return result(work, async != null, clients, spent, averages(sizesBefore, sizes()));
  }

  private static void pause(long millis) {
    long end = System.nanoTime() + millis * NANOS_PER_MILLI;
    for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
      // parkNanos may return early.
      LockSupport.parkNanos(left);
    }
  }

  /** The time, the processor time and the context switches of a phase. */
  private record Spent(double seconds, CpuTime cpu, long switches) {}

  private ShardsPhase result(
      Work work,
      boolean async,
      List<ShardsClient> clients,
      Spent spent,
      ShardsPhase.Batches batches) {
    Histogram nanos = new Histogram(clients.get(0).nanos());
    clients.forEach(client -> nanos.add(client.nanos()));
    Latency latency = Latency.of(nanos);
    long operations = clients.stream().mapToLong(ShardsClient::operations).sum();
    ShardsPhase phase = new ShardsPhase(
        work.title(),
        clients.size(),
        async,
        new ShardsPhase.Calls(operations, spent.seconds),
        new ShardsPhase.Cost(
            async ? 0 : latency.p50(),
            async ? 0 : latency.p99(),
            spent.cpu.own() * MICROS_PER_SECOND / Math.max(1, operations),
            (double) spent.switches / Math.max(1, operations)),
        batches);
    System.out.printf(
        Locale.ROOT,
        "  %-22s %3d clients %-5s %-5s %,12.0f/s%n",
        spec.contender().title(),
        phase.threads(),
        phase.work(),
        async ? "async" : "",
        phase.perSecond());
    return phase;
  }

  private BatchSizes sizes() {
    return store instanceof ShardedStore sharded
        ? sharded.batchSizes()
        : new BatchSizes(List.of(), List.of(), 0);
  }

  private static ShardsPhase.Batches averages(BatchSizes before, BatchSizes after) {
    return new ShardsPhase.Batches(
        average(before.writes(), after.writes()), average(before.reads(), after.reads()));
  }

  private static double average(List<Long> before, List<Long> after) {
    List<Long> between = new ArrayList<>();
    for (int size = 0; size < after.size(); size++) {
      between.add(after.get(size) - before.get(size));
    }
    return BatchSizes.average(between);
  }
}
