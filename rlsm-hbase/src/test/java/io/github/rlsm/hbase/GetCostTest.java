// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase;

import static io.github.rlsm.hbase.TestRegion.row;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Counts the data blocks that a Get reads with many runs. */
@RunsHBase
class GetCostTest {

  private static final int ROWS = 2_000;
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

  private TestRegion filled(String name, BloomType filters) throws IOException {
    TestRegion region = new TestRegion(
        folder,
        name,
        RlsmStoreEngine.class.getName(),
        ColumnFamilyDescriptorBuilder.newBuilder(TestRegion.FAMILY)
            .setBloomFilterType(filters)
            .setBlocksize(4_096)
            .build());
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
