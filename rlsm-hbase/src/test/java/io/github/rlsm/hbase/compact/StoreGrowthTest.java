// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.compact;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.hbase.config.PartitionSize;
import io.github.rlsm.hbase.config.StoreSettings;
import io.github.rlsm.proof.Proof;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

/**
 * Simulates how the work of compactions grows with a store that is never split. New rows arrive in
 * random order, in flushes of 128 MiB, with default options. {@code -Drlsm.hbase.flushes=81920} is
 * 10 TiB.
 */
class StoreGrowthTest {

  private static final int FLUSHES = Proof.count("hbase.flushes", 640);
  private static final long FLUSH_MEBIBYTES = 128;
  private static final int FLUSH_ROWS = 64;
  private static final long FLUSH_BYTES = (long) FLUSH_ROWS * SimulatedStore.ROW_BYTES;

  private static final StoreSettings DEFAULTS =
      StoreSettings.of(new Configuration(false), FLUSH_MEBIBYTES << 20, problem -> {});

  private static final double SPEED = 2;
  private static final int FIRST = 40;

  private static final long SEED = 7;

  @Test
  void eachDoublingOfTheStoreAddsLittleWork() {
    // The sizes of the default options, with flushes that are scaled down.
    PartitionSize size = new PartitionSize(
        scaled(DEFAULTS.partitions().bytesMin()),
        Long.MAX_VALUE,
        DEFAULTS.partitions().partitions());
    SimulatedStore ours = new SimulatedStore(size, scaled(DEFAULTS.flushRunBytesMin()), SPEED);
    Exploring theirs = new Exploring();
    int[] rows = SimulatedStore.shuffled(FLUSHES * FLUSH_ROWS, SEED);
    double before = 0;
    int next = FIRST;
    for (int flush = 1; flush <= FLUSHES; flush++) {
      ours.flush(Arrays.copyOfRange(rows, (flush - 1) * FLUSH_ROWS, flush * FLUSH_ROWS));
      theirs.flush();
      if (flush == next) {
        double now = (double) ours.written() / ours.flushed();
        System.out.printf(
            Locale.ROOT,
            "%,d flushes, %,.0f GiB: %.2f bytes rewritten for each flushed byte, in %d partitions,"
                + " %d files over a row; HBase's policy %.2f, %d files%n",
            flush,
            (double) flush * FLUSH_MEBIBYTES / 1_024,
            now,
            ours.layout().partitions().size(),
            ours.layout().depth(),
            theirs.written / flush,
            theirs.files.size());
        if (flush > FIRST) {
          assertThat(now - before).as("%,d flushes", flush).isLessThan(2);
        }
        assertThat(now)
            .as("%,d flushes", flush)
            .isLessThan(theirs.written / flush * partOfHBases(flush));
        before = now;
        next = 2 * flush;
      }
    }
    assertThat(ours.depthMost()).isLessThanOrEqualTo(2 * SimulatedStore.BLOCKING_FILES + 1);
  }

  /** The advantage shrinks with the store; a single store of 5 TiB no longer has one. */
  private static double partOfHBases(int flushes) {
    if (flushes <= 16 * FIRST) {
      return 0.7;
    }
    return flushes <= 512 * FIRST ? 1 : 1.25;
  }

  private static long scaled(long bytes) {
    return bytes * FLUSH_BYTES / (FLUSH_MEBIBYTES << 20);
  }

  /**
   * HBase's {@code ExploringCompactionPolicy} with default options, in sizes of flushes. It selects
   * neighbouring files of similar size, as many as possible and then the smallest. Compactions take
   * no time here, which favours it.
   */
  private static final class Exploring {
    private static final double RATIO = 1.2;
    private static final int FILES_MIN = 3;
    private static final int FILES_MAX = 10;

    private final List<Double> files = new ArrayList<>();
    private double written;

    void flush() {
      files.add(1.0);
      for (int[] best = best(); best.length > 0; best = best()) {
        List<Double> chosen = files.subList(best[0], best[1]);
        double merged = sum(chosen);
        chosen.clear();
        files.add(best[0], merged);
        written += merged;
      }
    }

    /** The first file and the one after the last; empty if no compaction is due. */
    private int[] best() {
      int[] best = {};
      double bestSize = 0;
      for (int from = 0; from < files.size(); from++) {
        for (int to = from + FILES_MIN; to <= Math.min(files.size(), from + FILES_MAX); to++) {
          List<Double> chosen = files.subList(from, to);
          double sum = sum(chosen);
          boolean similar = sum < 1 || chosen.stream().allMatch(f -> f <= (sum - f) * RATIO);
          int more = best.length == 0 ? 1 : Integer.compare(to - from, best[1] - best[0]);
          if (similar && (more > 0 || (more == 0 && sum < bestSize))) {
            best = new int[] {from, to};
            bestSize = sum;
          }
        }
      }
      return best;
    }

    private static double sum(List<Double> sizes) {
      return sizes.stream().mapToDouble(Double::doubleValue).sum();
    }
  }
}
