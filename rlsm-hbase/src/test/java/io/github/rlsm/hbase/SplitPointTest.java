// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase;

import static io.github.rlsm.hbase.TestRegion.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.hbase.layout.Layout;
import io.github.rlsm.hbase.layout.Partition;
import java.io.IOException;
import java.util.Map;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the row at which a region is split. */
@RunsHBase
class SplitPointTest {

  private static final byte[] VALUE = new byte[50];

  @TempDir
  private java.nio.file.Path folder;

  @Test
  void aRegionIsDividedBetweenPartitionsInTheMiddleOfItsBytes() throws IOException {
    try (TestRegion region = region()) {
      write(region, 0, 2_000);
      region.compactEverything();
      Layout<HStoreFile> layout = region.fileSet().layout();
      byte[] found = region.store().getSplitPoint().orElseThrow();
      assertThat(layout.bounds()).as("bounds").contains(found);
      long before = layout.partitions().stream()
          .filter(partition -> isBefore(partition, found))
          .mapToLong(Partition::bytes)
          .sum();
      long all = layout.partitions().stream().mapToLong(Partition::bytes).sum();
      assertThat((double) before / all).isBetween(0.4, 0.6);
    }
  }

  /** The largest file, whose middle HBase uses, holds a third of the bytes. */
  @Test
  void withoutPartitionsAllFilesCount() throws IOException {
    try (TestRegion region = region()) {
      put(region, 59);
      write(region, 0, 30);
      for (int i = 0; i < 3; i++) {
        write(region, 40, 60);
      }
      assertThat(region.store().getStorefilesCount()).isEqualTo(4);
      String found = Bytes.toString(region.store().getSplitPoint().orElseThrow());
      assertThat(found).isBetween(Bytes.toString(row(40)), Bytes.toString(row(60)));
    }
  }

  @Test
  void oneRowCannotBeDivided() throws IOException {
    try (TestRegion region = region()) {
      for (int i = 0; i < 3; i++) {
        write(region, 7, 8);
      }
      assertThat(region.store().getSplitPoint()).isEmpty();
    }
  }

  private static boolean isBefore(Partition<HStoreFile> partition, byte[] row) {
    byte[] to = partition.range().to();
    return to != null && Bytes.compareTo(to, row) <= 0;
  }

  private TestRegion region() throws IOException {
    return new TestRegion(folder, "divided", 512, Map.of());
  }

  private static void write(TestRegion region, int from, int to) throws IOException {
    for (int i = from; i < to; i++) {
      put(region, i);
    }
    region.region().flush(true);
  }

  private static void put(TestRegion region, int i) throws IOException {
    region.region().put(new Put(row(i)).addColumn(TestRegion.FAMILY, VALUE, VALUE));
  }
}
