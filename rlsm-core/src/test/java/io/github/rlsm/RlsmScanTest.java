// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rlsm.io.FilterDirectory;
import io.github.rlsm.io.MappedFile;
import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.io.StoreDirectory;
import io.github.rlsm.io.StoreFileName;
import io.github.rlsm.kv.CorruptionException;
import io.github.rlsm.kv.KvIterator;
import io.github.rlsm.kv.ScanOptions;
import io.github.rlsm.kv.StoreClosedException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Tests that the batches of a scan are not observable. */
class RlsmScanTest {

  private static final int ENTRIES = 700; // several of the largest batches

  private final SimulatedDirectory files = new SimulatedDirectory();
  private RlsmStore store = open();

  private RlsmStore open() {
    RlsmOptions options = RlsmOptions.builder().memoryBudget(16 << 20).build();
    return RlsmStore.open(files, options, InlineScheduler.environment(1));
  }

  private static byte[] key(int i) {
    return String.format(Locale.ROOT, "key %05d", i).getBytes(US_ASCII);
  }

  /** Returns values of all kinds: empty, short, longer than batches copy, and in the value log. */
  private static byte[] value(int i) {
    int[] lengths = {0, 10, 400, 1_500, 40_000, 100};
    byte[] value = new byte[lengths[i % lengths.length]];
    Arrays.fill(value, (byte) i);
    return value;
  }

  private void fill() {
    for (int i = 0; i < ENTRIES; i++) {
      store.put(key(i), value(i));
    }
  }

  private static void assertOn(KvIterator scan, int i) {
    assertThat(scan.next()).as("entry %s", i).isTrue();
    assertThat(scan.key()).isEqualTo(key(i));
    assertThat(scan.value()).isEqualTo(value(i));
    ByteBuffer little = ByteBuffer.allocate(7);
    assertThat(scan.value(little)).isEqualTo(value(i).length);
    little.flip();
    assertThat(little).isEqualTo(ByteBuffer.wrap(value(i), 0, Math.min(7, value(i).length)));
    assertThat(scan.key(little.clear())).isEqualTo(key(i).length);
    assertThat(little.flip()).isEqualTo(ByteBuffer.wrap(key(i), 0, 7));
  }

  private void assertScans() {
    try (KvIterator up = store.scan(ScanOptions.all());
        KvIterator down = store.scan(ScanOptions.builder().reverse().build())) {
      for (int i = 0; i < ENTRIES; i++) {
        assertOn(up, i);
        assertOn(down, ENTRIES - 1 - i);
      }
      assertThat(up.next()).isFalse();
      assertThat(up.next()).isFalse();
      assertThat(down.next()).isFalse();
    }
  }

  @Test
  void valuesOfEveryKindInEveryPlace() {
    fill();
    assertScans();
    store.flush();
    assertScans();
    store.close();
    store = open();
    assertScans();
    store.close();
  }

  @Test
  void limitsCutBatches() {
    fill();
    for (int limit : new int[] {0, 1, 7, 8, 9, 24, 25, 300, ENTRIES, ENTRIES + 1}) {
      ScanOptions options = ScanOptions.builder().from(key(3)).limit(limit).build();
      try (KvIterator scan = store.scan(options)) {
        for (int i = 0; i < Math.min(limit, ENTRIES - 3); i++) {
          assertOn(scan, 3 + i);
        }
        assertThat(scan.next()).isFalse();
        assertThatThrownBy(scan::key).isInstanceOf(IllegalStateException.class);
      }
    }
    store.close();
  }

  @Test
  void keysOnlyScanRefusesValues() {
    fill();
    try (KvIterator scan = store.scan(ScanOptions.builder().keysOnly().build())) {
      for (int i = 0; i < ENTRIES; i++) {
        assertThat(scan.next()).isTrue();
        assertThat(scan.key()).isEqualTo(key(i));
        assertThatThrownBy(scan::value).isInstanceOf(IllegalStateException.class);
      }
      assertThat(scan.next()).isFalse();
    }
    store.close();
  }

  @Test
  void scanClosedInTheMiddleOfABatchRefusesCalls() {
    fill();
    KvIterator scan = store.scan(ScanOptions.all());
    assertOn(scan, 0);
    scan.close();
    scan.close();
    assertThatThrownBy(scan::next).isInstanceOf(StoreClosedException.class);
    assertThatThrownBy(scan::key).isInstanceOf(StoreClosedException.class);
    KvIterator open = store.scan(ScanOptions.all());
    assertOn(open, 0);
    store.close();
    assertThatThrownBy(open::next).isInstanceOf(StoreClosedException.class);
    assertThatThrownBy(open::value).isInstanceOf(StoreClosedException.class);
    open.close();
  }

  /** Records which files are opened, and makes the store unmap all its files after each opening. */
  private static final class Crowded extends FilterDirectory {

    private final Set<String> opened = new TreeSet<>();

    Crowded(StoreDirectory real) {
      super(real);
    }

    @Override
    public MappedFile openReadOnly(String name) {
      opened.add(name);
      return super.openReadOnly(name);
    }

    @Override
    public long mappingsLeft() {
      return -100;
    }
  }

  @Test
  void scanOpensOnlyTablesOfLevel0WithKeysInItsRange() {
    store.close();
    Crowded directory = new Crowded(files);
    store = RlsmStore.open(
        directory,
        RlsmOptions.builder().memoryBudget(16 << 20).build(),
        InlineScheduler.environment(1));
    for (int table = 0; table < 3; table++) {
      store.put(key(10 * table), new byte[1]);
      store.put(key(10 * table + 5), new byte[1]);
      store.flush();
    }
    ScanOptions middle = ScanOptions.builder().from(key(10)).to(key(20)).build();
    for (ScanOptions options : List.of(ScanOptions.all(), middle)) {
      directory.opened.clear();
      try (KvIterator scan = store.scan(options)) {
        while (scan.next()) {
          assertThat(scan.value()).hasSize(1);
        }
      }
      assertThat(directory.opened).hasSize(options == middle ? 1 : 3);
    }
    store.close();
  }

  /** Entries read before the damage are returned before the error. */
  @Test
  void entriesBeforeTheDamageAreReturned() {
    for (int i = 0; i < ENTRIES; i++) {
      store.put(key(i), new byte[200]);
    }
    store.settle();
    store.close();
    String table = files.list().stream()
        .filter(name -> StoreFileName.parse(name).orElseThrow().type() == StoreFileName.Type.TABLE)
        .findFirst()
        .orElseThrow();
    files.flipBit(table, 8L * (files.bytes(table).length / 2));
    store = open();
    try (KvIterator scan = store.scan(ScanOptions.all())) {
      assertThatThrownBy(() -> readAll(scan))
          .isInstanceOf(CorruptionException.class)
          .hasMessageContaining(table);
      assertThat(shown).isGreaterThan(ENTRIES / 4).isLessThan(ENTRIES / 2);
      assertThatThrownBy(scan::next).isInstanceOf(CorruptionException.class);
      assertThatThrownBy(scan::key).isInstanceOf(IllegalStateException.class);
    }
    store.close();
  }

  private int shown;

  private void readAll(KvIterator scan) {
    while (scan.next()) {
      assertThat(scan.key()).isEqualTo(key(shown++));
    }
  }
}
