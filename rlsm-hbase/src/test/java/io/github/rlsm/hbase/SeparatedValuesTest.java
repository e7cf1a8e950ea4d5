// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase;

import static io.github.rlsm.hbase.TestRegion.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rlsm.hbase.config.StoreSettings;
import io.github.rlsm.hbase.files.PartitionedStoreFile;
import io.github.rlsm.hbase.files.ShadowScanner;
import io.github.rlsm.hbase.files.ValueFiles;
import io.github.rlsm.hbase.values.ValueReferenceTag;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.ref.WeakReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.apache.hadoop.hbase.regionserver.DefaultStoreEngine;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.KeyValueHeap;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.Shipper;
import org.apache.hadoop.hbase.regionserver.StoreFileScanner;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Separated values: reclaimed space, the way back to HBase's engine, and damage. */
@RunsHBase
class SeparatedValuesTest {

  private static final int COMPACTIONS_MAX = 300;
  private static final int ROWS = 1_000;
  private static final int VALUE_BYTES = 500;
  private static final int WINDOW_BYTES = 128 << 10;
  private static final String OURS = RlsmStoreEngine.class.getName();
  private static final String HBASE = DefaultStoreEngine.class.getName();

  @TempDir
  private Path folder;

  private final Random random = new Random(1);

  private TestRegion region(String name) throws IOException {
    return region(name, DataBlockEncoding.NONE);
  }

  private TestRegion region(String name, DataBlockEncoding encoding) throws IOException {
    return new TestRegion(
        folder,
        name,
        OURS,
        ColumnFamilyDescriptorBuilder.newBuilder(TestRegion.FAMILY)
            .setBlocksize(4_096)
            .setDataBlockEncoding(encoding)
            .build(),
        Map.of(StoreSettings.SEPARATED_BYTES, "100", StoreSettings.PARTITION_BYTES, "100000"));
  }

  private void put(TestRegion region, int rows, int every) throws IOException {
    for (int i = 0; i < rows; i += every) {
      byte[] value = new byte[VALUE_BYTES];
      random.nextBytes(value);
      region.region().put(new Put(row(i)).addColumn(TestRegion.FAMILY, TestRegion.FAMILY, value));
    }
    region.region().flush(true);
  }

  private static long bytes(TestRegion region) {
    return region.store().getStorefiles().stream()
        .mapToLong(f -> f.getReader().length())
        .sum();
  }

  private static long shadows(HStoreFile file) throws IOException {
    HFileScanner cells = file.getReader()
        .getHFileReader()
        .getScanner(new org.apache.hadoop.conf.Configuration(), false, true, false);
    long shadows = 0;
    for (boolean more = cells.seekTo(); more; more = cells.next()) {
      shadows += ValueReferenceTag.of(cells.getCell()) == null ? 0 : 1;
    }
    return shadows;
  }

  private static long shadows(TestRegion region) throws IOException {
    long shadows = 0;
    for (HStoreFile file : region.store().getStorefiles()) {
      shadows += shadows(file);
    }
    return shadows;
  }

  @Test
  void compactionsDoNotRewriteValues() throws IOException {
    try (TestRegion region = region("once")) {
      put(region, ROWS, 1);
      List<HStoreFile> flushed =
          List.copyOf(region.fileSet().now().values().values().values().stream()
              .map(value -> (HStoreFile) value.file())
              .toList());
      assertThat(flushed).hasSize(1);
      for (int i = 0; i < 6; i++) {
        put(region, ROWS, 7);
        region.compactAll(COMPACTIONS_MAX);
      }
      assertThat(region.store().getStorefiles()).contains(flushed.get(0));
      assertThat(region.fileSet().layout().partitions()).hasSizeGreaterThan(1);
      assertThat(shadows(region)).isBetween((long) ROWS, 3L * ROWS);
    }
  }

