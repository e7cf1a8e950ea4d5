// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.run;

import io.github.rlsm.bench.gauge.CpuTime;
import io.github.rlsm.bench.gauge.DeviceReads;
import io.github.rlsm.bench.gauge.DiskSampler;
import io.github.rlsm.bench.gauge.DiskUsage;
import io.github.rlsm.bench.gauge.MemorySampler;
import io.github.rlsm.bench.gauge.ProcessIo;
import io.github.rlsm.bench.result.Latency;
import io.github.rlsm.bench.result.PhaseResult;
import io.github.rlsm.bench.result.RunSpec;
import io.github.rlsm.bench.store.BenchStore;
import io.github.rlsm.bench.store.Session;
import io.github.rlsm.bench.store.StoreSettings;
import io.github.rlsm.bench.workload.Mix64;
import io.github.rlsm.bench.workload.Phase;
import io.github.rlsm.bench.workload.PhasePlan;
import io.github.rlsm.bench.workload.PresentKeys;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Executes phases on a store and measures them.
 *
 * <p>Threads: one thread at a time; it starts and ends the client threads.
 */
final class PhaseRunner implements AutoCloseable {

  private static final double NANOS_PER_SECOND = 1e9;

  private final RunSpec spec;
  private final StoreSettings settings;
  private final Path directory;
  private final MemorySampler sampler = new MemorySampler();
  private final DiskSampler diskSampler;
  private final DeviceReads deviceReads;
  private final AtomicInteger threads = new AtomicInteger();
  private @Nullable BenchStore store;
  private PresentKeys present;
  private long phaseNumber;

  /** The combined tally of a phase's clients, and the duration. */
  private record Done(Tally tally, long nanos) {}

  private PhaseRunner(
      RunSpec spec, StoreSettings settings, Path directory, List<PhaseResult> earlier) {
    this.spec = spec;
    this.settings = settings;
    this.directory = directory;
    this.diskSampler = new DiskSampler(directory);
    this.deviceReads = DeviceReads.of(directory);
    this.present = presentAfter(earlier, PresentKeys.none(spec.workload().order()));
    this.phaseNumber = earlier.size();
  }

  /** Opens the store in an empty directory. */
  static PhaseRunner open(RunSpec spec, StoreSettings settings, Path directory) {
    PhaseRunner runner = new PhaseRunner(spec, settings, directory, List.of());
    runner.openStore();
    return runner;
  }

  /**
   * Continues after a process that was killed. The first phase must open the store.
   *
   * @param earlier the phases that the killed process completed
   */
  static PhaseRunner afterKill(
      RunSpec spec, StoreSettings settings, Path directory, List<PhaseResult> earlier) {
    return new PhaseRunner(spec, settings, directory, earlier);
  }

  private static PresentKeys presentAfter(List<PhaseResult> phases, PresentKeys before) {
    PresentKeys keys = before;
    for (PhaseResult phase : phases) {
      long operations = phase.work().operations();
      keys = switch (phase.phase()) {
        case PhasePlan.LOAD -> keys.loaded(operations);
        case PhasePlan.DELETE -> keys.withDeletes(operations);
        default -> keys;
      };
    }
    return keys;
  }

  PhaseResult run(Phase phase) throws InterruptedException {
    sampler.takePeak();
    diskSampler.takePeak(0);
    ProcessIo ioBefore = ProcessIo.now();
    Long readsBefore = deviceReads.count();
    CpuTime cpuBefore = CpuTime.now();
    Done done = switch (phase.kind()) {
      case SETTLE -> new Done(new Tally(), store().settle());
      case DEVICE_WRITE -> writeToDevice(phase);
      case CLOSE -> closeStore();
      case OPEN, RECOVER -> openStore();
      default -> runClients(phase);
    };
    CpuTime cpu = CpuTime.now().since(cpuBefore);
    Long readsAfter = deviceReads.count();
    ProcessIo io = ProcessIo.now().since(ioBefore);
    Long reads = readsBefore == null || readsAfter == null ? null : readsAfter - readsBefore;
    Tally tally = done.tally();
    long disk = DiskUsage.of(directory);
    return new PhaseResult(
        phase.name(),
        new PhaseResult.Work(
            phase.clients(),
            tally.operations(),
            phase.isTimed() ? tally.operations() : phase.operations(),
            done.nanos() / NANOS_PER_SECOND,
            tally.puts()),
        new PhaseResult.Checks(tally.entries(), tally.missing(), tally.wrong()),
        latencies(tally),
        new PhaseResult.Use(io, reads, disk, diskSampler.takePeak(disk), sampler.takePeak(), cpu));
  }

  /** The store's own figures. */
  Map<String, String> statistics() {
    return store().statistics();
  }

  @Override
  public void close() {
    if (store != null) {
      store.close();
    }
    sampler.close();
    diskSampler.close();
  }

  private BenchStore store() {
    return Objects.requireNonNull(store, "the store is closed");
  }

  private Done writeToDevice(Phase phase) {
    Tally tally = new Tally();
    return new Done(tally, DeviceWrites.run(directory, phase.operations(), tally));
  }

  private Done closeStore() {
    long begin = System.nanoTime();
    store().close();
    store = null;
    return new Done(new Tally(), System.nanoTime() - begin);
  }

  private Done openStore() {
    if (store != null) {
      throw new IllegalStateException("the store is already open");
    }
    long begin = System.nanoTime();
    store = spec.store().open(directory, settings);
    return new Done(new Tally(), System.nanoTime() - begin);
  }

  private Done runClients(Phase phase) throws InterruptedException {
    AtomicLong claims = new AtomicLong();
    CountDownLatch start = new CountDownLatch(1);
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(phase.secondsMax());
    long seed = Mix64.mix(spec.conditions().seed() + ++phaseNumber);
    ClientLoop.Share share = new ClientLoop.Share(claims, start, deadline, present, seed);
    ExecutorService executor = Executors.newFixedThreadPool(
        phase.clients(), task -> new Thread(task, "client-" + threads.incrementAndGet()));
    List<Session> sessions = new ArrayList<>();
    try {
      List<Future<Tally>> loops = new ArrayList<>();
      for (int i = 0; i < phase.clients(); i++) {
        Session session = store().openSession();
        sessions.add(session);
        Tally tally = new Tally();
        Client client = new Client(session, spec.store(), settings.valueBytes(), present, tally);
        loops.add(executor.submit(new ClientLoop(phase, client, tally, share, i)));
      }
      long begin = System.nanoTime();
      start.countDown();
      Tally total = new Tally();
      for (Future<Tally> loop : loops) {
        total.add(result(loop));
      }
      long nanos = System.nanoTime() - begin;
      long completed = Math.min(claims.get(), phase.operations());
      if (phase.kind() == Phase.Kind.LOAD) {
        present = present.loaded(completed);
      } else if (phase.kind() == Phase.Kind.DELETE) {
        present = present.withDeletes(completed);
      }
      return new Done(total, nanos);
    } finally {
      executor.shutdown();
      sessions.forEach(Session::close);
    }
  }

  private static Tally result(Future<Tally> loop) throws InterruptedException {
    try {
      return loop.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("a client failed: " + e.getCause(), e.getCause());
    }
  }

  private static Map<String, Latency> latencies(Tally tally) {
    Map<String, Latency> latencies = new TreeMap<>();
    for (Tally.Call call : Tally.Call.values()) {
      if (tally.latency(call).getTotalCount() > 0) {
        latencies.put(call.name().toLowerCase(Locale.ROOT), Latency.of(tally.latency(call)));
      }
    }
    return latencies;
  }
}
