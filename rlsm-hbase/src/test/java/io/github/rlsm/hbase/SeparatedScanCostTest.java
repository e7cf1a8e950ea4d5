// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase;

import static io.github.rlsm.hbase.TestRegion.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.hbase.config.StoreSettings;
import io.github.rlsm.hbase.files.PartitionedStoreFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.io.hfile.CachedBlock;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.LruBlockCache;
import org.apache.hadoop.hbase.regionserver.DefaultStoreEngine;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.Shipper;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Counts the blocks that scans of separated values read. */
@RunsHBase
class SeparatedScanCostTest {

  private static final int FLUSHES = 40;
  private static final int COMPACTIONS_MAX = 100;
  private static final int ROWS = 4_000;
  private static final int VALUE_BYTES = 500;
  private static final int BLOCK_BYTES = 4_096;
  private static final int ROWS_PER_CALL = 100;
  private static final int SCANS_MAX = 1_000;
  private static final long CACHE_BYTES = 1 << 24;

  /** A payment for several merges of all values. */
  private static final long PAID = 32 << 20;

  @TempDir
  private Path folder;

  private final Random random = new Random(1);

  /** The largest number of files over a row between two flushes. */
  private int filesOfARow;

  /**
   * The values of neighbouring rows lie in different files, so a scan moves between the files. It
   * reads each byte about once, in few requests.
   */
  @Test
  void aLongScanReadsEachByteOnce() throws IOException {
    try (TestRegion region = loaded("long")) {
      long bytes = 0;
      for (HStoreFile file : region.store().getStorefiles()) {
        if (((PartitionedStoreFile) file).mark().isEmpty()) {
          bytes += file.getReader().length();
        }
      }
      assertThat(bytes).isGreaterThan((long) ROWS * VALUE_BYTES);
      long before = bytesRead();
      long requests = requestsOf(region, 0, ROWS);
      assertThat(bytesRead() - before).isBetween(bytes * 7 / 8, bytes * 9 / 8);
      // A flush has 57 kB, for a small request and some larger ones. After some rows, HBase
      // creates the scanners of the scan again, so a part is requested twice.
      assertThat(requests).isLessThanOrEqualTo(FLUSHES * 7L);
    }
  }

  /** Values in key order are read in a few large requests, although a Get reads a small block. */
  @Test
  void aShortScanReadsOrderedValuesInFewRequests() throws IOException {
    try (TestRegion region = loaded("requests")) {
      assertThat(requestsOf(region, ROWS / 2, ROWS_PER_CALL))
          .as("one for the values of each file that has a row")
          .isBetween(FLUSHES * 3L / 4, (long) FLUSHES);
      region.compactEverything();
      assertThat(blocksOf(region, scan(ROWS / 2), ROWS_PER_CALL))
          .as("blocks that HBase reads, of keys and the first one of values")
          .isLessThanOrEqualTo(ROWS_PER_CALL * VALUE_BYTES / BLOCK_BYTES / 2);
      assertThat(requestsOf(region, ROWS / 2, ROWS_PER_CALL)).isEqualTo(1);
      long before = bytesRead();
      assertThat(requestsOf(region, scan(ROWS / 2).setReadType(Scan.ReadType.PREAD), 1))
          .isEqualTo(1);
      assertThat(bytesRead() - before)
          .as("bytes of a scan that asks for small reads")
          .isLessThan(4 * BLOCK_BYTES);
    }
  }

  /** Merges of key files cost little, and a Get or a scan reads a block of each. */
  @Test
  void aRowIsInFewKeyFiles() throws IOException {
    try (TestRegion region = loaded("few")) {
      assertThat(region.store().getStorefilesCount()).isPositive();
      assertThat(filesOfARow).isEqualTo(4);
    }
  }

  /** A short scan reads nearly each value file, until scans have paid for key order. */
  @Test
  void scansPutValuesIntoKeyOrderAndGetsDoNot() throws IOException {
    try (TestRegion region = loaded("ordered")) {
      for (int i = 0; i < ROWS; i++) {
        region.region().get(new Get(row(i)));
      }
      assertThat(region.store().requestCompaction()).as("after gets").isEmpty();
      long before = requestsOf(region, ROWS / 2, ROWS_PER_CALL);
      assertThat(before).isGreaterThan(FLUSHES * 3L / 4);
      List<String> all = region.read(new Scan());
      assertThat(all).hasSize(ROWS);
      long written = written();
      int scans = 0;
      while (requestsOf(region, ROWS / 2, ROWS_PER_CALL) > before * 3 / 5 && scans < SCANS_MAX) {
        long writtenBefore = written();
        long paid = region.fileSet().now().ordering().paid();
        region.compactAll(COMPACTIONS_MAX);
        // A merge costs twice its bytes. What scans pay depends on the speed of the machine.
        assertThat(written() - writtenBefore)
            .as("bytes written by merge %d", scans)
            .isLessThanOrEqualTo(paid * 11 / 20);
        scans++;
      }
      assertThat(scans).isLessThan(SCANS_MAX);
      assertThat(written() - written)
          .as("bytes written in %d scans", scans)
          .isGreaterThan((long) ROWS * VALUE_BYTES / 2);
      assertThat(region.read(new Scan())).isEqualTo(all);
      region.reopen();
      assertThat(region.read(new Scan())).isEqualTo(all);
      region.reopenWith(DefaultStoreEngine.class.getName());
      assertThat(region.read(new Scan())).isEqualTo(all);
    }
  }

