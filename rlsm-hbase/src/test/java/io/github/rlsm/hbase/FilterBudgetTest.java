// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.hbase.config.StoreSettings;
import io.github.rlsm.hbase.files.FilterBudget;
import io.github.rlsm.hbase.metrics.StoreMetrics;
import java.io.IOException;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.metrics.Gauge;
import org.apache.hadoop.hbase.metrics.MetricRegistries;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Row filters share a budget; evicted filters are read again when lookups need them. */
@RunsHBase
class FilterBudgetTest {

  private static final int RUNS = 8;
  private static final int ROWS = 1_600;

  @TempDir
  private java.nio.file.Path folder;

  @AfterEach
  void withoutLimit() {
    FilterBudget.ofServer().limit(Long.MAX_VALUE);
  }

  @Test
  void filtersLeaveMemoryAndComeBack() throws IOException {
    try (TestRegion region = filled()) {
      long all = bytes();
      assertThat(all).isGreaterThan(ROWS);
      FilterBudget.ofServer().limit(all / 2);
      assertThat(bytes()).isPositive().isLessThanOrEqualTo(all / 2);
      getAll(region);
      assertThat(bytes()).isPositive().isLessThanOrEqualTo(all / 2);
      FilterBudget.ofServer().limit(0);
      assertThat(bytes()).isZero();
      getAll(region);
      assertThat(bytes()).isZero();
      FilterBudget.ofServer().limit(Long.MAX_VALUE);
      getAll(region);
      assertThat(bytes()).as("each was used often enough to be read again").isEqualTo(all);
      region.reopen();
      assertThat(bytes()).isEqualTo(all);
      region.compactEverything();
      assertThat(bytes()).as("filters of replaced files are released").isLessThanOrEqualTo(all);
    }
    assertThat(bytes()).isZero();
  }

  private TestRegion filled() throws IOException {
    TestRegion region = new TestRegion(
        folder,
        "budget",
        RlsmStoreEngine.class.getName(),
        ColumnFamilyDescriptorBuilder.newBuilder(TestRegion.FAMILY)
            .setConfiguration(
                StoreSettings.FILTER_BYTES, String.valueOf(Runtime.getRuntime().maxMemory()))
            .setBloomFilterType(BloomType.NONE)
            .build());
    for (int run = 0; run < RUNS; run++) {
      for (int i = run; i < ROWS; i += RUNS) {
        region.region().put(new Put(row(i)).addColumn(TestRegion.FAMILY, row(i), row(i)));
      }
      region.region().flush(true);
    }
    return region;
  }

  /** Looks up the rows of all runs, so that each filter is used often enough to be read again. */
  private static void getAll(TestRegion region) throws IOException {
    for (int i = 0; i < ROWS; i++) {
      assertThat(region.region().get(new Get(row(i))).value()).isEqualTo(row(i));
    }
  }

  private static byte[] row(int i) {
    return Bytes.toBytes(i);
  }

  private static long bytes() {
    return MetricRegistries.global()
        .get(StoreMetrics.PLACE)
        .flatMap(registry -> registry.get("rowFilterBytes"))
        .map(metric -> metric instanceof Gauge<?> gauge ? (Long) gauge.getValue() : 0L)
        .orElse(0L);
  }
}
