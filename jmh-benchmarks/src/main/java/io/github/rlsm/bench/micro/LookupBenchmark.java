// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.micro;

import io.github.rlsm.base.EntryCursor;
import io.github.rlsm.base.EntryView;
import io.github.rlsm.base.KeyHash;
import io.github.rlsm.base.KeyRange;
import io.github.rlsm.bench.workload.Keys;
import io.github.rlsm.level.Compression;
import io.github.rlsm.level.Table;
import io.github.rlsm.level.TableSettings;
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

/**
 * What does it cost to find a key's run among the runs of a partition, by a filter for each run or
 * by one index over all of them?
 */
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

  /** Bits for each key of the filters; 0 for one index over all runs. */
  @Param({"0", "10", "14", "16"})
  public int bits;

  private ScratchTables scratch;
  private final Table[][] partitions = new Table[PARTITIONS][];
  private final MergedIndex[] indexes = new MergedIndex[PARTITIONS];

  /** Writes the tables. */
  @Setup
  public void write() {
    scratch = new ScratchTables(valueBytes);
    int[] ordered = InternalKeys.inOrder(entries);
    TableSettings settings = new TableSettings(4096, bits, Compression.NONE);
    for (int partition = 0; partition < PARTITIONS; partition++) {
      int p = partition;
      int[] ids = Arrays.stream(ordered).filter(id -> partition(id) == p).toArray();
      partitions[p] = new Table[runs];
      for (int r = 0; r < runs; r++) {
        int run = r;
        partitions[p][r] = scratch.write(
            Arrays.stream(ids).filter(id -> id % runs == run).toArray(), settings);
      }
    }
    if (bits == 0) {
      index();
    }
  }

  private static int partition(long id) {
    return (int) (Keys.rank(id) * PARTITIONS);
  }

  private void index() {
    long begin = System.nanoTime();
    long bytes = 0;
    byte[] key = new byte[InternalKeys.BYTES];
    for (int p = 0; p < PARTITIONS; p++) {
      long keys = Arrays.stream(partitions[p]).mapToLong(t -> t.properties().entries()).sum();
      indexes[p] = new MergedIndex((int) keys, 0.75);
      bytes += indexes[p].bytes();
      for (int r = 0; r < runs; r++) {
        EntryCursor cursor = partitions[p][r].cursor(KeyRange.ALL, false);
        for (boolean more = cursor.seekFirst(); more; more = cursor.next()) {
          cursor.keyBuffer().get(cursor.keyOffset(), key);
          indexes[p].add(KeyHash.hash(key, 0, key.length), r);
        }
      }
    }
    System.out.println(String.format(
        Locale.ROOT,
        "index: %.2f bytes a key, %.0f ns a key to build",
        (double) bytes / entries,
        (double) (System.nanoTime() - begin) / entries));
  }

  /** Removes them. */
  @TearDown
  public void close() throws IOException {
    scratch.close();
  }

  /** What each thread keeps for itself. */
  @State(Scope.Thread)
  public static class Reader {

    private final InternalKeys keys = new InternalKeys();
    private SplittableRandom random;
    private final EntryView found = new EntryView();
    private int entries;
    private long lookups;
    private long pages;

    /** Each thread draws other keys. */
    @Setup
    public void begin(LookupBenchmark benchmark, ThreadParams threads) {
      random = new SplittableRandom(threads.getThreadIndex());
      entries = benchmark.entries;
    }

    /** Tells how many pages were read. */
    @TearDown
    public void report() {
      System.out.println(
          String.format(Locale.ROOT, "pages: %.5f a lookup", (double) pages / lookups));
    }
  }

  /** A key that is there. */
  @Benchmark
  public boolean present(Reader reader) {
    return find(reader, reader.random.nextInt(entries));
  }

  /** A key that is not there. */
  @Benchmark
  public boolean absent(Reader reader) {
    return find(reader, (long) entries + reader.random.nextInt(entries));
  }

  private boolean find(Reader reader, long id) {
    byte[] key = reader.keys.key(id);
    long hash = KeyHash.hash(key, 0, InternalKeys.BYTES);
    int p = partition(id);
    reader.lookups++;
    return bits == 0
        ? findByIndex(reader, key, hash, partitions[p], indexes[p])
        : findByFilters(reader, key, hash, partitions[p]);
  }

  private static boolean findByFilters(Reader reader, byte[] key, long hash, Table[] tables) {
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

  private static boolean findByIndex(
      Reader reader, byte[] key, long hash, Table[] tables, MergedIndex index) {
    int candidates = index.candidates(hash);
    while (candidates != 0) {
      int r = 31 - Integer.numberOfLeadingZeros(candidates);
      candidates ^= 1 << r;
      reader.pages++;
      if (tables[r].find(key, 0, InternalKeys.BYTES, hash, reader.found)) {
        return true;
      }
    }
    return false;
  }
}