  @Test
  void spaceOfDeadValuesIsReclaimed() throws IOException {
    try (TestRegion region = region("space")) {
      for (int i = 0; i < 12; i++) {
        put(region, ROWS, 1);
        region.compactAll(COMPACTIONS_MAX);
      }
      List<String> lines = region.read(new Scan());
      assertThat(lines).hasSize(ROWS);
      long live = (long) ROWS * VALUE_BYTES;
      assertThat(bytes(region)).isBetween(live, 4 * live);
      region.reopen();
      assertThat(region.read(new Scan())).isEqualTo(lines);
      region.reopenWith(HBASE);
      assertThat(region.read(new Scan())).isEqualTo(lines);
    }
  }

  @Test
  void aMajorCompactionByHBasesEngineLeavesNoShadow() throws IOException {
    try (TestRegion region = region("back")) {
      for (int i = 0; i < 4; i++) {
        put(region, ROWS, 1 + i);
        region.compactAll(COMPACTIONS_MAX);
      }
      List<String> lines = region.read(new Scan());
      assertThat(shadows(region)).isPositive();
      region.reopenWith(HBASE);
      assertThat(region.read(new Scan())).isEqualTo(lines);
      region.compactEverything();
      assertThat(shadows(region)).isZero();
      assertThat(region.read(new Scan())).isEqualTo(lines);
    }
  }

  @Test
  void aMajorCompactionWithoutTheOptionLeavesNoShadow() throws IOException {
    try (TestRegion region = region("off")) {
      for (int i = 0; i < 4; i++) {
        put(region, ROWS, 1 + i);
      }
      List<String> lines = region.read(new Scan());
      region.reopenWithOption(StoreSettings.SEPARATED_BYTES, "0");
      put(region, 1, 1);
      region.compactAll(COMPACTIONS_MAX);
      assertThat(region.read(new Scan()).subList(1, ROWS)).isEqualTo(lines.subList(1, ROWS));
      region.compactEverything();
      assertThat(shadows(region)).isZero();
      assertThat(region.fileSet().now().values().keys()).isEmpty();
      assertThat(region.read(new Scan()).subList(1, ROWS)).isEqualTo(lines.subList(1, ROWS));
    }
  }

  @Test
  void aGetReadsTwoBlocksAndAScanEachByteOnce() throws IOException {
    try (TestRegion region = region("cost")) {
      put(region, ROWS, 1);
      long before = HFile.DATABLOCK_READ_COUNT.sum();
      for (int i = 0; i < ROWS; i++) {
        assertThat(region.region().get(new Get(row(i)).setCacheBlocks(false)).size())
            .isEqualTo(1);
      }
      assertThat((double) (HFile.DATABLOCK_READ_COUNT.sum() - before) / ROWS).isBetween(2.0, 2.1);
      before = HFile.DATABLOCK_READ_COUNT.sum();
      long bytesBefore = TestRegion.counter("valueRequestBytes");
      assertThat(region.read(new Scan().setCacheBlocks(false))).hasSize(ROWS);
      long keyBlocks = 0;
      long valueFiles = 0;
      long valueBytes = 0;
      for (HStoreFile file : region.store().getStorefiles()) {
        if (((PartitionedStoreFile) file).mark().isPresent()) {
          keyBlocks += file.getReader().getHFileReader().getTrailer().getDataIndexCount();
        } else {
          valueFiles++;
          valueBytes += file.getReader().length();
        }
      }
      assertThat(HFile.DATABLOCK_READ_COUNT.sum() - before)
          .isBetween(keyBlocks, keyBlocks + valueFiles + 20);
      // HBase replaces the scanners of a long scan once, which reads one window again.
      assertThat(TestRegion.counter("valueRequestBytes") - bytesBefore)
          .isBetween(valueBytes * 7 / 8, valueBytes * 9 / 8 + WINDOW_BYTES);
    }
  }

