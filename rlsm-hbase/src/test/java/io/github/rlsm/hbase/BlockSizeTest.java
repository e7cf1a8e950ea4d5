// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.hbase.config.StoreSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.io.hfile.FixedFileTrailer;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files with a small part of the rows have small blocks, until they are merged. */
@RunsHBase
class BlockSizeTest {

  private static final int BLOCK_BYTES = 64 << 10;

  @TempDir
  private Path folder;

  @Test
  void aSmallFlushOverLargeFileHasSmallBlocks() throws IOException {
    try (TestRegion region = region(Map.of())) {
      flush(region, 0, 4_000, 1);
      assertThat(blockBytes(region)).singleElement().satisfies(BlockSizeTest::isFamilys);
      flush(region, 0, 4_000, 20);
      assertThat(blockBytes(region)).hasSize(2).anySatisfy(BlockSizeTest::isSmall);
      region.compactEverything();
      assertThat(blockBytes(region)).singleElement().satisfies(BlockSizeTest::isFamilys);
    }
  }

  @Test
  void flushesOfIncreasingRowsHaveTheFamilysBlocks() throws IOException {
    try (TestRegion region = region(Map.of())) {
      flush(region, 0, 4_000, 1);
      flush(region, 4_000, 4_400, 1);
      assertThat(blockBytes(region)).hasSize(2).allSatisfy(BlockSizeTest::isFamilys);
    }
  }

  @Test
  void filesOfSeparatedValuesHaveSmallBlocks() throws IOException {
    try (TestRegion region = region(Map.of(StoreSettings.SEPARATED_BYTES, "100"))) {
      flush(region, 0, 4_000, 1);
      assertThat(blockBytes(region)).hasSize(2).allSatisfy(BlockSizeTest::isSmall);
    }
  }

  private TestRegion region(Map<String, String> options) throws IOException {
    ColumnFamilyDescriptorBuilder family = ColumnFamilyDescriptorBuilder.newBuilder(
            TestRegion.FAMILY)
        .setBlocksize(BLOCK_BYTES)
        .setConfiguration(StoreSettings.PARTITION_BYTES, Integer.toString(1 << 30))
        .setConfiguration(StoreSettings.ROW_FILES, "16");
    options.forEach(family::setConfiguration);
    return new TestRegion(folder, "blocks", RlsmStoreEngine.class.getName(), family.build());
  }

  private static void isFamilys(long blockBytes) {
    assertThat(blockBytes).isBetween(BLOCK_BYTES / 2L, BLOCK_BYTES + 2_000L);
  }

  private static void isSmall(long blockBytes) {
    assertThat(blockBytes).isBetween(4L << 10, 10L << 10);
  }

  private static void flush(TestRegion region, int from, int to, int step) throws IOException {
    for (int row = from; row < to; row += step) {
      region
          .region()
          .put(new Put(Bytes.toBytes(row)).addColumn(TestRegion.FAMILY, null, new byte[500]));
    }
    region.region().flush(true);
  }

  /** The mean size of the data blocks of each file. */
  private static List<Long> blockBytes(TestRegion region) {
    return region.store().getStorefiles().stream()
        .map(BlockSizeTest::blockBytes)
        .toList();
  }

  private static long blockBytes(HStoreFile file) {
    FixedFileTrailer trailer = file.getReader().getHFileReader().getTrailer();
    return file.getReader().length() / Math.max(1, trailer.getDataIndexCount());
  }
}
