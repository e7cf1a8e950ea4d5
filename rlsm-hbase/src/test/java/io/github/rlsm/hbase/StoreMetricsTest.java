// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.hbase.config.StoreSettings;
import io.github.rlsm.hbase.files.StoreFileSet;
import io.github.rlsm.hbase.metrics.StoreMetrics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.metrics.Counter;
import org.apache.hadoop.hbase.metrics.Gauge;
import org.apache.hadoop.hbase.metrics.Metric;
import org.apache.hadoop.hbase.metrics.MetricRegistries;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The metrics match the operations of a store. */
@RunsHBase
class StoreMetricsTest {

  private static final int ROWS = 1_000;

  @TempDir
  private java.nio.file.Path folder;

  @Test
  void flushesCompactionsAndGetsAreCounted() throws IOException {
    long flushed = counter("writtenBytesByFlush");
    long major = counter("writtenBytesByMajor");
    long adopted = counter("adoptedBytes");
    try (TestRegion region = new TestRegion(folder, "metrics", 1_024, Map.of())) {
      fill(region);
      assertThat(gauge("partitionCount")).isEqualTo(1);
      assertThat(gauge("runCount")).isEqualTo(1);
      region.region().compact(true);
      long partitions = gauge("partitionCount");
      assertThat(partitions).isGreaterThan(4);
      assertThat(gauge("runCount")).isEqualTo(partitions);
      assertThat(counter("adoptedBytes")).isEqualTo(adopted);
      fill(region);
      assertThat(gauge("runCount")).isGreaterThan(partitions + 4);
      assertThat(counter("adoptedBytes") - adopted).isGreaterThan(ROWS * 100);
      assertThat(counter("writtenBytesByFlush") - flushed).isGreaterThan(2 * ROWS * 100);
      assertThat(counter("writtenBytesByMajor") - major).isGreaterThan(ROWS * 100);
      long gets = counter("getCount");
      region.region().get(new Get(Bytes.toBytes(1)));
      assertThat(counter("getCount")).isEqualTo(gets + 1);
    }
    assertThat(gauge("partitionCount")).isZero();
  }

  /** HBase's engine may compact a value file. Here the file is deleted. */
  @Test
  void valueFilesAndIgnoredKeyFilesAreCounted() throws IOException {
    try (TestRegion region = new TestRegion(
        folder,
        "ignored",
        RlsmStoreEngine.class.getName(),
        ColumnFamilyDescriptorBuilder.of(TestRegion.FAMILY),
        Map.of(StoreSettings.SEPARATED_BYTES, "50"))) {
      fill(region);
      fill(region);
      assertThat(gauge("valueFileCount")).isEqualTo(2);
      assertThat(gauge("ignoredKeyFileCount")).isZero();
      StoreFileSet files = region.fileSet();
      String value = files.now().values().values().keySet().iterator().next();
      region.shut();
      Files.delete(Path.of(region.folder().toUri().getPath(), value));
      region.open();
      assertThat(gauge("valueFileCount")).isEqualTo(1);
      assertThat(gauge("ignoredKeyFileCount")).isEqualTo(1);
      region.compactEverything();
      assertThat(gauge("ignoredKeyFileCount")).isZero();
    }
    assertThat(gauge("valueFileCount")).isZero();
  }

  @Test
  void deadValuesAreCountedForServerAndTable() throws IOException {
    String ofTable = "Namespace_default_table_dead_metric_";
    try (TestRegion region = new TestRegion(
        folder,
        "dead",
        RlsmStoreEngine.class.getName(),
        ColumnFamilyDescriptorBuilder.of(TestRegion.FAMILY),
        Map.of(
            StoreSettings.SEPARATED_BYTES,
            "50",
            StoreSettings.PARTITION_BYTES,
            "10000000",
            StoreSettings.DEAD_VALUES,
            "1000"))) {
      assertThat(metric(ofTable + "deadValueBytes")).isNull();
      fill(region);
      assertThat(gauge("valueSpaceAmplificationPercent")).isEqualTo(100);
      fill(region);
      fill(region);
      assertThat(gauge("deadValueBytes")).as("the shadows are not merged").isZero();
      region.region().compact(false);
      for (String scope : new String[] {"", ofTable}) {
        assertThat(gauge(scope + "valueBytes")).isEqualTo(3 * ROWS * 100);
        assertThat(gauge(scope + "deadValueBytes")).isEqualTo(2 * ROWS * 100);
        assertThat(gauge(scope + "valueSpaceAmplificationPercent")).isEqualTo(300);
      }
    }
    assertThat(metric(ofTable + "deadValueBytes")).isNull();
    assertThat(gauge("deadValueBytes")).isZero();
  }

  @Test
  void depthIsThatOfTheDeepestStore() throws IOException {
    String ofDeep = "Namespace_default_table_deep_metric_fileDepthMax";
    String ofShallow = "Namespace_default_table_shallow_metric_fileDepthMax";
    try (TestRegion deep = undivided("deep");
        TestRegion shallow = undivided("shallow")) {
      for (int i = 0; i < 3; i++) {
        fill(deep);
      }
      fill(shallow);
      assertThat(gauge(ofDeep)).isEqualTo(3);
      assertThat(gauge(ofShallow)).isEqualTo(1);
      assertThat(gauge("fileDepthMax")).isEqualTo(3);
      deep.compactEverything();
      fill(shallow);
      assertThat(gauge(ofDeep)).isEqualTo(1);
      assertThat(gauge("fileDepthMax")).isEqualTo(2);
    }
    assertThat(metric(ofDeep)).isNull();
    assertThat(gauge("fileDepthMax")).isZero();
  }

  private TestRegion undivided(String name) throws IOException {
    return new TestRegion(
        folder,
        name,
        RlsmStoreEngine.class.getName(),
        ColumnFamilyDescriptorBuilder.of(TestRegion.FAMILY),
        Map.of(StoreSettings.PARTITION_BYTES, "10000000", StoreSettings.ROW_FILES, "16"));
  }

  private static void fill(TestRegion region) throws IOException {
    for (int i = 0; i < ROWS; i++) {
      byte[] row = Bytes.toBytes(i);
      region.region().put(new Put(row).addColumn(TestRegion.FAMILY, row, new byte[100]));
    }
    region.region().flush(true);
  }

  private static long counter(String name) {
    return metric(name) instanceof Counter counter ? counter.getCount() : 0;
  }

  private static long gauge(String name) {
    return metric(name) instanceof Gauge<?> gauge ? (Long) gauge.getValue() : 0;
  }

  private static Metric metric(String name) {
    return MetricRegistries.global()
        .get(StoreMetrics.PLACE)
        .flatMap(registry -> registry.get(name))
        .orElse(null);
  }
}
