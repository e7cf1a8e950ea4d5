// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.micro;

import io.github.rlsm.base.EntryCursor;
import io.github.rlsm.base.EntryView;
import io.github.rlsm.base.KeyHash;
import io.github.rlsm.base.KeyRange;
import io.github.rlsm.table.PageCompression;
import io.github.rlsm.table.Table;
import io.github.rlsm.table.TableWriter;
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
import org.openjdk.jmh.infra.ThreadParams;

/**
 * Measures a table in memory: lookups of a present key and of a key that the filter excludes, the
 * filter alone, and a step of a scan.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class TableBenchmark {

  private static final int FILTER_BITS = 10;
  private static final int SHORT_SCAN = 50;

  /** Entries of the table. */
  @Param("500000")
  public int entries;

  /** Size of the pages. */
  @Param({"4096", "16384"})
  public int pageBytes;

  private final ScratchTables tables = new ScratchTables();
  private Table table;

  /** Writes the table. */
  @Setup
  public void write() {
    table = tables.write(
        InternalKeys.inOrder(entries),
        new TableWriter.Settings(pageBytes, FILTER_BITS, PageCompression.NONE));
  }

  /** Removes the table. */
  @TearDown
  public void close() throws IOException {
    tables.close();
  }

  /** The state of one reader thread. */
  @State(Scope.Thread)
  public static class Reader {

    private final InternalKeys keys = new InternalKeys();
    private SplittableRandom random;
    private final EntryView found = new EntryView();
    private int entries;
    private EntryCursor cursor;

    /** Resets the cursor of {@link #step}. Each thread draws different keys. */
    @Setup
    public void begin(TableBenchmark benchmark, ThreadParams threads) {
      random = new SplittableRandom(threads.getThreadIndex());
      entries = benchmark.entries;
      cursor = benchmark.table.cursor(KeyRange.ALL, false);
      cursor.seekFirst();
    }

    private byte[] present() {
      return keys.key(random.nextInt(entries));
    }

    private byte[] absent() {
      return keys.key((long) entries + random.nextInt(entries));
    }
  }

  /** Looks up a present key. */
  @Benchmark
  public boolean findPresent(Reader reader) {
    return find(reader, reader.present());
  }

  /** Looks up an absent key. */
  @Benchmark
  public boolean findAbsent(Reader reader) {
    return find(reader, reader.absent());
  }

  /** Asks the filter alone, for an absent key. */
  @Benchmark
  public boolean filter(Reader reader) {
    return table.mightContain(KeyHash.hash(reader.absent(), 0, InternalKeys.BYTES));
  }

  /** One step of a cursor through the table. */
  @Benchmark
  public int step(Reader reader) {
    if (!reader.cursor.next()) {
      reader.cursor.seekFirst();
    }
    return reader.cursor.entry().valueLength();
  }

  /** A short scan: creates a cursor, seeks, and steps. */
  @Benchmark
  public int shortScan(Reader reader) {
    EntryCursor cursor = table.cursor(KeyRange.ALL, false);
    int lengths = 0;
    boolean more = cursor.seek(reader.present(), 0, InternalKeys.BYTES);
    for (int i = 0; i < SHORT_SCAN && more; i++) {
      lengths += cursor.entry().valueLength();
      more = cursor.next();
    }
    return lengths;
  }

  private boolean find(Reader reader, byte[] key) {
    long hash = KeyHash.hash(key, 0, InternalKeys.BYTES);
    return table.mightContain(hash) && table.find(key, 0, InternalKeys.BYTES, hash, reader.found);
  }
}