  @Test
  void aDamagedValueFileIsAnErrorThatNamesIt() throws IOException {
    try (TestRegion region = region("damaged")) {
      put(region, ROWS, 1);
      PartitionedStoreFile values =
          region.fileSet().now().values().values().values().iterator().next().file();
      Path path = Path.of(values.getPath().toUri().getPath());
      region.shut();
      try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
        file.seek(Files.size(path) / 2);
        file.write(new byte[5_000]);
      }
      region.open();
      assertThatThrownBy(() -> region.read(new Scan()))
          .hasStackTraceContaining("ValueFileException")
          .hasStackTraceContaining(values.name())
          .hasStackTraceContaining("Restore the file");
      assertThat(region.region().get(new Get(row(0))).isEmpty()).isFalse();
    }
  }

  /** Replaces a value file by a file with the same name and other cells. */
  @Test
  void aMissingValueIsAnErrorThatNamesTheValueFile() throws IOException {
    try (TestRegion region = region("missing")) {
      put(region, 10, 1);
      PartitionedStoreFile values =
          region.fileSet().now().values().values().values().iterator().next().file();
      Path path = Path.of(values.getPath().toUri().getPath());
      region.shut();
      byte[] other;
      try (TestRegion donor = new TestRegion(
          folder, "donor", OURS, ColumnFamilyDescriptorBuilder.of(TestRegion.FAMILY), Map.of())) {
        for (int i = 0; i < 10; i += 2) {
          donor
              .region()
              .put(new Put(row(i)).addColumn(TestRegion.FAMILY, TestRegion.FAMILY, new byte[9]));
        }
        donor
            .region()
            .put(new Put(row(9)).addColumn(TestRegion.FAMILY, Bytes.toBytes("z"), new byte[9]));
        donor.region().flush(true);
        other = Files.readAllBytes(Path.of(
            donor.store().getStorefiles().iterator().next().getPath().toUri().getPath()));
      }
      Files.deleteIfExists(path.resolveSibling("." + path.getFileName() + ".crc"));
      Files.write(path, other);
      region.open();
      assertThatThrownBy(() -> region.region().get(new Get(row(3))))
          .hasStackTraceContaining("ValueFileException")
          .hasStackTraceContaining("has no value of " + VALUE_BYTES + " bytes")
          .hasStackTraceContaining(values.name());
    }
  }

  /** The file of the first load stays, because most of its values are never overwritten. */
  @Test
  void archivedValueFilesLeaveTheHeap() throws IOException {
    try (TestRegion region = region("heap")) {
      put(region, 100, 1);
      List<WeakReference<HStoreFile>> overwritten = new ArrayList<>();
      for (int i = 0; i < 30; i++) {
        put(region, 30, 1);
        valueFiles(region).forEach(file -> overwritten.add(new WeakReference<>(file)));
        region.compactAll(COMPACTIONS_MAX);
        region.store().closeAndArchiveCompactedFiles();
      }
      Set<HStoreFile> left = valueFiles(region);
      for (int i = 0; i < 20 && inMemory(overwritten) > left.size(); i++) {
        System.gc();
      }
      assertThat(left).hasSizeLessThan(10);
      assertThat(inMemory(overwritten)).isLessThanOrEqualTo(left.size());
    }
  }

  /** HBase counts a scan as a user of the files it chose, and creates their scanners later. */
  @Test
  void aScanKeepsValueFilesFromTheChoiceOfItsFilesOn() throws IOException {
    try (TestRegion region = region("chosen")) {
      put(region, 100, 1);
      HStoreFile key = region.fileSet().now().values().keys().iterator().next();
      HStoreFile value = valueFiles(region).iterator().next();
      StoreFileScanner chosen =
          key.getReader().getStoreFileScanner(false, true, false, Long.MAX_VALUE, 0, false);
      region.compactEverything();
      region.store().closeAndArchiveCompactedFiles();
      StoreFileScanner scanner = key.getPreadScanner(false, Long.MAX_VALUE, 0, false);
      try {
        chosen.close();
        assertThat(value.isReferencedInReads()).isTrue();
        assertThat(scanner.seek(KeyValueUtil.createFirstOnRow(row(7)))).isTrue();
        assertThat(CellUtil.cloneValue(scanner.peek())).hasSize(VALUE_BYTES);
      } finally {
        scanner.close();
      }
      region.store().closeAndArchiveCompactedFiles();
      assertThat(region.store().getStoreEngine().getStoreFileManager().getCompactedfiles())
          .isEmpty();
    }
  }

  /** One for each key file and value file would be thousands of streams in a major compaction. */
  @Test
  void aCompactionHasOneScannerForEachValueFile() throws IOException {
    try (TestRegion region = region("streams")) {
      for (int i = 0; i < 6; i++) {
        put(region, ROWS, 3 + i);
      }
      region.compactAll(COMPACTIONS_MAX);
      Set<HStoreFile> keys = region.fileSet().now().values().keys();
      int values = valueFiles(region).size();
      assertThat(keys).hasSizeGreaterThan(2);
      assertThat(values).isGreaterThan(2);
      List<StoreFileScanner> scanners =
          StoreFileScanner.getScannersForCompaction(keys, false, Long.MAX_VALUE);
      ShadowScanner.shareValues(scanners.stream().map(ShadowScanner.class::cast).toList());
      for (StoreFileScanner scanner : scanners) {
        scanner.seek(KeyValueUtil.createFirstOnRow(row(0)));
      }
      try (KeyValueHeap heap = new KeyValueHeap(scanners, region.store().getComparator())) {
        int cells = 0;
        for (Cell cell = heap.next(); cell != null; cell = heap.next()) {
          assertThat(cell.heapSize()).isGreaterThan(VALUE_BYTES);
          cells++;
          assertThat(region.store().getStoreRefCount()).isLessThanOrEqualTo(keys.size() + values);
        }
        assertThat(cells).isGreaterThanOrEqualTo(region.read(new Scan()).size());
      }
      assertThat(region.store().getStoreRefCount()).isZero();
    }
  }

  /**
   * Neighbouring rows have their values in different files. The key files share 64 open ones. The
   * blocks are encoded, so the scan needs scanners of them.
   */
  @Test
  void aScanKeepsABoundedNumberOfValueFilesOpen() throws IOException {
    try (TestRegion region = region("open", DataBlockEncoding.FAST_DIFF)) {
      region.reopenWithOption(StoreSettings.VALUE_FILE_BYTES, "0");
      int flushes = 200;
      int rows = 12 * flushes;
      for (int flush = 0; flush < flushes; flush++) {
        for (int i = flush; i < rows; i += flushes) {
          region
              .region()
              .put(new Put(row(i))
                  .addColumn(TestRegion.FAMILY, TestRegion.FAMILY, new byte[VALUE_BYTES]));
        }
        region.region().flush(true);
      }
      region.compactAll(COMPACTIONS_MAX);
      assertThat(valueFiles(region)).hasSize(flushes);
      int keys = region.fileSet().now().values().keys().size();
      int most = 0;
      List<Cell> cells = new ArrayList<>();
      try (RegionScanner scanner = region.region().getScanner(new Scan())) {
        for (boolean more = true; more; most = Math.max(most, region.store().getStoreRefCount())) {
          more = scanner.next(cells);
          ((Shipper) scanner).shipped();
        }
      }
      assertThat(cells).hasSize(rows);
      // Scanners of key files end before the last ones of value files open.
      assertThat(most).isBetween(64 + 1, 64 + keys);
    }
  }

  private static Set<HStoreFile> valueFiles(TestRegion region) {
    return region.fileSet().now().values().values().values().stream()
        .map(ValueFiles.Value::file)
        .collect(Collectors.toSet());
  }

  /** The number of distinct files that are in memory. */
  private static long inMemory(List<WeakReference<HStoreFile>> files) {
    return files.stream()
        .map(WeakReference::get)
        .filter(Objects::nonNull)
        .distinct()
        .count();
  }

  @Test
  void aLostKeyFileCostsNoData() throws IOException {
    try (TestRegion region = region("lost")) {
      put(region, 100, 1);
      put(region, 50, 1);
      region.region().compact(true);
      put(region, 100, 2);
      List<String> lines = region.read(new Scan());
      Path key = Path.of(region
          .fileSet()
          .now()
          .values()
          .keys()
          .iterator()
          .next()
          .getPath()
          .toUri()
          .getPath());
      region.shut();
      Files.delete(key);
      region.open();
      assertThat(region.read(new Scan())).isEqualTo(lines);
      region.compactAll(COMPACTIONS_MAX);
      region.compactEverything();
      assertThat(region.read(new Scan())).isEqualTo(lines);
    }
  }
}
