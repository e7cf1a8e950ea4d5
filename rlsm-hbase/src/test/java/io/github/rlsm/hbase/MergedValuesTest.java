// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.hbase.config.StoreSettings;
import io.github.rlsm.hbase.files.PartitionedStoreFile;
import io.github.rlsm.hbase.files.StoreFileSet;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.DefaultStoreEngine;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionContext;
import org.apache.hadoop.hbase.regionserver.throttle.NoLimitThroughputController;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store without overwrites does not keep one value file per flush. */
@RunsHBase
class MergedValuesTest {

  private static final int FLUSHES = 60;
  private static final int COMPACTIONS_MAX = 300;
  private static final int ROWS = 30;
  private static final int VALUE_BYTES = 500;
  private static final long FLUSH_BYTES = (long) ROWS * VALUE_BYTES;

  @TempDir
  private java.nio.file.Path folder;

  private final Random random = new Random(1);

  private TestRegion region(String name, long valueFileBytesMin) throws IOException {
    return new TestRegion(
        folder,
        name,
        4_096,
        Map.of(
            StoreSettings.SEPARATED_BYTES,
            "100",
            StoreSettings.PARTITION_BYTES,
            "100000",
            StoreSettings.VALUE_FILE_BYTES,
            Long.toString(valueFileBytesMin)));
  }

  /** Inserts distinct rows in random order, so that each flush has rows of all partitions. */
  private void insert(TestRegion region, int flush) throws IOException {
    for (int i = 0; i < ROWS; i++) {
      byte[] value = new byte[VALUE_BYTES];
      random.nextBytes(value);
      String row = String.format(Locale.ROOT, "r%04d-%03d", i * 300 + flush * 7 % 300, flush);
      region
          .region()
          .put(new Put(Bytes.toBytes(row)).addColumn(TestRegion.FAMILY, TestRegion.FAMILY, value));
    }
    region.region().flush(true);
  }

  private static List<PartitionedStoreFile> values(TestRegion region) {
    return region.fileSet().now().values().values().values().stream()
        .map(value -> value.file())
        .toList();
  }

  private static boolean isMerged(HStoreFile file) {
    return file.getMetadataValue(StoreFileSet.FORMER_KEY) != null;
  }

  @Test
  void valueFilesBecomeFewAndValuesAreRewrittenOnce() throws IOException {
    try (TestRegion region = region("few", FLUSH_BYTES * 5 / 2)) {
      Map<String, Long> merged = new HashMap<>();
      for (int i = 0; i < FLUSHES; i++) {
        insert(region, i);
        region.compactAll(COMPACTIONS_MAX);
        values(region).stream()
            .filter(MergedValuesTest::isMerged)
            .forEach(file -> merged.put(file.name(), file.largeValueBytes()));
      }
      assertThat(values(region)).hasSize(FLUSHES / 8 + FLUSHES % 8);
      assertThat(merged.values().stream().mapToLong(bytes -> bytes).sum())
          .isEqualTo((FLUSHES - FLUSHES % 8) * FLUSH_BYTES);
      assertThat(region.fileSet().layout().partitions()).hasSizeGreaterThan(2);
      assertThat(region.fileSet().now().values().stale()).isEmpty();
      List<String> lines = region.read(new Scan());
      assertThat(lines).hasSize(FLUSHES * ROWS);
      region.reopen();
      assertThat(values(region)).hasSize(FLUSHES / 8 + FLUSHES % 8);
      assertThat(region.read(new Scan())).isEqualTo(lines);
      region.reopenWith(DefaultStoreEngine.class.getName());
      assertThat(region.read(new Scan())).isEqualTo(lines);
    }
  }

  @Test
  void withTheOptionAtZeroEachFlushKeepsItsValueFile() throws IOException {
    try (TestRegion region = region("many", 0)) {
      for (int i = 0; i < 20; i++) {
        insert(region, i);
        region.compactAll(COMPACTIONS_MAX);
      }
      assertThat(values(region)).hasSize(20);
    }
  }

  /** Before each selection, HBase offers a coprocessor the files that no compaction has. */
  @Test
  void compactionsAreSelectedWhileValueFilesAreMerged() throws IOException {
    try (TestRegion region = region("selected", FLUSH_BYTES)) {
      for (int i = 0; i < 3; i++) {
        insert(region, i);
      }
      List<HStoreFile> merging = List.copyOf(values(region));
      List<HStoreFile> read = region.fileSet().readFiles();
      assertThat(merging).isNotEmpty().doesNotContainAnyElementsOf(read);
      CompactionContext compaction = region.store().getStoreEngine().createCompaction();
      assertThat(compaction.preSelect(merging)).isEqualTo(read);
    }
  }

