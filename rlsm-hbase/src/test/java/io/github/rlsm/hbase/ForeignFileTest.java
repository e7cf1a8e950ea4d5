// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase;

import static io.github.rlsm.hbase.TestRegion.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.base.KeyRange;
import io.github.rlsm.hbase.files.StoreFileSet;
import io.github.rlsm.hbase.layout.PartitionMark;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Pair;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of other writers that are bulk-loaded across partition bounds. */
@RunsHBase
class ForeignFileTest {

  private static final int ROWS = 1_000;
  private static final int STEP = 7;
  private static final byte[] NEW = Bytes.toBytes("new");

  @TempDir
  private java.nio.file.Path folder;

  @Test
  void aFileOverPartitionsIsReadAndCompacted() throws IOException {
    try (TestRegion region = divided("wide")) {
      load(region, List.of());
      check(region);
    }
  }

  @Test
  void aDamagedMarkCostsNoData() throws IOException {
    try (TestRegion region = divided("damaged")) {
      byte[] mark = PartitionMark.encode(KeyRange.of(row(10), row(20)));
      mark[mark.length / 2] ^= 1;
      load(region, List.of(new Pair<>(StoreFileSet.MARK_KEY, mark)));
      check(region);
    }
  }

  @Test
  void aWrongMarkCostsNoData() throws IOException {
    try (TestRegion region = divided("lying")) {
      load(
          region,
          List.of(new Pair<>(
              StoreFileSet.MARK_KEY, PartitionMark.encode(KeyRange.of(row(10), row(20))))));
      check(region);
    }
  }

  private TestRegion divided(String name) throws IOException {
    TestRegion region = new TestRegion(folder, name, 1_024, Map.of());
    for (int i = 0; i < ROWS; i++) {
      region.region().put(new Put(row(i)).addColumn(TestRegion.FAMILY, row(i), new byte[50]));
    }
    region.region().flush(true);
    region.compactEverything();
    assertThat(region.store().getStorefiles()).hasSizeGreaterThan(4);
    return region;
  }

  private static void load(TestRegion region, List<Pair<byte[], byte[]>> info) throws IOException {
    Path path = new Path(region.conf().get(HConstants.HBASE_DIR), "loaded");
    FileSystem files = path.getFileSystem(region.conf());
    try (HFile.Writer writer = HFile.getWriterFactory(region.conf(), new CacheConfig(region.conf()))
        .withPath(files, path)
        .withFileContext(new HFileContextBuilder().withBlockSize(1_024).build())
        .create()) {
      for (int i = 0; i < ROWS; i += STEP) {
        long later = 4_102_444_800_000L;
        writer.append(new KeyValue(row(i), TestRegion.FAMILY, row(i), later, NEW));
      }
      for (Pair<byte[], byte[]> entry : info) {
        writer.appendFileInfo(entry.getFirst(), entry.getSecond());
      }
    }
    assertThat(region
            .region()
            .bulkLoadHFiles(List.of(new Pair<>(TestRegion.FAMILY, path.toString())), true, null))
        .isNotEmpty();
  }

  private static void check(TestRegion region) throws IOException {
    List<String> expected = new ArrayList<>(region.read(new Scan()));
    assertThat(expected).hasSize(ROWS);
    checkGets(region);
    region.compactEverything();
    assertThat(region.read(new Scan())).isEqualTo(expected);
    checkGets(region);
    region.reopen();
    assertThat(region.read(new Scan())).isEqualTo(expected);
  }

  private static void checkGets(TestRegion region) throws IOException {
    for (int i = 0; i < ROWS; i++) {
      byte[] value = region.region().get(new Get(row(i))).value();
      assertThat(value).isEqualTo(i % STEP == 0 ? NEW : new byte[50]);
    }
  }
}
