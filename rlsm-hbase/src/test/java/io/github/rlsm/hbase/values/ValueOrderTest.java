// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.values;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.hbase.values.ValueOrder.Merge;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ValueOrderTest {

  private static final long MIB = 1 << 20;
  private static final long FLUSH_BYTES = 4 * MIB;

  /** The payment for a read of 20 µs. */
  private static final long SEEK_BYTES = 4 << 10;

  private static final int FLUSHES = 150;
  private static final int ROWS_SCANNED = 100;

  private static Optional<Merge<Long>> choose(List<Long> sizes, long stepBytesMax) {
    return ValueOrder.choose(sizes, size -> size, stepBytesMax);
  }

  private static List<Long> times(int count, long size) {
    return new ArrayList<>(Collections.nCopies(count, size));
  }

  @Test
  void manyFilesOfOneSizeAreMergedAtOnce() {
    Merge<Long> merge = choose(times(100, FLUSH_BYTES), Long.MAX_VALUE).orElseThrow();
    assertThat(merge.files()).hasSize(ValueOrder.FILES_MAX);
    assertThat(merge.price()).isEqualTo(MIB + 2 * ValueOrder.FILES_MAX * FLUSH_BYTES);
  }

  @Test
  void smallFilesAreNotMergedWithALargeOne() {
    List<Long> sizes = times(7, FLUSH_BYTES);
    sizes.add(0, 100 * FLUSH_BYTES);
    assertThat(choose(sizes, Long.MAX_VALUE).orElseThrow().files())
        .containsExactlyElementsOf(times(7, FLUSH_BYTES));
  }

  @Test
  void stepsAreLimited() {
    assertThat(choose(times(40, FLUSH_BYTES), 5 * FLUSH_BYTES).orElseThrow().files())
        .hasSize(5);
  }

  @Test
  void filesThatAreTooLargeForAStepAreMergedInTheEnd() {
    List<Long> sizes = times(3, 5 * FLUSH_BYTES);
    sizes.add(FLUSH_BYTES);
    assertThat(choose(sizes, 5 * FLUSH_BYTES).orElseThrow().files()).hasSize(4);
    sizes.add(FLUSH_BYTES);
    assertThat(choose(sizes, 5 * FLUSH_BYTES).orElseThrow().files())
        .containsExactlyElementsOf(times(2, FLUSH_BYTES));
  }

  @Test
  void fewerThanTwoFilesNeedNoMerge() {
    assertThat(choose(List.of(), Long.MAX_VALUE)).isEmpty();
    assertThat(choose(times(1, FLUSH_BYTES), Long.MAX_VALUE)).isEmpty();
  }

  /** A store of 600 MB. A scan pays when it meets a file beyond the first. */
  @Test
  void scansGetFasterAndPayForAllWork() {
    Store store = new Store();
    double before = store.meanFilesMet(100);
    for (int i = 0; i < 4_000; i++) {
      store.scan();
    }
    double later = store.meanFilesMet(100);
    for (int i = 0; i < 12_000; i++) {
      store.scan();
    }
    double last = store.meanFilesMet(100);
    long stepsWritten = store.written;
    for (int i = 0; i < 200_000; i++) {
      store.scan();
    }
    System.out.printf(
        Locale.ROOT,
        "value files that a scan meets: %.1f, %.1f after 4,000 scans, %.1f after 16,000;"
            + " %.2f bytes rewritten for each byte%n",
        before,
        later,
        last,
        (double) stepsWritten / (FLUSHES * FLUSH_BYTES));
    assertThat(before).isGreaterThan(70);
    assertThat(later).isLessThan(before * 4 / 5);
    assertThat(last).isLessThan(before / 3);
    assertThat(store.files).hasSize(1);
    assertThat(store.paid).isNotNegative();
    assertThat(store.written).isLessThanOrEqualTo(2 * FLUSHES * FLUSH_BYTES);
  }

  /** Rows in random order; the share of a file in the store's bytes is its share of the rows. */
  private static final class Store {
    private final Random random = new Random(3);
    private final long stepBytesMax = FLUSHES * FLUSH_BYTES / 4;
    private List<Long> files = times(FLUSHES, FLUSH_BYTES);
    private long paid;
    private long written;

    private int filesMet() {
      List<Integer> met = new ArrayList<>();
      for (int i = 0; i < ROWS_SCANNED; i++) {
        int flush = random.nextInt(FLUSHES);
        int file = 0;
        for (long sum = files.get(0); sum <= flush * FLUSH_BYTES; sum += files.get(file)) {
          file++;
        }
        met.add(file);
      }
      return (int) met.stream().distinct().count();
    }

    double meanFilesMet(int scans) {
      double sum = 0;
      for (int i = 0; i < scans; i++) {
        sum += filesMet();
      }
      return sum / scans;
    }

    void scan() {
      paid += (filesMet() - 1) * SEEK_BYTES;
      Optional<Merge<Long>> merge = choose(files, stepBytesMax).filter(one -> one.price() <= paid);
      if (merge.isPresent()) {
        List<Long> left = new ArrayList<>(files);
        merge.get().files().forEach(left::remove);
        left.add(merge.get().bytes());
        files = left;
        paid -= 2 * merge.get().bytes();
        written += merge.get().bytes();
      }
    }
  }
}
