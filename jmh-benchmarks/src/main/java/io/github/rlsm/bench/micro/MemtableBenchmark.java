// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.micro;

import io.github.rlsm.memory.MemoryComponent;
import io.github.rlsm.memory.MemoryComponent.MemtableStructure;
import io.github.rlsm.memory.MemoryCursor;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;

/**
 * Measures the sorted tier: draining a component into it, and reading the component in order for a
 * flush. Runs one thread, since the engine drains with one.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Threads(1)
public class MemtableBenchmark {

  /** Entries in the component. */
  @Param("400000")
  public int entries;

  /** Implementation of the sorted tier. */
  @Param
  public MemtableStructure kind = MemtableStructure.SORTED_RUNS;

  /** Entries that are drained together. */
  @Param({"1024", "16384"})
  public int drainBatch;

  private final InternalKeys keys = new InternalKeys();
  private LoggedEntries logged;
  private MemoryComponent component;

  /** Logs the entries. */
  @Setup
  public void log() {
    logged = new LoggedEntries(entries);
    component = filled();
  }

  /** Creates a component with all entries still in the Membuffer. */
  @Setup(Level.Invocation)
  public void fill() {
    component = filled();
  }

  /** Removes the log. */
  @TearDown
  public void close() throws IOException {
    logged.close();
  }

  /** Drains a component. */
  @Benchmark
  public void drain() {
    component.drain();
  }

  /** Drains a component, then reads it in order. */
  @Benchmark
  public int drainAndRead() {
    MemoryCursor cursor = component.inOrder();
    int lengths = 0;
    for (boolean more = cursor.seekFirst(); more; more = cursor.next()) {
      lengths += cursor.entry().valueLength();
    }
    return lengths;
  }

  private MemoryComponent filled() {
    MemoryComponent fresh =
        logged.component(new MemoryComponent.Shape(kind, entries, drainBatch, 1), null);
    for (int id = 0; id < entries; id++) {
      logged.insert(fresh, fresh.claim(1), keys, id);
    }
    return fresh;
  }
}