  /** Scans of old values paid more than their merge costs. They did not read the new files. */
  @Test
  void newFlushesAreNotMergedForScansOfOldValues() throws IOException {
    try (TestRegion region = loaded("new")) {
      Set<String> before = names(region, true);
      int scans = 0;
      while (region.fileSet().now().ordering().paid() < PAID && scans < SCANS_MAX) {
        requestsOf(region, scans * ROWS_PER_CALL % ROWS, ROWS_PER_CALL);
        scans++;
      }
      assertThat(scans).isLessThan(SCANS_MAX);
      load(region, ROWS);
      Set<String> after = names(region, true);
      assertThat(after).as("old files").doesNotContainAnyElementsOf(before);
      assertThat(after).as("the merged file and the new ones").hasSize(1 + FLUSHES);
    }
  }

  /** The names of the present key files or value files. */
  private static Set<String> names(TestRegion region, boolean ofValues) {
    return region.store().getStorefiles().stream()
        .filter(file -> ((PartitionedStoreFile) file).mark().isEmpty() == ofValues)
        .map(file -> file.getPath().getName())
        .collect(Collectors.toSet());
  }

  /**
   * A block of a flush has one value that a scan needs. A Get says that the row is wanted. A scan
   * in key order adds its blocks, because the cache has room.
   */
  @Test
  void aScanCachesNoBlocksOfScatteredValues() throws IOException {
    LruBlockCache cache = new LruBlockCache(CACHE_BYTES, BLOCK_BYTES);
    try (TestRegion region = loaded("cached")) {
      region.reopenOn(
          new FakeServer(region.conf(), new CountDownLatch(0), Optional.of(cache)).services());
      scanCaching(region);
      assertThat(cachedBlocks(cache, region, false)).as("of keys").isPositive();
      assertThat(cachedBlocks(cache, region, true)).as("of values").isZero();
      for (int i = 0; i < ROWS_PER_CALL; i++) {
        region.region().get(new Get(row(i)));
      }
      assertThat(cachedBlocks(cache, region, true)).as("after gets").isGreaterThan(FLUSHES / 2);
      region.store().triggerMajorCompaction();
      region.compactAll(COMPACTIONS_MAX);
      assertThat(cachedBlocks(cache, region, true)).as("of the new file").isZero();
      scanCaching(region);
      assertThat(cachedBlocks(cache, region, true))
          .as("in key order")
          .isBetween(
              (long) ROWS_PER_CALL * VALUE_BYTES / BLOCK_BYTES,
              (long) ROWS_PER_CALL * VALUE_BYTES / BLOCK_BYTES + 3);
      long requests = TestRegion.counter("valueRequestCount");
      scanCaching(region);
      assertThat(TestRegion.counter("valueRequestCount"))
          .as("again, from the cache")
          .isLessThanOrEqualTo(requests + 1);
    } finally {
      cache.shutdown();
    }
  }

  private static void scanCaching(TestRegion region) throws IOException {
    Scan scan = new Scan().withStartRow(row(ROWS / 2)).setLimit(ROWS_PER_CALL);
    try (RegionScanner scanner = region.region().getScanner(scan)) {
      List<Cell> cells = new ArrayList<>();
      for (int i = 0; i < ROWS_PER_CALL; i++) {
        scanner.next(cells);
      }
      assertThat(cells).hasSize(ROWS_PER_CALL);
    }
  }

  /** The number of cached blocks of data of key files or of value files. */
  private static long cachedBlocks(LruBlockCache cache, TestRegion region, boolean ofValues) {
    Set<String> names = names(region, ofValues);
    long count = 0;
    for (CachedBlock block : cache) {
      count += names.contains(block.getFilename()) && block.getBlockType().isData() ? 1 : 0;
    }
    return count;
  }

