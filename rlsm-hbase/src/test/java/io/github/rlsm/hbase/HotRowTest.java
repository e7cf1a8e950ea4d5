// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store that consists of one row, which is far larger than a partition. */
@RunsHBase
class HotRowTest {

  private static final int FLUSHES = 20;

  @TempDir
  private Path folder;

  @Test
  void manyVersionsOfOneRowAreFlushedWithoutCompaction() throws IOException {
    try (TestRegion region = new TestRegion(
        folder,
        "hot",
        RlsmStoreEngine.class.getName(),
        ColumnFamilyDescriptorBuilder.newBuilder(TestRegion.FAMILY)
            .setMaxVersions(FLUSHES)
            .build())) {
      for (int i = 0; i < FLUSHES; i++) {
        byte[] column = Bytes.toBytes("c");
        region
            .region()
            .put(new Put(column, i + 1).addColumn(TestRegion.FAMILY, column, new byte[8_000]));
        region.region().flush(true);
      }
      assertThat(region.store().getStorefiles()).hasSize(FLUSHES);
      assertThat(region.read(new Scan().readAllVersions())).hasSize(FLUSHES);
      region.region().compact(false);
      assertThat(region.read(new Scan().readAllVersions())).hasSize(FLUSHES);
    }
  }
}
