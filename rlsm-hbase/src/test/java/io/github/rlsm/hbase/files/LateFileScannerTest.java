// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.files;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.hbase.RlsmStoreEngine;
import io.github.rlsm.hbase.RunsHBase;
import io.github.rlsm.hbase.TestRegion;
import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.StoreFileScanner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@RunsHBase
class LateFileScannerTest {

  private static final byte[] ROW = "m".getBytes(US_ASCII);

  @TempDir
  private java.nio.file.Path folder;

  /** HBase reuses the memory of a block, and with it of its keys, once a response is sent. */
  @Test
  void aDeferredSeekDoesNotDependOnItsKey() throws IOException {
    try (TestRegion region = new TestRegion(
        folder,
        "reused",
        RlsmStoreEngine.class.getName(),
        ColumnFamilyDescriptorBuilder.of(TestRegion.FAMILY))) {
      region.region().put(new Put(ROW).addColumn(TestRegion.FAMILY, ROW, new byte[1]));
      region.region().flush(true);
      HStoreFile file = region.store().getStorefiles().iterator().next();
      try (StoreFileScanner scanner = file.getPreadScanner(true, Long.MAX_VALUE, 0, false)) {
        KeyValue key = KeyValueUtil.createFirstOnRow("a".getBytes(US_ASCII));
        assertThat(scanner.seek(key)).isTrue();
        assertThat(scanner.realSeekDone()).isFalse();
        Arrays.fill(key.getRowArray(), key.getRowOffset(), key.getRowOffset() + 1, (byte) 'z');
        scanner.enforceSeek();
        assertThat(scanner.realSeekDone()).isTrue();
        assertThat(CellUtil.cloneRow(scanner.peek())).isEqualTo(ROW);
      }
    }
  }
}
