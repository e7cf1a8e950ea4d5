// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.hbase.compact.RlsmCompactionPolicy;
import io.github.rlsm.hbase.config.StoreSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Options follow HBase's configuration while a store is open. */
@RunsHBase
class DynamicOptionsTest {

  @TempDir
  private Path folder;

  @Test
  void optionsChangeAndBadOnesFallBack() throws IOException {
    try (TestRegion region = new TestRegion(
        folder,
        "options",
        RlsmStoreEngine.class.getName(),
        ColumnFamilyDescriptorBuilder.newBuilder(TestRegion.FAMILY)
            .setConfiguration(StoreSettings.FLUSH_RUN_BYTES, "7")
            .build())) {
      assertThat(settings(region).rowFilesMax()).isEqualTo(3);
      assertThat(settings(region).flushRunBytesMin()).isEqualTo(7);
      Configuration changed = new Configuration(region.conf());
      changed.setInt(StoreSettings.ROW_FILES, 5);
      changed.setInt(StoreSettings.FLUSH_RUN_BYTES, 9);
      changed.set(StoreSettings.SEPARATED_BYTES, "-1");
      region.store().onConfigurationChange(changed);
      assertThat(settings(region).rowFilesMax()).isEqualTo(5);
      assertThat(settings(region).flushRunBytesMin()).as("the family's").isEqualTo(7);
      assertThat(settings(region).values().separatedBytesMin())
          .as("out of range")
          .isZero();
    }
  }

  @Test
  void defaultsFollowTheFlushSizeOfTheTable() throws IOException {
    try (TestRegion region = new TestRegion(
        folder,
        "flushes",
        RlsmStoreEngine.class.getName(),
        ColumnFamilyDescriptorBuilder.of(TestRegion.FAMILY),
        Map.of(TableDescriptorBuilder.MEMSTORE_FLUSHSIZE, Integer.toString(6 << 20)))) {
      assertThat(settings(region).values().fileBytesMin()).isEqualTo(3 << 20);
      region.store().onConfigurationChange(new Configuration(region.conf()));
      assertThat(settings(region).values().fileBytesMin()).as("after a change").isEqualTo(3 << 20);
    }
  }

  private static StoreSettings settings(TestRegion region) {
    return ((RlsmCompactionPolicy) region.store().getStoreEngine().getCompactionPolicy())
        .settings();
  }
}
