// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.micro;

import io.github.rlsm.memory.MemoryComponent;
import io.github.rlsm.memory.MemoryCursor;
import io.github.rlsm.memory.MemoryShape;
import io.github.rlsm.memory.MemtableKind;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;

/**
 * What does an entry cost in the sorted tier: moved there by a drain, and read in order for a
 * flush? One thread, as the engine drains with one; each invocation handles a whole component.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Threads(1)
public class MemtableBenchmark {

  private static final int ENTRIES = 400_000;

  /** How the sorted tier is built. */
  @Param
  public MemtableKind kind = MemtableKind.SORTED_RUNS;

  /** Entries that are drained together. */
  @Param({"1024", "16384"})
  public int drainBatch;

  private final InternalKeys keys = new InternalKeys();
  private LoggedEntries entries;
  private MemoryComponent component;

  /** Logs the entries. */
  @Setup
  public void log() {
    entries = new LoggedEntries(ENTRIES);
    component = filled();
  }

  /** A component whose entries are all in the Membuffer still. */
  @Setup(Level.Invocation)
  public void fill() {
    component = filled();
  }

  /** Removes the log. */
  @TearDown
  public void close() throws IOException {
    entries.close();
  }

  /** Entries drained a second. */
  @Benchmark
  @OperationsPerInvocation(ENTRIES)
  public void drain() {
    component.drain();
  }

  /** Entries drained and then read in order a second. */
  @Benchmark
  @OperationsPerInvocation(ENTRIES)
  public int drainAndRead() {
    MemoryCursor cursor = component.inOrder();
    int lengths = 0;
    for (boolean more = cursor.seekFirst(); more; more = cursor.next()) {
      lengths += cursor.valueLength();
    }
    return lengths;
  }

  private MemoryComponent filled() {
    MemoryComponent fresh = entries.component(new MemoryShape(kind, ENTRIES, drainBatch, 1), null);
    for (int id = 0; id < ENTRIES; id++) {
      entries.insert(fresh, fresh.claim(1), keys, id);
    }
    return fresh;
  }
}