  /**
   * HBase counts the files that a row may be in, and value files are not among them. A compaction
   * of key files that was selected before the merge may run after it.
   */
  @Test
  void mergingValueFilesDoesNotBlockOtherCompactions() throws IOException {
    try (TestRegion region = region("beside", FLUSH_BYTES * 5 / 2)) {
      for (int i = 0; i < 8; i++) {
        insert(region, i);
      }
      List<String> lines = region.read(new Scan());
      CompactionContext ofKeys = region.store().requestCompaction().orElseThrow();
      CompactionContext ofValues = region.store().requestCompaction().orElseThrow();
      assertThat(ofValues.getRequest().getFiles()).hasSize(8).allMatch(values(region)::contains);
      assertThat(ofKeys.getRequest().getFiles())
          .hasSizeGreaterThan(2)
          .allMatch(region.fileSet().now().values().keys()::contains);
      assertThat(region.store().getStorefilesCount()).isEqualTo(8);
      region.region().compact(ofValues, region.store(), NoLimitThroughputController.INSTANCE);
      assertThat(region.store().getStorefilesCount()).isEqualTo(8);
      assertThat(region.read(new Scan())).isEqualTo(lines);
      region.region().compact(ofKeys, region.store(), NoLimitThroughputController.INSTANCE);
      assertThat(region.store().getStorefilesCount()).isLessThan(8);
      assertThat(region.read(new Scan())).isEqualTo(lines);
      assertThat(region.fileSet().now().values().values().values())
          .hasSize(1)
          .allMatch(value -> value.liveBytes() == 8 * FLUSH_BYTES);
    }
  }

  @Test
  void aMergedValueFileIsEmptiedLikeAnyOther() throws IOException {
    try (TestRegion region = region("emptied", FLUSH_BYTES * 5 / 2)) {
      for (int i = 0; i < 8; i++) {
        insert(region, i);
        region.compactAll(COMPACTIONS_MAX);
      }
      assertThat(values(region)).hasSize(1).allMatch(MergedValuesTest::isMerged);
      String first = values(region).get(0).name();
      for (int round = 0; round < 4; round++) {
        for (int i = 0; i < 8; i++) {
          insert(region, i);
          region.compactAll(COMPACTIONS_MAX);
        }
      }
      assertThat(values(region)).noneMatch(file -> file.name().equals(first));
      List<String> lines = region.read(new Scan());
      assertThat(lines).hasSize(8 * ROWS);
      region.compactEverything();
      assertThat(region.read(new Scan())).isEqualTo(lines);
    }
  }

  /** The scanner keeps reading the former files, which stay until the scanner is closed. */
  @Test
  void aScannerOutlivesTheMerge() throws IOException {
    try (TestRegion region = region("scanner", FLUSH_BYTES * 5 / 2)) {
      for (int i = 0; i < 7; i++) {
        insert(region, i);
        region.compactAll(COMPACTIONS_MAX);
      }
      List<PartitionedStoreFile> before = values(region);
      try (RegionScanner scanner = region.region().getScanner(new Scan())) {
        List<Cell> cells = new ArrayList<>();
        scanner.next(cells);
        insert(region, 7);
        region.compactAll(COMPACTIONS_MAX);
        assertThat(values(region)).hasSize(1).doesNotContainAnyElementsOf(before);
        region.store().closeAndArchiveCompactedFiles();
        assertThat(before).allMatch(HStoreFile::isReferencedInReads);
        boolean more = true;
        while (more) {
          more = scanner.next(cells);
        }
        assertThat(cells).hasSize(7 * ROWS);
      }
      try (RegionScanner other = region.region().getScanner(new Scan())) {
        List<Cell> cells = new ArrayList<>();
        other.next(cells);
        assertThat(before).noneMatch(HStoreFile::isReferencedInReads);
      }
      region.store().closeAndArchiveCompactedFiles();
      assertThat(region.store().getStoreEngine().getStoreFileManager().getCompactedfiles())
          .doesNotContainAnyElementsOf(List.copyOf(before));
    }
  }
}
