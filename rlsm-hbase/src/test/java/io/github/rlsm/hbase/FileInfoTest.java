// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.hbase.config.StoreSettings;
import java.io.IOException;
import java.util.Map;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.regionserver.DefaultStoreEngine;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** HBase keeps the file info of open files on the heap, so it may not grow with the rows. */
@RunsHBase
class FileInfoTest {

  private static final int ROWS = 10_000;
  private static final int BYTES_MAX = 3_000;

  @TempDir
  private java.nio.file.Path folder;

  @Test
  void fileInfoDoesNotGrowWithTheRows() throws IOException {
    check("plain", "0");
    check("separated", "1");
  }

  private void check(String name, String separatedBytesMin) throws IOException {
    try (TestRegion region = new TestRegion(
        folder,
        name,
        RlsmStoreEngine.class.getName(),
        ColumnFamilyDescriptorBuilder.of(TestRegion.FAMILY),
        Map.of(
            StoreSettings.SEPARATED_BYTES,
            separatedBytesMin,
            StoreSettings.PARTITION_BYTES,
            Integer.toString(100 << 20)))) {
      for (int i = 0; i < ROWS; i++) {
        byte[] row = Bytes.toBytes(i);
        region.region().put(new Put(row).addColumn(TestRegion.FAMILY, row, new byte[8]));
      }
      region.region().flush(true);
      checkFiles(region);
      region.compactEverything();
      checkFiles(region);
      region.reopenWith(DefaultStoreEngine.class.getName());
      checkFiles(region);
    }
  }

  private static void checkFiles(TestRegion region) {
    for (HStoreFile file : region.store().getStorefiles()) {
      int bytes = 0;
      for (byte[] value : file.getReader().getHFileReader().getHFileInfo().values()) {
        bytes += value.length;
      }
      assertThat(bytes).as("file info of " + file).isLessThan(BYTES_MAX);
    }
  }
}
