// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.memstore;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.hbase.RlsmStoreEngine;
import io.github.rlsm.hbase.RunsHBase;
import io.github.rlsm.hbase.TestRegion;
import io.github.rlsm.hbase.config.MembufferSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLongArray;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.ChunkCreator;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.MemStoreLAB;
import org.apache.hadoop.hbase.regionserver.MutableSegment;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Runs writers, counters, readers and flushes concurrently. Acknowledged rows are visible and
 * complete, counters never miss an increment, and sizes return to zero.
 */
@Tag("optimized")
@RunsHBase
class ConcurrentMembufferTest {

  private static final int WRITERS = 3;
  private static final int ROWS = Integer.getInteger("rlsm.operations", 2_000);
  private static final int FLUSH_ROWS = ROWS / 10;
  private static final int COUNTERS = 5;
  private static final int INCREMENTS = ROWS / 4;
  private static final byte[] COUNT = Bytes.toBytes("n");
  private static final List<byte[]> COLUMNS = List.of(Bytes.toBytes("a"), Bytes.toBytes("b"));

  @TempDir
  private Path folder;

  private final long seed = Long.getLong("rlsm.seed", System.currentTimeMillis());
  private final AtomicLongArray acknowledged = new AtomicLongArray(WRITERS);
  private final AtomicBoolean done = new AtomicBoolean();
  private HRegion region;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void nothingIsLostAndSizesReturnToZero(boolean lab) throws Exception {
    System.out.println("ConcurrentMembufferTest " + lab + " seed " + seed);
    if (lab) {
      // Small chunks of a pool are reused soon.
      ChunkCreator.initialize(64 << 10, false, 64 << 20, 1, 0, null, 0.1f);
    }
    Map<String, String> options = Map.of(
        HStore.MEMSTORE_CLASS_NAME,
        MembufferMemStore.class.getName(),
        MembufferSettings.CELLS,
        "64",
        MemStoreLAB.USEMSLAB_KEY,
        Boolean.toString(lab),
        MemStoreLAB.MAX_ALLOC_KEY,
        "4096");
    try (TestRegion made = new TestRegion(
        folder,
        "t" + lab,
        RlsmStoreEngine.class.getName(),
        ColumnFamilyDescriptorBuilder.of(TestRegion.FAMILY),
        options)) {
      region = made.region();
      run();
      region.flush(true);
      assertThat(region.getMemStoreDataSize()).isZero();
      assertThat(region.getMemStoreOffHeapSize()).isZero();
      assertThat(region.getMemStoreHeapSize()).isEqualTo(MutableSegment.DEEP_OVERHEAD);
      assertThat(made.read(new Scan())).hasSize(WRITERS * ROWS * 2 + COUNTERS);
      for (int i = 0; i < COUNTERS; i++) {
        assertThat(count(i)).isEqualTo(INCREMENTS);
      }
    }
  }

  private void run() throws InterruptedException, ExecutionException {
    ExecutorService threads =
        Executors.newCachedThreadPool(task -> new Thread(task, "ConcurrentMembufferTest"));
    List<Future<?>> writing = new ArrayList<>();
    List<Future<?>> reading = new ArrayList<>();
    for (int i = 0; i < WRITERS; i++) {
      int writer = i;
      writing.add(threads.submit(asCallable(() -> write(writer))));
    }
    writing.add(threads.submit(asCallable(this::countUp)));
    long number = 0;
    for (Step step : List.<Step>of(this::scan, this::get)) {
      Random random = new Random(seed + ++number);
      reading.add(threads.submit(asCallable(() -> {
        while (!done.get()) {
          step.run(random);
        }
      })));
    }
    try {
      for (Future<?> future : writing) {
        future.get();
      }
    } finally {
      done.set(true);
      threads.shutdown();
    }
    for (Future<?> future : reading) {
      future.get();
    }
  }

  @FunctionalInterface
  private interface Step {
    void run(Random random) throws IOException;
  }

  @FunctionalInterface
  private interface Task {
    void run() throws IOException;
  }

  private static Callable<Void> asCallable(Task task) {
    return () -> {
      task.run();
      return null;
    };
  }

  private void write(int writer) throws IOException {
    for (int i = 0; i < ROWS; i++) {
      if (writer == 0 && i % FLUSH_ROWS == FLUSH_ROWS - 1) {
        region.flush(true);
      }
      Put put = new Put(row(writer, i)).setDurability(Durability.ASYNC_WAL);
      for (byte[] column : COLUMNS) {
        put.addColumn(TestRegion.FAMILY, column, Bytes.toBytes(i));
      }
      region.put(put);
      acknowledged.set(writer, i + 1);
    }
  }

  /** The rows of different writers are interleaved. */
  private static byte[] row(int writer, long number) {
    return Bytes.toBytes(String.format(Locale.ROOT, "%08x-%d", number * 0x9E3779B1L, writer));
  }

  private void countUp() throws IOException {
    for (int i = 1; i <= INCREMENTS; i++) {
      for (int counter = 0; counter < COUNTERS; counter++) {
        Increment increment = new Increment(counterRow(counter))
            .setDurability(Durability.ASYNC_WAL)
            .addColumn(TestRegion.FAMILY, COUNT, 1);
        assertThat(Bytes.toLong(region.increment(increment).value())).isEqualTo(i);
        if (i % COUNTERS == counter) {
          assertThat(count(counter)).isEqualTo(i);
        }
      }
    }
  }

  private static byte[] counterRow(int counter) {
    return Bytes.toBytes("counter-" + counter);
  }

  private long count(int counter) throws IOException {
    return Bytes.toLong(
        region.get(new Get(counterRow(counter))).getValue(TestRegion.FAMILY, COUNT));
  }

  private void scan(Random random) throws IOException {
    long[] before = new long[WRITERS];
    for (int i = 0; i < WRITERS; i++) {
      before[i] = acknowledged.get(i);
    }
    long[] cells = new long[WRITERS];
    try (RegionScanner scanner = region.getScanner(new Scan().setReversed(random.nextBoolean()))) {
      List<Cell> row = new ArrayList<>();
      boolean more = true;
      while (more) {
        more = scanner.next(row);
        Result result = Result.create(row);
        if (result.containsColumn(TestRegion.FAMILY, COLUMNS.get(0))) {
          assertThat(result.size()).isEqualTo(COLUMNS.size());
          byte[] name = result.getRow();
          cells[name[name.length - 1] - '0']++;
        }
        row.clear();
      }
    }
    for (int i = 0; i < WRITERS; i++) {
      assertThat(cells[i]).isGreaterThanOrEqualTo(before[i]);
    }
  }

  private void get(Random random) throws IOException {
    int writer = random.nextInt(WRITERS);
    long last = acknowledged.get(writer) - 1;
    if (last >= 0) {
      assertThat(region.get(new Get(row(writer, last))).size()).isEqualTo(COLUMNS.size());
      long any = random.nextInt(Math.toIntExact(last + 1));
      assertThat(region.get(new Get(row(writer, any))).size()).isEqualTo(COLUMNS.size());
    }
    assertThat(region.getMemStoreDataSize()).isNotNegative();
    assertThat(region.getMemStoreHeapSize()).isNotNegative();
  }
}
