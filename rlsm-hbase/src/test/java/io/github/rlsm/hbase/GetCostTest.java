// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase;

import static io.github.rlsm.hbase.TestRegion.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.hbase.config.StoreSettings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.ColumnPaginationFilter;
import org.apache.hadoop.hbase.filter.ValueFilter;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks the answers of Gets, and counts the data blocks that they read from many runs. */
@RunsHBase
class GetCostTest {

  private static final int ROWS = 1_000;
  private static final int RUNS = 10;

  @TempDir
  private java.nio.file.Path folder;

  @Test
  void aGetReadsAboutOneDataBlockHoweverManyRunsThereAre() throws IOException {
    try (TestRegion region = filled("with", BloomType.ROW)) {
      assertThat(blocksOfGets(region, 0)).isBetween(0.99, 1.1);
      assertThat(blocksOfGets(region, 1)).isLessThan(0.1);
    }
  }

  @Test
  void withoutBloomFiltersAGetReadsOneDataBlockPerRun() throws IOException {
    try (TestRegion region = filled("without", BloomType.NONE)) {
      assertThat(blocksOfGets(region, 0)).isGreaterThan(RUNS - 1);
    }
  }

  /** One block has the row in the newest file, or its shadow, and one the separated value. */
  @ParameterizedTest
  @CsvSource({"0, 1, 1", "0, 3, 1", "60, 1, 2", "60, 3, 2"})
  void aGetOfAnOverwrittenRowReadsTheNewestFile(int separatedBytesMin, int columns, double blocks)
      throws IOException {
    try (TestRegion region = region("overwritten", BloomType.ROW, separatedBytesMin)) {
      for (int run = 0; run < RUNS; run++) {
        for (int i = 0; i < ROWS; i++) {
          region.region().put(put(row(i), columns, run));
        }
        region.region().flush(true);
      }
      assertThat(blocksOfGets(region, 0)).isBetween(blocks, blocks + 0.2);
      for (int i = 0; i < ROWS; i += 100) {
        Result result = region.region().get(new Get(row(i)));
        assertThat(result.size()).isEqualTo(columns);
        assertThat(result.value()).isEqualTo(value(RUNS - 1));
        assertThat(region.region().get(new Get(row(i)).readAllVersions()).size())
            .isEqualTo(columns);
      }
    }
  }

  @Test
  void aGetOfARowInMemoryReadsOneFile() throws IOException {
    try (TestRegion region = region("memory", BloomType.ROW, 0)) {
      region.region().put(put(row(0), 2, 0));
      region.region().flush(true);
      region.region().put(put(row(0), 2, 1));
      region.region().flush(true);
      region.region().put(put(row(0), 2, 2));
      assertThat(blocksOf(region, new Get(row(0)), "c0=2", "c1=2")).isEqualTo(1);
    }
  }

  @Test
  void aGetReadsOlderFilesForTheColumnsThatNewerOnesLack() throws IOException {
    try (TestRegion region = region("lacking", BloomType.ROW, 0)) {
      region.region().put(put(row(0), 3, 0));
      region.region().flush(true);
      region.region().put(put(row(0), 2, 1));
      region.region().flush(true);
      assertThat(blocksOf(region, new Get(row(0)), "c0=1", "c1=1", "c2=0")).isEqualTo(2);
      Get ofNewer = new Get(row(0)).addColumn(TestRegion.FAMILY, Bytes.toBytes("c1"));
      assertThat(blocksOf(region, ofNewer, "c1=1")).isEqualTo(1);
      Get ofOlder = new Get(row(0)).addColumn(TestRegion.FAMILY, Bytes.toBytes("c2"));
      assertThat(blocksOf(region, ofOlder, "c2=0")).isEqualTo(2);
      Get ofNone = new Get(row(0)).addColumn(TestRegion.FAMILY, Bytes.toBytes("d"));
      assertThat(blocksOf(region, ofNone)).isEqualTo(1);
    }
  }

  @Test
  void timestampsDecideWhichFileIsNewer() throws IOException {
    try (TestRegion region = region("backdated", BloomType.ROW, 0)) {
      region.region().put(put(row(0), 1, 0, 1_000));
      region.region().flush(true);
      region.region().put(put(row(0), 1, 1, 500));
      region.region().flush(true);
      assertThat(blocksOf(region, new Get(row(0)), "c0=0")).isEqualTo(1);
      // Of equal timestamps, the one that was written later wins.
      region.region().put(put(row(0), 1, 2, 1_000));
      region.region().flush(true);
      assertThat(blocksOf(region, new Get(row(0)), "c0=2")).isEqualTo(2);
    }
  }

