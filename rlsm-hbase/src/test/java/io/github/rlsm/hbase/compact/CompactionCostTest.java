// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.compact;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.hbase.config.PartitionSize;
import java.util.Locale;
import java.util.Random;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Simulates how many bytes compactions write for each flushed byte. */
class CompactionCostTest {

  private static final int FLUSH_ROWS = 512;
  private static final long PARTITION_BYTES = 5L * FLUSH_ROWS * SimulatedStore.ROW_BYTES;
  private static final long SEED = 7;

  /** As measured with client, flushes and compactions on two shared cores. */
  private static final double SPEED = 2;

  private final SimulatedStore store = new SimulatedStore(PARTITION_BYTES, SPEED);

  /**
   * A region of 10 GiB is 80 flushes of 128 MiB. A row may be in more files than the limit for
   * flushes, because files that are being merged are not counted.
   */
  @ParameterizedTest
  @CsvSource({"37, 0.95, 17", "80, 1.7, 22", "148, 2, 22"})
  void newRowsInRandomOrderAreRewrittenLittle(int flushes, double most, int deepest) {
    int[] order = SimulatedStore.shuffled(flushes * FLUSH_ROWS, SEED);
    assertThat(writtenPerByte(flushes, i -> order[i])).as("%s", store).isLessThan(most);
    assertThat(store.depthMost()).isLessThanOrEqualTo(deepest);
  }

  /**
   * This also holds if compactions are as slow as flushes, but then each byte is rewritten less
   * than once.
   */
  @ParameterizedTest
  @CsvSource({"37, 2", "37, 1", "80, 1"})
  void flushesDoNotWaitForAppends(int flushes, double speed) {
    SimulatedStore slow = new SimulatedStore(PARTITION_BYTES, speed);
    int[] order = SimulatedStore.shuffled(flushes * FLUSH_ROWS, SEED);
    writtenPerByte(slow, flushes, i -> order[i]);
    assertThat(slow.stalled()).as("%s", slow).isZero();
    assertThat(slow.depthMost()).isLessThanOrEqualTo(2 * SimulatedStore.BLOCKING_FILES + 1);
  }

  @Test
  void newRowsInOrderAreNotRewritten() {
    assertThat(writtenPerByte(200, i -> i)).as("%s", store).isZero();
    assertThat(store.layout().partitions()).hasSizeGreaterThan(20);
  }

  @Test
  void overwrittenRowsAreRewrittenLittle() {
    int rows = 37 * FLUSH_ROWS;
    int[] order = SimulatedStore.shuffled(rows, SEED);
    writtenPerByte(37, i -> order[i]);
    Random random = new Random(SEED);
    assertThat(writtenPerByte(37, i -> random.nextInt(rows))).as("%s", store).isLessThan(1.5);
    assertThat(writtenPerByte(150, i -> random.nextInt(rows))).as("%s", store).isLessThan(2.5);
  }

  /**
   * With default options and flushes of 4 MiB, partitions follow the data, and flushes write to
   * them directly. HBase's exploring policy writes 3.2, 4.0 and 4.5 bytes for each flushed byte of
   * 40, 150 and 400 flushes. The test averages over lengths, because a history may end right after
   * a rewrite of everything.
   */
  @Test
  void partitionsThatFollowTheDataAreRewrittenLittle() {
    double load = 0;
    double overwrite = 0;
    int[] lengths = {40, 100, 150, 250, 400};
    for (int flushes : lengths) {
      int rows = flushes * FLUSH_ROWS;
      PartitionSize size =
          new PartitionSize(30L * FLUSH_ROWS * SimulatedStore.ROW_BYTES, Long.MAX_VALUE, 3);
      SimulatedStore defaults =
          new SimulatedStore(size, FLUSH_ROWS * SimulatedStore.ROW_BYTES / 4, SPEED);
      int[] order = SimulatedStore.shuffled(rows, SEED);
      load += meanWrittenPerByte(defaults, flushes, i -> order[i]);
      Random random = new Random(SEED);
      overwrite += meanWrittenPerByte(defaults, flushes, i -> random.nextInt(rows));
      assertThat(defaults.layout().partitions().size()).isBetween(1, 3);
    }
    System.out.printf(
        Locale.ROOT,
        "default options: %.2f bytes rewritten for each loaded byte, %.2f for each overwritten%n",
        load / lengths.length,
        overwrite / lengths.length);
    assertThat(load / lengths.length).as("load").isLessThan(1.45);
    assertThat(overwrite / lengths.length).as("overwrite").isLessThan(2.5);
  }

  /** The mean over the later half of the flushes. */
  private static double meanWrittenPerByte(
      SimulatedStore store, int flushes, IntUnaryOperator row) {
    double written = store.written();
    double flushed = store.flushed();
    double sum = 0;
    for (int i = 0; i < flushes; i++) {
      int first = i * FLUSH_ROWS;
      store.flush(IntStream.range(first, first + FLUSH_ROWS).map(row).toArray());
      if (i >= flushes / 2) {
        sum += (store.written() - written) / (store.flushed() - flushed);
      }
    }
    return sum / (flushes - flushes / 2);
  }

  private double writtenPerByte(int flushes, IntUnaryOperator row) {
    return writtenPerByte(store, flushes, row);
  }

  private static double writtenPerByte(SimulatedStore store, int flushes, IntUnaryOperator row) {
    long writtenBefore = store.written();
    long flushedBefore = store.flushed();
    for (int flush = 0; flush < flushes; flush++) {
      int first = flush * FLUSH_ROWS;
      store.flush(IntStream.range(first, first + FLUSH_ROWS).map(row).toArray());
    }
    return (double) (store.written() - writtenBefore) / (store.flushed() - flushedBefore);
  }
}
