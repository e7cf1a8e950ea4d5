// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Counts the blocks that a scan without an end reads in a store with many partitions. */
@RunsHBase
class ScanCostTest {

  private static final int ROWS = 4_000;
  private static final int SCANNED = 5;
  private static final byte[] VALUE = new byte[50];

  @TempDir
  private java.nio.file.Path folder;

  @Test
  void aScanReadsOnlyTheFilesItReaches() throws IOException {
    try (TestRegion region = filled()) {
      int files = region.store().getStorefiles().size();
      assertThat(files).isGreaterThan(20);
      for (int from : List.of(0, ROWS / 2, ROWS - SCANNED)) {
        long before = HFile.DATABLOCK_READ_COUNT.sum();
        assertThat(scan(region, from)).containsExactlyElementsOf(rows(from));
        assertThat(HFile.DATABLOCK_READ_COUNT.sum() - before).isBetween(1L, 3L);
      }
    }
  }

  private TestRegion filled() throws IOException {
    TestRegion region = new TestRegion(
        folder,
        "scanned",
        RlsmStoreEngine.class.getName(),
        ColumnFamilyDescriptorBuilder.newBuilder(TestRegion.FAMILY)
            .setBlocksize(4_096)
            .build());
    for (int i = 0; i < ROWS; i++) {
      region.region().put(new Put(row(i)).addColumn(TestRegion.FAMILY, VALUE, VALUE));
    }
    region.region().flush(true);
    region.compactEverything();
    return region;
  }

  private static List<String> scan(TestRegion region, int from) throws IOException {
    List<String> found = new ArrayList<>();
    Scan scan = new Scan().withStartRow(row(from)).setCacheBlocks(false);
    try (RegionScanner scanner = region.region().getScanner(scan)) {
      List<Cell> cells = new ArrayList<>();
      while (found.size() < SCANNED) {
        scanner.next(cells);
        found.add(Bytes.toString(CellUtil.cloneRow(cells.get(0))));
        cells.clear();
      }
    }
    return found;
  }

  private static List<String> rows(int from) {
    List<String> rows = new ArrayList<>();
    for (int i = from; i < from + SCANNED; i++) {
      rows.add(Bytes.toString(row(i)));
    }
    return rows;
  }

  private static byte[] row(int i) {
    return Bytes.toBytes(String.format(Locale.ROOT, "r%05d", i));
  }
}
