// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.ycsb;

import io.github.rlsm.kv.Stats;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import site.ycsb.DBException;
import site.ycsb.db.rlsm.ClientSettings;
import site.ycsb.db.rlsm.StoreLease;

/**
 * A whole run. Loads, closes and reopens the store, and runs the workloads. Loads again where YCSB
 * requires it.
 *
 * <p>Threads: {@link #run} once, on one thread; {@link #stop} from any.
 */
final class Benchmark {

  private static final String LOAD = "load";

  private final LaunchOptions options;
  private final DataDirectory directory;
  private final PrintStream log;
  private final PhaseRunner runner;
  private final List<RunReport.Session> sessions = new ArrayList<>();

  /**
   * Creates a run into an empty directory.
   *
   * @param log stream for progress and events
   */
  Benchmark(LaunchOptions options, DataDirectory directory, PrintStream log) {
    this.options = options;
    this.directory = directory;
    this.log = log;
    this.runner = new PhaseRunner(options, log);
  }

  /** Ends the run soon. Running operations finish, and the store is closed. */
  void stop() {
    runner.stop();
  }

  /** Whether {@link #stop} was called. */
  boolean isStopped() {
    return runner.isStopped();
  }

  /**
   * Executes the whole run.
   *
   * @return the measurements; if this method throws, {@link #sessions} has them
   */
  List<RunReport.Session> run()
      throws IOException, InterruptedException, DBException, PhaseFailedException {
    for (List<StandardWorkload> workloads : StandardWorkload.sessions(options.workloads)) {
      if (runner.isStopped()) {
        break;
      }
      directory.empty();
      new SessionRun(workloads).run();
    }
    return sessions();
  }

  /** The measurements so far. */
  List<RunReport.Session> sessions() {
    return List.copyOf(sessions);
  }

  /** One load and the workloads that run on it. */
  private final class SessionRun {
    private final List<StandardWorkload> workloads;
    private final List<PhaseReport> phases = new ArrayList<>();
    private final Path path = directory.path();
    private final int index = sessions.size();

    /** Average bytes of a record's key and value. */
    private double recordBytes;

    private long records;
    private @Nullable Double closeSeconds;
    private @Nullable Double openSeconds;

    SessionRun(List<StandardWorkload> workloads) {
      this.workloads = workloads;
      sessions.add(new RunReport.Session(null, null, List.of()));
    }

    void run() throws IOException, InterruptedException, DBException, PhaseFailedException {
      load();
      if (!runner.isStopped()) {
        runWorkloads();
      }
    }

    private void load()
        throws IOException, InterruptedException, DBException, PhaseFailedException {
      Properties properties = options.loadProperties(path);
      long errors;
      StoreLease lease = open(properties);
      try {
        errors = phase(lease, LOAD, properties, null).errors();
      } finally {
        closeSeconds = seconds(lease::close);
        log.printf(Locale.ROOT, "closed in %.3f s%n", closeSeconds);
      }
      if (errors > 0 && !runner.isStopped()) {
        throw new PhaseFailedException(LOAD, errors + " errors; the workloads are skipped");
      }
    }

    private void runWorkloads()
        throws IOException, InterruptedException, DBException, PhaseFailedException {
      long start = System.nanoTime();
      try (StoreLease lease = open(options.loadProperties(path))) {
        openSeconds = (System.nanoTime() - start) / 1e9;
        report();
        for (StandardWorkload workload : workloads) {
          if (!runner.isStopped()) {
            phase(lease, workload.letter(), options.runProperties(path, workload), workload);
          }
        }
      }
    }

    private StoreLease open(Properties properties) throws DBException {
      long start = System.nanoTime();
      StoreLease lease = StoreLease.acquire(ClientSettings.from(properties));
      log.printf(Locale.ROOT, "opened in %.3f s%n", (System.nanoTime() - start) / 1e9);
      return lease;
    }

    private PhaseReport phase(
        StoreLease lease, String name, Properties properties, @Nullable StandardWorkload workload)
        throws IOException, InterruptedException, PhaseFailedException {
      Stats before = lease.store().stats();
      boolean load = workload == null;
      long operations = workload == null ? options.records : options.operationsOf(workload);
      PhaseRunner.Outcome outcome = runner.run(name, properties, operations, load);
      boolean wrote =
          lease.store().stats().writes().operations() > before.writes().operations();
      boolean settle = wrote && options.settle && !runner.isStopped();
      Double settleSeconds = settle ? seconds(lease::settle) : null;
      Stats after = lease.store().stats();
      long inserted = outcome.latencies().service(OperationKind.INSERT).getTotalCount();
      records += inserted;
      if (load && inserted > 0) {
        recordBytes =
            (double) (after.writes().userBytes() - before.writes().userBytes()) / inserted;
      }
      StorageReport storage = StorageReport.between(
          before, after, settleSeconds, directory.size(), Math.round(recordBytes * records));
      PhaseReport report = PhaseReport.of(name, outcome, options.dataIntegrity, storage);
      phases.add(report);
      report();
      return report;
    }

    private void report() {
      sessions.set(index, new RunReport.Session(closeSeconds, openSeconds, List.copyOf(phases)));
    }
  }

  private static double seconds(Runnable action) {
    long start = System.nanoTime();
    action.run();
    return (System.nanoTime() - start) / 1e9;
  }
}
