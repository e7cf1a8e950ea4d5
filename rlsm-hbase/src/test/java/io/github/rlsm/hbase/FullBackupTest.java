// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase;

import static io.github.rlsm.hbase.TestRegion.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.hbase.config.StoreSettings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.apache.hadoop.hbase.regionserver.DefaultStoreEngine;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Pair;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files with separated values that HBase's tools load into another table. */
@RunsHBase
class FullBackupTest {

  private static final int ROWS = 200;
  private static final String OURS = RlsmStoreEngine.class.getName();
  private static final String HBASE = DefaultStoreEngine.class.getName();

  @TempDir
  private java.nio.file.Path folder;

  /**
   * A restore (MapReduceHFileSplitterJob) sorts the raw cells of all files. Of cells with the same
   * key and sequence id, it keeps the one that comes first.
   */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aRestoreSortsTheRawCellsOfAllFiles(boolean keyFilesFirst) throws IOException {
    try (TestRegion source = region("source", OURS)) {
      for (boolean major : new boolean[] {false, true}) {
        fill(source);
        if (major) {
          source.compactEverything();
        }
        List<String> expected = source.read(new Scan());
        assertThat(expected).hasSize(ROWS - ROWS / 10);
        Path sorted = sorted(source, keyFilesFirst, "sorted-" + major);
        for (String engine : List.of(OURS, HBASE)) {
          try (TestRegion restored = region("restored-" + major + engine.hashCode(), engine)) {
            load(restored, List.of(sorted));
            check(restored, expected);
          }
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"io.github.rlsm.hbase.RlsmStoreEngine", ""})
  void exportedFilesAreBulkLoaded(String engine) throws IOException {
    try (TestRegion source = region("source", OURS);
        TestRegion target = region("target", engine.isEmpty() ? HBASE : engine)) {
      fill(source);
      List<Path> copies = new ArrayList<>();
      for (HStoreFile file : source.store().getStorefiles()) {
        FileSystem files = file.getPath().getFileSystem(source.conf());
        Path copy = new Path(folder.toUri().toString(), file.getPath().getName());
        FileUtil.copy(files, file.getPath(), files, copy, false, source.conf());
        copies.add(copy);
      }
      load(target, copies);
      check(target, source.read(new Scan()));
    }
  }

  private TestRegion region(String name, String engine) throws IOException {
    return new TestRegion(
        folder,
        name,
        engine,
        ColumnFamilyDescriptorBuilder.newBuilder(TestRegion.FAMILY)
            .setBlocksize(1_024)
            .build(),
        Map.of(StoreSettings.SEPARATED_BYTES, "100", StoreSettings.PARTITION_BYTES, "20000"));
  }

  private static void fill(TestRegion region) throws IOException {
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < ROWS; i++) {
        byte[] value = Bytes.padTail(Bytes.toBytes(i * 10 + round), i % 7 == 0 ? 20 : 300);
        Put put = new Put(row(i)).addColumn(TestRegion.FAMILY, row(i), round, value);
        region.region().put(put);
      }
      region.region().flush(true);
    }
    for (int i = 0; i < ROWS; i += 10) {
      region.region().delete(new Delete(row(i), 5));
    }
    region.region().flush(true);
    region.region().compact(false);
  }

  private static Path sorted(TestRegion source, boolean keyFilesFirst, String name)
      throws IOException {
    List<HStoreFile> files = new ArrayList<>(source.store().getStorefiles());
    files.sort((a, b) -> Boolean.compare(isKeyFile(b), isKeyFile(a)));
    if (!keyFilesFirst) {
      Collections.reverse(files);
    }
    assertThat(files).anyMatch(FullBackupTest::isKeyFile);
    TreeSet<Cell> cells = new TreeSet<>(CellComparator.getInstance());
    for (HStoreFile file : files) {
      HFileScanner scanner =
          file.getReader().getHFileReader().getScanner(source.conf(), false, true, false);
      for (boolean more = scanner.seekTo(); more; more = scanner.next()) {
        cells.add(KeyValueUtil.copyToNewKeyValue(scanner.getCell()));
      }
    }
    Path path = new Path(source.root(), name);
    try (HFile.Writer writer = HFile.getWriterFactory(source.conf(), new CacheConfig(source.conf()))
        .withPath(path.getFileSystem(source.conf()), path)
        .withFileContext(new HFileContextBuilder().withIncludesTags(true).build())
        .create()) {
      for (Cell cell : cells) {
        writer.append((KeyValue) cell);
      }
    }
    return path;
  }

  private static boolean isKeyFile(HStoreFile file) {
    return file.getMetadataValue(Bytes.toBytes("RLSM_VALUES")) != null;
  }

  private static void load(TestRegion region, List<Path> files) throws IOException {
    List<Pair<byte[], String>> loaded = files.stream()
        .map(file -> new Pair<>(TestRegion.FAMILY, file.toString()))
        .toList();
    assertThat(region.region().bulkLoadHFiles(loaded, true, null)).isNotEmpty();
  }

  private static void check(TestRegion region, List<String> expected) throws IOException {
    assertThat(region.read(new Scan())).isEqualTo(expected);
    region.region().compact(false);
    assertThat(region.read(new Scan())).isEqualTo(expected);
    region.compactEverything();
    assertThat(region.read(new Scan())).isEqualTo(expected);
  }
}
