// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.micro;

import io.github.rlsm.base.EntryView;
import io.github.rlsm.base.KeyHash;
import io.github.rlsm.memory.MembufferArrays;
import io.github.rlsm.memory.MemoryComponent;
import io.github.rlsm.memory.MemoryComponent.MemtableStructure;
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
import org.openjdk.jmh.infra.ThreadParams;

/** Measures Membuffer insertions and lookups per second of two threads, without the log. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Threads(2)
public class MembufferBenchmark {

  private static final int DRAIN_BATCH = 1 << 14;

  /** Entries that fit into a component. */
  @Param("400000")
  public int entries;

  /** Insertions of each key into a component: 1 for new keys only, else mostly updates. */
  @Param({"1", "10"})
  public int insertsOfEach;

  private int keys;
  private LoggedEntries logged;
  private MemoryComponent.Shape shape;
  private MemoryComponent full;
  private volatile MemoryComponent filling;
  private MembufferArrays spare;

  /** Logs the entries and fills the component for lookups. */
  @Setup
  public void fill() {
    keys = entries / insertsOfEach;
    logged = new LoggedEntries(keys);
    shape = new MemoryComponent.Shape(MemtableStructure.SORTED_RUNS, entries, DRAIN_BATCH, 1);
    spare = MembufferArrays.forCapacity(entries);
    full = logged.component(shape, null);
    filling = logged.component(shape, null);
    InternalKeys internalKeys = new InternalKeys();
    for (int id = 0; id < keys; id++) {
      logged.insert(full, full.claim(1), internalKeys, id);
    }
  }

  /** Removes the log. */
  @TearDown
  public void close() throws IOException {
    logged.close();
  }

  /** The state of one worker thread. */
  @State(Scope.Thread)
  public static class Worker {

    private final InternalKeys internalKeys = new InternalKeys();
    private final EntryView found = new EntryView();
    private SplittableRandom random;

    /** Each thread draws different keys. */
    @Setup
    public void seed(ThreadParams threads) {
      random = new SplittableRandom(threads.getThreadIndex());
    }
  }

  /** One insertion. An empty component replaces a full one. */
  @Benchmark
  public void insert(Worker worker) {
    MemoryComponent to = filling;
    int entry = to.claim(1);
    while (entry < 0) {
      replace(to);
      to = filling;
      entry = to.claim(1);
    }
    logged.insert(to, entry, worker.internalKeys, entry % keys);
  }

  /** One lookup of a present key. */
  @Benchmark
  public boolean find(Worker worker) {
    byte[] key = worker.internalKeys.key(worker.random.nextInt(keys));
    long hash = KeyHash.hash(key, 0, InternalKeys.BYTES);
    return full.find(key, InternalKeys.BYTES, hash, MemoryComponent.LATEST, worker.found);
  }

  /** Clears arrays in the foreground. The engine does it in the background. */
  private synchronized void replace(MemoryComponent old) {
    if (filling == old) {
      MembufferArrays fresh = spare;
      filling = logged.component(shape, fresh);
      spare = MembufferArrays.forCapacity(entries);
    }
  }
}
