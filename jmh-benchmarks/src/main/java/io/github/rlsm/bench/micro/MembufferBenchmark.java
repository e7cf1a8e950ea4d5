// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.micro;

import io.github.rlsm.base.EntryView;
import io.github.rlsm.base.KeyHash;
import io.github.rlsm.memory.MembufferArrays;
import io.github.rlsm.memory.MemoryComponent;
import io.github.rlsm.memory.MemoryShape;
import io.github.rlsm.memory.MemtableKind;
import java.io.IOException;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;

/**
 * How many insertions and lookups a second does the Membuffer take from two threads, the log left
 * out?
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Threads(2)
public class MembufferBenchmark {

  private static final int CAPACITY = 400_000;
  private static final int DRAIN_BATCH = 1 << 14;

  /** How many different keys are inserted; with fewer than the capacity most insertions update. */
  @Param({"400000", "40000"})
  public int keys;

  private LoggedEntries entries;
  private MemoryShape shape;
  private MemoryComponent full;
  private volatile MemoryComponent filling;
  private MembufferArrays spare;

  /** Logs the entries, and fills the component that is read. */
  @Setup
  public void fill() {
    entries = new LoggedEntries(keys);
    shape = new MemoryShape(MemtableKind.SORTED_RUNS, CAPACITY, DRAIN_BATCH, 1);
    spare = MembufferArrays.forCapacity(CAPACITY);
    full = entries.component(shape, null);
    filling = entries.component(shape, null);
    InternalKeys internalKeys = new InternalKeys();
    for (int id = 0; id < keys; id++) {
      entries.insert(full, full.claim(1), internalKeys, id);
    }
  }

  /** Removes the log. */
  @TearDown
  public void close() throws IOException {
    entries.close();
  }

  /** What each thread keeps for itself. */
  @State(Scope.Thread)
  public static class Worker {

    private final InternalKeys internalKeys = new InternalKeys();
    private final EntryView found = new EntryView();
    private final SplittableRandom random = new SplittableRandom(1);
  }

  /** One insertion; a component that is full is followed by an empty one. */
  @Benchmark
  public void insert(Worker worker) {
    MemoryComponent to = filling;
    int entry = to.claim(1);
    while (entry < 0) {
      replace(to);
      to = filling;
      entry = to.claim(1);
    }
    entries.insert(to, entry, worker.internalKeys, entry % keys);
  }

  /** One lookup of a key that is there. */
  @Benchmark
  public boolean find(Worker worker) {
    byte[] key = worker.internalKeys.key(worker.random.nextInt(keys));
    long hash = KeyHash.hash(key, 0, InternalKeys.BYTES);
    return full.find(key, InternalKeys.BYTES, hash, MemoryComponent.LATEST, worker.found);
  }

  /** Arrays are cleared here and not, as in the engine, in the background. */
  private synchronized void replace(MemoryComponent old) {
    if (filling == old) {
      MembufferArrays fresh = spare;
      filling = entries.component(shape, fresh);
      spare = MembufferArrays.forCapacity(CAPACITY);
    }
  }
}