  /** HBase names no scan when it creates scanners, and one thread may create many scans. */
  @Test
  void scansOfOneThreadDoNotDisturbEachOther() throws IOException {
    try (TestRegion region = loaded("beside")) {
      List<String> all = region.read(new Scan());
      List<String> found = new ArrayList<>();
      List<String> foundBeside = new ArrayList<>();
      try (RegionScanner scanner = region.region().getScanner(new Scan())) {
        Scan half = new Scan().withStartRow(row(ROWS / 2));
        try (RegionScanner beside = region.region().getScanner(half)) {
          for (int i = 0; i < ROWS / 2; i++) {
            found.add(next(scanner));
            foundBeside.add(next(beside));
          }
        }
        for (int i = ROWS / 2; i < ROWS; i++) {
          found.add(next(scanner));
        }
      }
      assertThat(found).isEqualTo(all);
      assertThat(foundBeside).isEqualTo(all.subList(ROWS / 2, ROWS));
      assertThat(region.store().getStoreRefCount()).isZero();
    }
  }

  /** The next cell, in the form of {@link TestRegion#read}. */
  private static String next(RegionScanner scanner) throws IOException {
    List<Cell> cells = new ArrayList<>();
    scanner.next(cells);
    Cell cell = cells.get(0);
    String found = CellUtil.getCellKeyAsString(cell).replaceFirst("/seqid=\\d+", "") + " = "
        + Arrays.hashCode(CellUtil.cloneValue(cell));
    ((Shipper) scanner).shipped();
    return found;
  }

  /** Loads rows in random order, a part of them with each flush. */
  private TestRegion loaded(String name) throws IOException {
    TestRegion region = new TestRegion(
        folder,
        name,
        BLOCK_BYTES,
        Map.of(
            StoreSettings.SEPARATED_BYTES,
            "100",
            StoreSettings.PARTITION_BYTES,
            "1000000000",
            StoreSettings.ROW_FILES,
            "16",
            StoreSettings.VALUE_FILE_BYTES,
            "0"));
    load(region, 0);
    return region;
  }

  private void load(TestRegion region, int firstRow) throws IOException {
    List<Integer> rows = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      rows.add(firstRow + i);
    }
    Collections.shuffle(rows, random);
    for (int i = 0; i < ROWS; i++) {
      byte[] value = new byte[VALUE_BYTES];
      random.nextBytes(value);
      region
          .region()
          .put(new Put(row(rows.get(i)))
              .setDurability(Durability.SKIP_WAL)
              .addColumn(TestRegion.FAMILY, TestRegion.FAMILY, value));
      if ((i + 1) % (ROWS / FLUSHES) == 0) {
        region.region().flush(true);
        region.compactAll(COMPACTIONS_MAX);
        filesOfARow = Math.max(filesOfARow, region.store().getStorefilesCount());
      }
    }
  }

  /** The bytes that compactions for key order wrote. */
  private static long written() {
    return TestRegion.counter("writtenBytesByOrder");
  }

  /** The bytes that scans have read of value files. */
  private static long bytesRead() {
    return TestRegion.counter("valueRequestBytes");
  }

  /** The number of requests for separated values of a scan. */
  private static long requestsOf(TestRegion region, int from, int count) throws IOException {
    return requestsOf(region, scan(from), count);
  }

  private static long requestsOf(TestRegion region, Scan scan, int count) throws IOException {
    long before = TestRegion.counter("valueRequestCount");
    blocksOf(region, scan, count);
    return TestRegion.counter("valueRequestCount") - before;
  }

  /** The number of blocks of data that a scan reads; no block comes from a cache. */
  private static long blocksOf(TestRegion region, Scan scan, int count) throws IOException {
    long before = HFile.DATABLOCK_READ_COUNT.sum();
    int from = Integer.parseInt(Bytes.toString(scan.getStartRow()).substring(1));
    try (RegionScanner scanner = region.region().getScanner(scan)) {
      List<Cell> cells = new ArrayList<>();
      for (int found = 1; found <= count; found++) {
        scanner.next(cells);
        assertThat(cells).hasSize(1);
        assertThat(Bytes.toString(
                cells.get(0).getRowArray(),
                cells.get(0).getRowOffset(),
                cells.get(0).getRowLength()))
            .isEqualTo(Bytes.toString(row(from + found - 1)));
        cells.clear();
        if (found % ROWS_PER_CALL == 0) {
          ((Shipper) scanner).shipped();
        }
      }
    }
    return HFile.DATABLOCK_READ_COUNT.sum() - before;
  }

  private static Scan scan(int from) {
    return new Scan().withStartRow(row(from)).setCacheBlocks(false);
  }
}
