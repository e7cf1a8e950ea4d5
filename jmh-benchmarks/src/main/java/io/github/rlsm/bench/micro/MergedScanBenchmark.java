// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.micro;

import io.github.rlsm.base.EntryCursor;
import io.github.rlsm.base.KeyRange;
import io.github.rlsm.read.MergingCursor;
import io.github.rlsm.table.TableWriter;
import java.io.IOException;
import java.util.Arrays;
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

/** Measures a step of a scan that merges several tables. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class MergedScanBenchmark {

  /** Entries of all tables together. */
  @Param("400000")
  public int entries;

  /** Number of tables. The entries are spread over them at random. */
  @Param({"1", "2", "4", "16"})
  public int tables;

  private final ScratchTables scratch = new ScratchTables();
  private final InternalKeys keys = new InternalKeys();
  private final SplittableRandom random = new SplittableRandom(1);
  private EntryCursor merged;

  /** Writes the tables. */
  @Setup
  public void write() {
    int[] ordered = InternalKeys.inOrder(entries);
    for (int table = 0; table < tables; table++) {
      int number = table;
      scratch.write(
          Arrays.stream(ordered).filter(id -> id % tables == number).toArray(),
          TableWriter.Settings.DEFAULT);
    }
    merged = cursor();
    merged.seekFirst();
  }

  /** Removes the tables. */
  @TearDown
  public void close() throws IOException {
    scratch.close();
  }

  /** One step of a long scan. */
  @Benchmark
  public int step() {
    if (!merged.next()) {
      merged.seekFirst();
    }
    return merged.entry().valueLength();
  }

  /** The start of a scan: creates the cursors and seeks in each. */
  @Benchmark
  public boolean seek() {
    byte[] key = keys.key(random.nextInt(entries));
    return cursor().seek(key, 0, InternalKeys.BYTES);
  }

  private EntryCursor cursor() {
    return MergingCursor.of(
        scratch.tables().stream()
            .map(table -> table.cursor(KeyRange.ALL, false))
            .toList(),
        false);
  }
}
