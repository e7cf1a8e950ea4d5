// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.micro;

import io.github.rlsm.base.EntryView;
import io.github.rlsm.base.KeyHash;
import io.github.rlsm.bench.workload.Keys;
import io.github.rlsm.table.PageCompression;
import io.github.rlsm.table.Table;
import io.github.rlsm.table.TableWriter;
import java.io.IOException;
import java.util.Arrays;
import java.util.Locale;
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
import org.openjdk.jmh.infra.ThreadParams;

/** Measures the time and the number of page reads of a lookup among the runs of a partition. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class LookupBenchmark {

  private static final int PARTITIONS = 8;

  /** Entries of all partitions. */
  @Param("2000000")
  public int entries;

  /** Bytes of each value. */
  @Param("100")
  public int valueBytes;

  /** Runs over every key. */
  @Param({"1", "4", "8", "16"})
  public int runs;

  /** Filter bits per key. */
  @Param({"10", "14"})
  public int bits;

  private ScratchTables scratch;
  private final Table[][] partitions = new Table[PARTITIONS][];

  /** Writes the tables. */
  @Setup
  public void write() {
    scratch = new ScratchTables(valueBytes);
    int[] ordered = InternalKeys.inOrder(entries);
    TableWriter.Settings settings = new TableWriter.Settings(4096, bits, PageCompression.NONE);
    for (int partition = 0; partition < PARTITIONS; partition++) {
      int p = partition;
      int[] ids = Arrays.stream(ordered).filter(id -> partition(id) == p).toArray();
      partitions[p] = new Table[runs];
      for (int r = 0; r < runs; r++) {
        int run = r;
        partitions[p][r] =
            scratch.write(Arrays.stream(ids).filter(id -> id % runs == run).toArray(), settings);
      }
    }
  }

  private static int partition(long id) {
    return (int) (Keys.rank(id) * PARTITIONS);
  }

  /** Removes the tables. */
  @TearDown
  public void close() throws IOException {
    scratch.close();
  }

  /** The state of one reader thread. */
  @State(Scope.Thread)
  public static class Reader {

    private final InternalKeys keys = new InternalKeys();
    private SplittableRandom random;
    private final EntryView found = new EntryView();
    private int entries;
    private long lookups;
    private long pages;

    /** Each thread draws different keys. */
    @Setup
    public void begin(LookupBenchmark benchmark, ThreadParams threads) {
      random = new SplittableRandom(threads.getThreadIndex());
      entries = benchmark.entries;
    }

    /** Prints the number of pages read. */
    @TearDown
    public void report() {
      System.out.println(
          String.format(Locale.ROOT, "pages: %.5f a lookup", (double) pages / lookups));
    }
  }

  /** Looks up a present key. */
  @Benchmark
  public boolean present(Reader reader) {
    return find(reader, reader.random.nextInt(reader.entries));
  }

  /** Looks up an absent key. */
  @Benchmark
  public boolean absent(Reader reader) {
    return find(reader, (long) reader.entries + reader.random.nextInt(reader.entries));
  }

  private boolean find(Reader reader, long id) {
    byte[] key = reader.keys.key(id);
    long hash = KeyHash.hash(key, 0, InternalKeys.BYTES);
    int p = partition(id);
    reader.lookups++;
    return search(reader, key, hash, partitions[p]);
  }

  private static boolean search(Reader reader, byte[] key, long hash, Table[] tables) {
    for (int r = tables.length - 1; r >= 0; r--) {
      if (tables[r].mightContain(hash)) {
        reader.pages++;
        if (tables[r].find(key, 0, InternalKeys.BYTES, hash, reader.found)) {
          return true;
        }
      }
    }
    return false;
  }
}
