// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.memstore;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.OperatingSystemMXBean;
import io.github.rlsm.hbase.RlsmStoreEngine;
import io.github.rlsm.hbase.RunsHBase;
import io.github.rlsm.hbase.TestRegion;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.regionserver.DefaultMemStore;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Prints the rate of random puts and gets of a region, without RPC, with both memstores in turn.
 * Enabled by {@code -Drlsm.hbase.figures=ROWS}.
 */
@RunsHBase
@EnabledIfSystemProperty(
    named = "rlsm.hbase.figures",
    matches = "[1-9][0-9]*",
    disabledReason = "a measurement; enable it with -Drlsm.hbase.figures=ROWS")
class MembufferThroughputTest {

  private static final int ROWS = Integer.getInteger("rlsm.hbase.figures", 0);
  private static final int ROUNDS = 4;
  private static final int VALUE_BYTES = 100;
  private static final OperatingSystemMXBean CPU =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  @TempDir
  private Path folder;

  private HRegion region;

  @Test
  void printsRatesOfPutsAndGets() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      for (int threads : new int[] {1, 2}) {
        for (Durability durability : List.of(Durability.SKIP_WAL, Durability.ASYNC_WAL)) {
          // The order alternates, because the first measurement may find the machine in a different
          // state.
          boolean ownFirst = round % 2 == 1;
          measure(round, threads, durability, ownFirst);
          measure(round, threads, durability, !ownFirst);
        }
      }
    }
  }

  private void measure(int round, int threads, Durability durability, boolean own)
      throws Exception {
    Class<?> memstore = own ? MembufferMemStore.class : DefaultMemStore.class;
    String name = "t" + round + threads + durability + memstore.getSimpleName();
    try (TestRegion made = new TestRegion(
        folder,
        name,
        RlsmStoreEngine.class.getName(),
        ColumnFamilyDescriptorBuilder.of(TestRegion.FAMILY),
        Map.of(HStore.MEMSTORE_CLASS_NAME, memstore.getName()))) {
      region = made.region();
      long cpuBefore = CPU.getProcessCpuTime();
      double puts = perSecond(threads, part -> put(part, threads, durability));
      long cpu = CPU.getProcessCpuTime() - cpuBefore;
      double gets = perSecond(threads, part -> get(part, threads));
      double both = perSecond(threads, part -> putAndGet(part, threads, durability));
      System.out.printf(
          Locale.ROOT,
          "round %d, %d threads, %s, %s: %.0f puts/s, %d ns of CPU a put, %.0f gets/s,"
              + " %.0f put or get/s%n",
          round,
          threads,
          durability,
          memstore.getSimpleName(),
          puts,
          cpu / ROWS,
          gets,
          both);
      region.flush(true);
      assertThat(region.getMemStoreDataSize()).isZero();
    }
  }

  @FunctionalInterface
  private interface Work {
    void run(int part) throws Exception;
  }

  private static double perSecond(int threads, Work work) throws Exception {
    ExecutorService executor =
        Executors.newCachedThreadPool(task -> new Thread(task, "MembufferThroughputTest"));
    Instant begin = Instant.now();
    List<Future<Void>> parts = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      int part = i;
      Callable<Void> task = () -> {
        work.run(part);
        return null;
      };
      parts.add(executor.submit(task));
    }
    for (Future<Void> part : parts) {
      part.get();
    }
    double seconds =
        Duration.between(begin, Instant.now()).toNanos() / (double) TimeUnit.SECONDS.toNanos(1);
    executor.shutdown();
    return ROWS / seconds;
  }

  private void put(int part, int threads, Durability durability) throws Exception {
    for (int i = part; i < ROWS; i += threads) {
      region.put(putOf(i, durability));
    }
  }

  private static Put putOf(int number, Durability durability) {
    return new Put(row(number))
        .setDurability(durability)
        .addColumn(TestRegion.FAMILY, Bytes.toBytes("c"), new byte[VALUE_BYTES]);
  }

  private void get(int part, int threads) throws Exception {
    Random random = new Random(part);
    for (int i = part; i < ROWS; i += threads) {
      region.get(new Get(row(random.nextInt(ROWS))));
    }
  }

  private void putAndGet(int part, int threads, Durability durability) throws Exception {
    Random random = new Random(part);
    for (int i = part; i < ROWS; i += 2 * threads) {
      region.put(putOf(ROWS + i, durability));
      region.get(new Get(row(random.nextInt(ROWS))));
    }
  }

  private static byte[] row(int number) {
    return Bytes.toBytes(String.format(Locale.ROOT, "%016x", number * 0x9E3779B97F4A7C15L));
  }
}
