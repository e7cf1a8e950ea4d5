// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase;

import static io.github.rlsm.hbase.TestRegion.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.hbase.config.StoreSettings;
import io.github.rlsm.hbase.files.PartitionedStoreFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Key;
import java.util.List;
import java.util.Map;
import javax.crypto.spec.SecretKeySpec;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.io.crypto.Encryption;
import org.apache.hadoop.hbase.io.crypto.KeyProvider;
import org.apache.hadoop.hbase.regionserver.DefaultStoreEngine;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Families whose files HBase encrypts. */
@RunsHBase
class EncryptedFamilyTest {

  private static final int COMPACTIONS_MAX = 300;
  private static final int ROWS = 300;
  private static final int ROUNDS = 6;
  private static final String SECRET = "a value that no file may hold as it is, ";

  @TempDir
  private Path folder;

  /** Holds the master key with which HBase encrypts the keys of files. */
  public static final class FixedKey implements KeyProvider {
    @Override
    public void init(String parameters) {
      // The key needs no parameters.
    }

    @Override
    public Key getKey(String alias) {
      return new SecretKeySpec(new byte[16], "AES");
    }

    @Override
    public Key[] getKeys(String[] aliases) {
      return new Key[] {getKey(aliases[0])};
    }
  }

  private static void put(TestRegion region, int every) throws IOException {
    for (int i = 0; i < ROWS; i += every) {
      byte[] value = Bytes.toBytes(SECRET.repeat(5) + i + every);
      region.region().put(new Put(row(i)).addColumn(TestRegion.FAMILY, TestRegion.FAMILY, value));
    }
    region.region().flush(true);
  }

  private static void verify(TestRegion region, List<String> expected) throws IOException {
    assertThat(region.read(new Scan())).isEqualTo(expected);
    assertThat(region.store().getStorefiles()).isNotEmpty();
    for (HStoreFile file : region.store().getStorefiles()) {
      assertThat(file.getReader().getHFileReader().getFileContext().getEncryptionContext())
          .isNotEqualTo(Encryption.Context.NONE);
      byte[] bytes = Files.readAllBytes(Path.of(file.getPath().toUri().getPath()));
      assertThat(new String(bytes, StandardCharsets.ISO_8859_1)).doesNotContain(SECRET);
    }
  }

  /** Without separated values, and with them. */
  @ParameterizedTest
  @ValueSource(ints = {0, 100})
  void everyFileIsEncrypted(int separatedBytes) throws IOException {
    try (TestRegion region = new TestRegion(
        folder,
        "encrypted",
        RlsmStoreEngine.class.getName(),
        ColumnFamilyDescriptorBuilder.newBuilder(TestRegion.FAMILY)
            .setEncryptionType("AES")
            .setBlocksize(4_096)
            .build(),
        Map.of(StoreSettings.SEPARATED_BYTES, Integer.toString(separatedBytes)))) {
      for (int round = 1; round <= ROUNDS; round++) {
        put(region, round);
        region.compactAll(COMPACTIONS_MAX);
      }
      boolean separated = region.store().getStorefiles().stream()
          .anyMatch(file -> ((PartitionedStoreFile) file).mark().isPresent());
      assertThat(separated).isEqualTo(separatedBytes > 0);
      List<String> all = region.read(new Scan());
      assertThat(all).hasSize(ROWS);
      verify(region, all);
      region.reopen();
      verify(region, all);
      region.compactEverything();
      verify(region, all);
      region.reopenWith(DefaultStoreEngine.class.getName());
      verify(region, all);
    }
  }
}
