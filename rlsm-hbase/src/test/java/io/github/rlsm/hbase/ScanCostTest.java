// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase;

import static io.github.rlsm.hbase.TestRegion.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.github.rlsm.hbase.config.StoreSettings;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileInfo;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.Shipper;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Counts the blocks that a scan without an end reads in a store with many partitions. */
@RunsHBase
class ScanCostTest {

  private static final int ROWS = 4_000;
  private static final int SCANNED = 5;
  private static final int BLOCK_BYTES = 4_096;
  private static final int LONG_SCAN = 1_000;
  private static final int ROWS_PER_CALL = 100;
  private static final int OVERLAPPING = 5;
  private static final int ROWS_OF_FOUR_BLOCKS = 150;
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
        assertThat(scan(region, from, SCANNED)).containsExactlyElementsOf(rows(from, SCANNED));
        assertThat(HFile.DATABLOCK_READ_COUNT.sum() - before).isBetween(1L, 3L);
      }
    }
  }

  /** HBase gives a long scan separate readers, once some blocks were shipped to the client. */
  @Test
  void aLongScanReadsOnlyTheFilesItReaches() throws IOException {
    try (TestRegion region = filled()) {
      HStoreFile one = region.store().getStorefiles().iterator().next();
      HFileInfo info = one.getReader().getHFileReader().getHFileInfo();
      long cellBytes =
          info.getTrailer().getTotalUncompressedBytes() / info.getTrailer().getEntryCount();
      long blocks = LONG_SCAN * cellBytes / BLOCK_BYTES;
      assertThat(blocks).as("blocks until HBase changes readers").isGreaterThan(4);
      long before = HFile.DATABLOCK_READ_COUNT.sum();
      assertThat(scan(region, 0, LONG_SCAN)).containsExactlyElementsOf(rows(0, LONG_SCAN));
      assertThat(HFile.DATABLOCK_READ_COUNT.sum() - before).isBetween(blocks / 2, blocks * 5 / 4);
    }
  }

  /** HBase's own scanners open every file again, once a scan has passed four blocks. */
  @Test
  void aLongScanOfFewBlocksInEachFileOpensNoFileAgain() throws IOException {
    try (TestRegion region = overlapping()) {
      assertThat(region.store().getStorefiles()).hasSize(OVERLAPPING);
      long before = opened();
      long most = 0;
      List<String> found = new ArrayList<>();
      try (RegionScanner scanner = region.region().getScanner(new Scan())) {
        for (int calls = 1; found.size() < ROWS; calls++) {
          while (found.size() < calls * ROWS_PER_CALL) {
            List<Cell> cells = new ArrayList<>();
            scanner.next(cells);
            found.add(Bytes.toString(CellUtil.cloneRow(cells.get(0))));
          }
          ((Shipper) scanner).shipped();
          if (found.size() == ROWS_OF_FOUR_BLOCKS * 2) {
            assertThat(opened()).as("after %d rows", found.size()).isEqualTo(before);
          }
          most = Math.max(most, opened());
        }
      }
      assertThat(most)
          .as("after four blocks of each file")
          .isGreaterThanOrEqualTo(before + OVERLAPPING);
      assertThat(found).containsExactlyElementsOf(rows(0, ROWS));
      assertThat(opened()).as("when the scan has ended").isEqualTo(before);
    }
  }

  /** The number of open files below the test's folder; only Linux tells. */
  private long opened() throws IOException {
    java.nio.file.Path own = java.nio.file.Path.of("/proc/self/fd");
    assumeThat(own).exists();
    long count = 0;
    try (DirectoryStream<java.nio.file.Path> all = Files.newDirectoryStream(own)) {
      for (java.nio.file.Path one : all) {
        String target;
        try {
          target = Files.readSymbolicLink(one).toString();
        } catch (NoSuchFileException closed) {
          continue;
        }
        count += target.startsWith(folder.toString()) && target.contains("/f/") ? 1 : 0;
      }
    }
    return count;
  }

  /** A store in which each row is in one of several files over all rows. */
  private TestRegion overlapping() throws IOException {
    TestRegion region = new TestRegion(
        folder,
        "overlapping",
        BLOCK_BYTES,
        Map.of(StoreSettings.PARTITION_BYTES, "1000000000", StoreSettings.ROW_FILES, "16"));
    for (int file = 0; file < OVERLAPPING; file++) {
      for (int i = file; i < ROWS; i += OVERLAPPING) {
        region.region().put(new Put(row(i)).addColumn(TestRegion.FAMILY, VALUE, VALUE));
      }
      region.region().flush(true);
    }
    return region;
  }

  private TestRegion filled() throws IOException {
    TestRegion region = new TestRegion(folder, "scanned", BLOCK_BYTES, Map.of());
    for (int i = 0; i < ROWS; i++) {
      region.region().put(new Put(row(i)).addColumn(TestRegion.FAMILY, VALUE, VALUE));
    }
    region.region().flush(true);
    region.compactEverything();
    return region;
  }

  private static List<String> scan(TestRegion region, int from, int count) throws IOException {
    List<String> found = new ArrayList<>();
    Scan scan = new Scan().withStartRow(row(from)).setCacheBlocks(false);
    try (RegionScanner scanner = region.region().getScanner(scan)) {
      List<Cell> cells = new ArrayList<>();
      while (found.size() < count) {
        scanner.next(cells);
        found.add(Bytes.toString(CellUtil.cloneRow(cells.get(0))));
        cells.clear();
        if (found.size() % ROWS_PER_CALL == 0) {
          ((Shipper) scanner).shipped();
        }
      }
    }
    return found;
  }

  private static List<String> rows(int from, int count) {
    List<String> rows = new ArrayList<>();
    for (int i = from; i < from + count; i++) {
      rows.add(Bytes.toString(row(i)));
    }
    return rows;
  }
}