  @Test
  void olderFilesMayDeleteWhatNewerOnesHave() throws IOException {
    try (TestRegion region = region("deleted", BloomType.ROW, 0)) {
      region.region().delete(new Delete(row(0), 1_000));
      region
          .region()
          .delete(new Delete(row(1)).addColumns(TestRegion.FAMILY, Bytes.toBytes("c0"), 1_000));
      region.region().flush(true);
      for (int i = 0; i < 2; i++) {
        region.region().put(put(row(i), 2, 0, 500));
      }
      region.region().flush(true);
      blocksOf(region, new Get(row(0)));
      blocksOf(region, new Get(row(1)), "c1=0");
    }
  }

  /** A cell that the Get has passed is not in its result, so older ones are wanted. */
  @Test
  void versionsBehindADeletedOrExpiredOneAreFound() throws IOException {
    try (TestRegion region = region("behind", BloomType.ROW, 0)) {
      for (int version = 0; version < 2; version++) {
        region.region().put(put(row(0), 2, version));
        region.region().put(put(row(1), 2, version).setTTL(version == 0 ? 1L << 40 : 1));
        region.region().flush(true);
      }
      Delete ofNewest = new Delete(row(0)).addColumn(TestRegion.FAMILY, Bytes.toBytes("c0"), 2_000);
      region.region().delete(ofNewest);
      blocksOf(region, new Get(row(0)), "c0=0", "c1=1");
      blocksOf(region, new Get(row(1)));
      region.region().flush(true);
      blocksOf(region, new Get(row(0)), "c0=0", "c1=1");
    }
  }

  @Test
  void timeRangesAndFiltersFindTheirVersions() throws IOException {
    try (TestRegion region = region("filtered", BloomType.ROW, 0)) {
      for (int version = 0; version < 2; version++) {
        region.region().put(put(row(0), 2, version));
        region.region().flush(true);
      }
      Get old = new Get(row(0)).setTimeRange(0, 1_001);
      assertThat(blocksOf(region, old, "c0=0", "c1=0")).isEqualTo(1);
      Get second = new Get(row(0)).setFilter(new ColumnPaginationFilter(1, 1));
      blocksOf(region, second, "c1=1");
      Get value = new Get(row(0))
          .setFilter(new ValueFilter(CompareOperator.EQUAL, new BinaryComparator(value(1))));
      blocksOf(region, value, "c0=1", "c1=1");
    }
  }

  private TestRegion region(String name, BloomType filters, int separatedBytesMin)
      throws IOException {
    return new TestRegion(
        folder,
        name + separatedBytesMin,
        RlsmStoreEngine.class.getName(),
        ColumnFamilyDescriptorBuilder.newBuilder(TestRegion.FAMILY)
            .setBloomFilterType(filters)
            .setBlocksize(4_096)
            .build(),
        Map.of(StoreSettings.SEPARATED_BYTES, Integer.toString(separatedBytesMin)));
  }

  private static byte[] value(int version) {
    byte[] value = new byte[100];
    value[0] = (byte) version;
    return value;
  }

  private static Put put(byte[] row, int columns, int version) {
    return put(row, columns, version, 1_000L * (version + 1));
  }

  private static Put put(byte[] row, int columns, int version, long timestamp) {
    Put put = new Put(row, timestamp);
    for (int column = 0; column < columns; column++) {
      put.addColumn(TestRegion.FAMILY, Bytes.toBytes("c" + column), value(version));
    }
    return put;
  }

  /** The data blocks that a Get reads; its cells are compared, as column=version. */
  private static long blocksOf(TestRegion region, Get get, String... cells) throws IOException {
    long before = HFile.DATABLOCK_READ_COUNT.sum();
    Result result = region.region().get(get);
    List<String> found = new ArrayList<>();
    for (Cell cell : result.rawCells()) {
      found.add(Bytes.toString(CellUtil.cloneQualifier(cell)) + "=" + CellUtil.cloneValue(cell)[0]);
    }
    assertThat(found).containsExactly(cells);
    return HFile.DATABLOCK_READ_COUNT.sum() - before;
  }

  private TestRegion filled(String name, BloomType filters) throws IOException {
    TestRegion region = region(name, filters, 0);
    for (int run = 0; run < RUNS; run++) {
      for (int i = run; i < ROWS; i += RUNS) {
        region.region().put(new Put(row(i)).addColumn(TestRegion.FAMILY, row(i), new byte[50]));
      }
      region.region().flush(true);
    }
    assertThat(region.store().getStorefilesCount()).isEqualTo(RUNS);
    return region;
  }

  /** Data blocks read per Get, for existing rows or for absent rows between them. */
  private static double blocksOfGets(TestRegion region, int between) throws IOException {
    long before = HFile.DATABLOCK_READ_COUNT.sum();
    for (int i = 0; i < ROWS; i++) {
      byte[] wanted = between == 0 ? row(i) : Bytes.add(row(i), Bytes.toBytes("+"));
      Result result = region.region().get(new Get(wanted));
      assertThat(result.isEmpty()).isEqualTo(between == 1);
    }
    return (double) (HFile.DATABLOCK_READ_COUNT.sum() - before) / ROWS;
  }
}
