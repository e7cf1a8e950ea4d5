// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rlsm.base.EntryView;
import java.nio.ByteBuffer;
import java.util.NavigableMap;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PageCacheTest {

  @Test
  void staysInItsBudget() {
    PageCache cache = new PageCache(100_000);
    long table = cache.newTable();
    for (int page = 0; page < 1000; page++) {
      cache.put(table, page, ByteBuffer.allocate(1000));
      assertThat(cache.bytes()).isLessThanOrEqualTo(100_000);
    }
    assertThat(cache.bytes()).isGreaterThan(50_000);
  }

  @Test
  void keepsNothingWithoutABudget() {
    PageCache cache = new PageCache(0);
    cache.put(1, 1, ByteBuffer.allocate(10));
    assertThat(cache.get(1, 1)).isNull();
    assertThat(cache.bytes()).isZero();
    cache.forget(1, 10);
    assertThatThrownBy(() -> new PageCache(-1)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void tablesWithTheSameNumberDoNotMix() {
    PageCache cache = new PageCache(1 << 20);
    long first = cache.newTable();
    long second = cache.newTable();
    ByteBuffer page = ByteBuffer.allocate(10);
    cache.put(first, 3, page);
    assertThat(cache.get(second, 3)).isNull();
    assertThat(cache.get(first, 3)).isSameAs(page);
    cache.forget(first, 4);
    assertThat(cache.get(first, 3)).isNull();
  }

  @Test
  void holdsPagesOfCompressedTablesUntilTheyAreClosed() {
    NavigableMap<byte[], TestEntry> model = TestTables.randomModel(new Random(1), 500, 8, 100);
    byte[] bytes = TestTables.write(new TableWriter.Settings(4096, 10, PageCompression.LZ4), model);
    Table.Access access = TestTables.access();
    Table table = TestTables.open(bytes, access);
    EntryView view = new EntryView();
    byte[] key = model.firstKey();
    assertThat(TestTables.find(table, key, view)).isTrue();
    assertThat(access.counters().cacheHits()).isZero();
    assertThat(access.cache().bytes()).isGreaterThan(4000);
    assertThat(TestTables.find(table, key, view)).isTrue();
    assertThat(access.counters().cacheHits()).isEqualTo(1);
    table.close();
    assertThat(access.cache().bytes()).isZero();
  }

  @Test
  void compressionSavesSpace() {
    NavigableMap<byte[], TestEntry> model = TestTables.model();
    for (int i = 0; i < 5000; i++) {
      model.put(new byte[] {(byte) (i >> 8), (byte) i}, TestEntry.put(i, new byte[100]));
    }
    int plain = TestTables.write(TableWriter.Settings.DEFAULT, model).length;
    int lz4 =
        TestTables.write(new TableWriter.Settings(4096, 10, PageCompression.LZ4), model).length;
    int zstd =
        TestTables.write(new TableWriter.Settings(4096, 10, PageCompression.ZSTD), model).length;
    assertThat(lz4).isLessThan(plain / 3);
    assertThat(zstd).isLessThan(plain / 3);
  }
}
