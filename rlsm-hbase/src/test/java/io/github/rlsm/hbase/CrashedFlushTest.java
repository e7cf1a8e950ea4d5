// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.hbase.config.StoreSettings;
import io.github.rlsm.hbase.files.StoreFileSet;
import java.io.IOException;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.DefaultStoreEngine;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A crash between two files of a flush. The files that were not moved into place are lost, and
 * replaying the log restores their cells.
 */
@RunsHBase
class CrashedFlushTest {

  @TempDir
  private java.nio.file.Path folder;

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3, Integer.MAX_VALUE})
  void nothingIsLostBetweenTwoFiles(int moved) throws IOException {
    crash("flush", moved, Map.of());
  }

  /** The complete file is moved first, key files after it. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, Integer.MAX_VALUE})
  void nothingIsLostBetweenACompleteFileAndItsKeyFiles(int moved) throws IOException {
    crash("separated", moved, Map.of(StoreSettings.SEPARATED_BYTES, "50"));
  }

  private void crash(String name, int moved, Map<String, String> options) throws IOException {
    try (TestRegion region = new TestRegion(folder, name + moved, 1_024, options)) {
      put(region, 0);
      region.region().flush(true);
      region.region().compact(true);
      Set<HStoreFile> before = new HashSet<>(region.store().getStorefiles());
      put(region, 1);
      region.region().flush(true);
      List<String> lines = region.read(new Scan());
      List<HStoreFile> flushed = region.store().getStorefiles().stream()
          .filter(file -> !before.contains(file))
          .sorted(Comparator.comparing(CrashedFlushTest::isKeyFile)
              .thenComparing(CrashedFlushTest::firstRow, Bytes::compareTo))
          .toList();
      assertThat(flushed).hasSizeGreaterThan(4);
      List<Path> lost = flushed.subList(Math.min(moved, flushed.size()), flushed.size()).stream()
          .map(HStoreFile::getPath)
          .toList();
      region.crash();
      for (Path file : lost) {
        region.region().getFilesystem().delete(file, false);
      }
      region.open();
      assertThat(region.read(new Scan())).isEqualTo(lines);
      region.region().flush(true);
      assertThat(region.read(new Scan())).isEqualTo(lines);
      region.reopenWith(DefaultStoreEngine.class.getName());
      assertThat(region.read(new Scan())).isEqualTo(lines);
      region.reopenWith(RlsmStoreEngine.class.getName());
      region.region().compact(true);
      assertThat(region.read(new Scan())).isEqualTo(lines);
    }
  }

  private static void put(TestRegion region, int generation) throws IOException {
    for (int i = 0; i < 1_000; i++) {
      byte[] row = Bytes.toBytes(String.format(Locale.ROOT, "r%04d", i));
      byte[] value = new byte[100];
      value[0] = (byte) generation;
      region.region().put(new Put(row).addColumn(TestRegion.FAMILY, row, value));
    }
  }

  private static boolean isKeyFile(HStoreFile file) {
    return file.getMetadataValue(StoreFileSet.VALUES_KEY) != null;
  }

  private static byte[] firstRow(HStoreFile file) {
    return CellUtil.cloneRow(file.getFirstKey().orElseThrow());
  }
}
