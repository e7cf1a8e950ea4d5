// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.hbase.config.StoreSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A store smaller than one run of a flush uses HBase's {@code compaction.min}, which is 3. */
@RunsHBase
class TinyStoreTest {

  @TempDir
  private Path folder;

  @ParameterizedTest
  @CsvSource({"1048576, true", "1024, false"})
  void hbasesThresholdHoldsBelowTheBytesOfRun(int runBytes, boolean compacts) throws IOException {
    try (TestRegion region = new TestRegion(
        folder,
        "tiny",
        RlsmStoreEngine.class.getName(),
        ColumnFamilyDescriptorBuilder.of(TestRegion.FAMILY),
        Map.of(
            StoreSettings.ROW_FILES,
            "16",
            StoreSettings.FLUSH_RUN_BYTES,
            Integer.toString(runBytes)))) {
      flush(region);
      flush(region);
      assertThat(region.store().needsCompaction()).as("two files").isFalse();
      flush(region);
      assertThat(region.store().needsCompaction()).as("three files").isEqualTo(compacts);
    }
  }

  private static void flush(TestRegion region) throws IOException {
    for (int row = 0; row < 10; row++) {
      region
          .region()
          .put(new Put(Bytes.toBytes(row)).addColumn(TestRegion.FAMILY, null, new byte[100]));
    }
    region.region().flush(true);
  }
}
