// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.hbase.config.StoreSettings;
import io.github.rlsm.hbase.files.StoreFileSet;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.DefaultStoreEngine;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A compaction with several results moves them into the store's folder one by one. */
@RunsHBase
class CrashedCompactionTest {

  @TempDir
  private java.nio.file.Path folder;

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3})
  void nothingIsLostBetweenTwoResults(int moved) throws IOException {
    crash("crash", moved, Map.of());
  }

  /** Complete files are moved first, key files after them. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 5, 20, 28})
  void nothingIsLostBetweenCompleteFilesAndKeyFiles(int moved) throws IOException {
    crash("separated", moved, Map.of(StoreSettings.SEPARATED_BYTES, "50"));
  }

  private void crash(String name, int moved, Map<String, String> options) throws IOException {
    try (TestRegion region = new TestRegion(folder, name + moved, 1_024, options)) {
      fill(region);
      List<String> before = region.read(new Scan());
      FileSystem files = region.region().getFilesystem();
      Path aside = new Path(folder.toUri().toString(), "aside");
      copy(files, region.folder(), aside);
      Set<String> inputs = names(region.store().getStorefiles());
      region.region().compact(true);
      List<String> results = region.store().getStorefiles().stream()
          .sorted(Comparator.comparing(CrashedCompactionTest::isKeyFile)
              .thenComparing(CrashedCompactionTest::row, Arrays::compareUnsigned))
          .map(file -> file.getPath().getName())
          .toList();
      assertThat(results)
          .hasSizeGreaterThan(Math.max(4, moved))
          .doesNotContainAnyElementsOf(inputs);
      region.shut();
      List<String> lost = moved == 0 ? results : results.subList(moved, results.size());
      for (String file : lost) {
        files.delete(new Path(region.folder(), file), false);
      }
      for (String file : inputs) {
        copy(files, new Path(aside, file), new Path(region.folder(), file));
      }
      region.open();
      assertThat(region.read(new Scan())).isEqualTo(before);
      region.reopenWith(DefaultStoreEngine.class.getName());
      assertThat(region.read(new Scan())).isEqualTo(before);
    }
  }

  private static void fill(TestRegion region) throws IOException {
    for (int i = 0; i < 1_000; i++) {
      byte[] row = Bytes.toBytes(String.format(Locale.ROOT, "r%04d", i * 7 % 1_000));
      region.region().put(new Put(row).addColumn(TestRegion.FAMILY, row, new byte[100]));
      if (i % 400 == 399) {
        region.region().flush(true);
      }
    }
    region.region().flush(true);
  }

  private static boolean isKeyFile(HStoreFile file) {
    return file.getMetadataValue(StoreFileSet.VALUES_KEY) != null;
  }

  private static byte[] row(HStoreFile file) {
    return org.apache.hadoop.hbase.CellUtil.cloneRow(file.getFirstKey().orElseThrow());
  }

  private static Set<String> names(Collection<HStoreFile> files) {
    return files.stream().map(file -> file.getPath().getName()).collect(Collectors.toSet());
  }

  private static void copy(FileSystem files, Path from, Path to) throws IOException {
    FileUtil.copy(files, from, files, to, false, new Configuration(false));
  }
}
