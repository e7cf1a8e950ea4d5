// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase;

import static io.github.rlsm.hbase.TestRegion.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rlsm.hbase.config.StoreSettings;
import io.github.rlsm.hbase.files.ValueFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.filter.ValueFilter;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.StoreFileScanner;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks which separated values a read fetches. */
@RunsHBase
class LateValuesTest {

  private static final int ROWS = 1_000;
  private static final int VERSIONS = 3;
  private static final int VALUE_BYTES = 500;

  private static final int WINDOW_BYTES = 128 << 10;

  @TempDir
  private Path folder;

  /** Creates a region where all rows are written several times, with a flush each time. */
  private TestRegion region() throws IOException {
    return region(4_096);
  }

  private TestRegion region(int blockBytes) throws IOException {
    TestRegion region =
        new TestRegion(folder, "late", blockBytes, Map.of(StoreSettings.SEPARATED_BYTES, "100"));
    for (int version = 0; version < VERSIONS; version++) {
      for (int i = 0; i < ROWS; i++) {
        region
            .region()
            .put(
                new Put(row(i)).addColumn(TestRegion.FAMILY, TestRegion.FAMILY, value(i, version)));
      }
      region.region().flush(true);
    }
    return region;
  }

  private static byte[] value(int i, int version) {
    return Bytes.add(Bytes.toBytes(i), Bytes.toBytes(version), new byte[VALUE_BYTES]);
  }

  private static ValueFiles files(TestRegion region) {
    return region.fileSet().now().values();
  }

  private static long blocks(HStoreFile file) {
    return file.getReader().getHFileReader().getTrailer().getDataIndexCount();
  }

  @Test
  void aScanReadsNoValueOfAnOlderVersion() throws IOException {
    try (TestRegion region = region()) {
      long keys =
          files(region).keys().stream().mapToLong(LateValuesTest::blocks).sum();
      List<Long> values = files(region).values().values().stream()
          .map(value -> value.file().getReader().length())
          .toList();
      assertThat(values).hasSize(VERSIONS);
      long oneFile = values.get(0);
      assertThat(oneFile).isGreaterThan(2 * WINDOW_BYTES);
      long blocks = HFile.DATABLOCK_READ_COUNT.sum();
      long bytes = TestRegion.counter("valueRequestBytes");
      assertThat(region.read(new Scan().setCacheBlocks(false))).hasSize(ROWS);
      assertThat(HFile.DATABLOCK_READ_COUNT.sum() - blocks).isBetween(keys, keys + 20);
      // HBase replaces the scanners of a long scan once, which reads one window again.
      assertThat(TestRegion.counter("valueRequestBytes") - bytes)
          .isBetween(oneFile * 7 / 8, oneFile * 9 / 8 + WINDOW_BYTES);
    }
  }

  @Test
  void blocksOfKeyFilesAreSmall() throws IOException {
    try (TestRegion region = region(64 << 10)) {
      for (HStoreFile file : files(region).keys()) {
        assertThat(file.getReader().length() / blocks(file)).isBetween(8_000L, 12_000L);
      }
    }
  }

  @Test
  void aGetReadsOneValue() throws IOException {
    try (TestRegion region = region()) {
      long before = HFile.DATABLOCK_READ_COUNT.sum();
      for (int i = 0; i < ROWS; i++) {
        byte[] value =
            region.region().get(new Get(row(i)).setCacheBlocks(false)).value();
        assertThat(value).isEqualTo(value(i, VERSIONS - 1));
      }
      // The newest key and its value.
      assertThat((double) (HFile.DATABLOCK_READ_COUNT.sum() - before) / ROWS)
          .isBetween(1 + 1.0, 1 + 1.1);
    }
  }

  @Test
  void aFilterSeesValues() throws IOException {
    try (TestRegion region = region()) {
      BinaryComparator wanted = new BinaryComparator(value(7, VERSIONS - 1));
      List<String> found =
          region.read(new Scan().setFilter(new ValueFilter(CompareOperator.EQUAL, wanted)));
      assertThat(found).singleElement().asString().contains("r00007");
      Get lengthOnly = new Get(row(8)).setFilter(new KeyOnlyFilter(true));
      assertThat(Bytes.toInt(region.region().get(lengthOnly).value()))
          .isEqualTo(value(8, 0).length);
    }
  }

  @Test
  void aValueIsUnreadableAfterItsScanUnlessItWasReadBefore() throws IOException {
    try (TestRegion region = region()) {
      HStoreFile file = files(region).keys().iterator().next();
      StoreFileScanner scanner = file.getPreadScanner(false, Long.MAX_VALUE, 0, false);
      scanner.seek(KeyValueUtil.createFirstOnRow(row(5)));
      Cell kept = scanner.next();
      Cell left = scanner.next();
      assertThat(kept.heapSize()).isGreaterThan(VALUE_BYTES);
      scanner.close();
      assertThat(Bytes.toInt(CellUtil.cloneValue(kept))).isEqualTo(5);
      assertThat(CellUtil.cloneRow(left)).isEqualTo(row(6));
      assertThatThrownBy(() -> CellUtil.cloneValue(left))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("has ended");
    }
  }
}
