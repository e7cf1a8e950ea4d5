// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.ycsb;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rlsm.kv.InvalidOptionsException;
import io.github.rlsm.kv.KvStore;
import java.nio.file.Path;
import java.util.Map;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import site.ycsb.db.rlsm.StoreOpener;

class RocksStoreOpenerTest {

  private static final Map<String, String> OPTIONS = Map.of(
      RocksStoreOpener.CACHE_BYTES, "8388608", RocksStoreOpener.WRITE_BUFFER_BYTES, "1048576");

  @TempDir
  Path directory;

  @Test
  void theClientFindsRocksDbByName() {
    assertThat(ServiceLoader.load(StoreOpener.class))
        .extracting(StoreOpener::name)
        .contains("rlsm", "rocksdb");
  }

  @Test
  void opensAStoreThatKeepsItsEntries() {
    StoreOpener opener = new RocksStoreOpener();
    byte[] key = "key".getBytes(UTF_8);
    byte[] value = new byte[100];
    try (KvStore store = opener.open(directory, OPTIONS)) {
      store.keyspace("usertable").put(key, value);
      opener.settle(store);
      assertThat(store.stats().writes().bytesByCause().get("flush")).isPositive();
    }
    try (KvStore store = opener.open(directory, OPTIONS)) {
      assertThat(store.keyspace("usertable").get(key)).isEqualTo(value);
    }
  }

  @Test
  void anUnknownOptionIsAnError() {
    assertThatThrownBy(() -> new RocksStoreOpener().open(directory, Map.of("cacheByte", "1")))
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContaining("[cacheBytes, writeBufferBytes]")
        .hasMessageContaining("[cacheByte]");
  }

  @Test
  void aSizeMustBeANumberOfBytes() {
    for (String wrong : new String[] {"0", "-1", "8MiB"}) {
      Map<String, String> options = Map.of(
          RocksStoreOpener.CACHE_BYTES, wrong, RocksStoreOpener.WRITE_BUFFER_BYTES, "1048576");
      assertThatThrownBy(() -> new RocksStoreOpener().open(directory, options))
          .isInstanceOf(InvalidOptionsException.class)
          .hasMessageContaining("cacheBytes is " + wrong);
    }
  }
}
