// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.io.StoreFileName;
import io.github.rlsm.kv.CorruptionException;
import io.github.rlsm.kv.KvIterator;
import io.github.rlsm.kv.ScanOptions;
import io.github.rlsm.kv.StoreClosedException;
import io.github.rlsm.kv.TestSeed;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Comparator;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the values that a scan reads from the value log in groups. */
class RlsmScanValuesTest {

  private static final int ENTRIES = 2_000;
  private static final int THRESHOLD = 200;

  private final SimulatedDirectory directory = new SimulatedDirectory();
  private final SplittableRandom random = new SplittableRandom(TestSeed.get());

  private static byte[] key(int i) {
    return ByteBuffer.allocate(4).putInt(i).array();
  }

  /** The value of a key, different for each key. */
  private static byte[] value(int i, int length) {
    byte[] value = new byte[length];
    new SplittableRandom(i).nextBytes(value);
    return value;
  }

  private RlsmStore open() {
    RlsmOptions options = RlsmOptions.builder()
        .logSegmentBytes(4 << 20)
        .separationThreshold(THRESHOLD)
        .build();
    return RlsmStore.open(directory, options, InlineScheduler.environment(3));
  }

  /**
   * Values of all kinds: copied with their key, in a group, and read alone. The caller skips some
   * values, and asks for others twice.
   */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void everyValueBelongsToItsKey(boolean descending) {
    int[] lengths = random.ints(ENTRIES, 0, 1_300).toArray();
    try (RlsmStore store = open()) {
      for (int i = 0; i < ENTRIES; i++) {
        store.put(key(i), value(i, lengths[i]));
      }
      store.flush();
      ScanOptions options =
          descending ? ScanOptions.builder().reverse().build() : ScanOptions.all();
      ByteBuffer destination = ByteBuffer.allocate(2_000);
      int visited = 0;
      try (KvIterator scan = store.scan(options)) {
        while (scan.next()) {
          int i = ByteBuffer.wrap(scan.key()).getInt();
          byte[] expected = value(i, lengths[i]);
          for (int question = random.nextInt(3); question > 0; question--) {
            int room = random.nextInt(destination.capacity());
            assertThat(scan.value(destination.clear().limit(room))).isEqualTo(lengths[i]);
            assertThat(Arrays.copyOf(destination.array(), destination.position()))
                .isEqualTo(Arrays.copyOf(expected, Math.min(room, lengths[i])));
            assertThat(scan.value()).isEqualTo(expected);
          }
          visited++;
        }
      }
      assertThat(visited).isEqualTo(ENTRIES);
    }
  }

  @Test
  void damagedValueFailsOnlyItsOwnEntry() {
    int length = 300;
    int damaged = random.nextInt(50);
    try (RlsmStore store = open()) {
      for (int i = 0; i < 50; i++) {
        store.put(key(i), value(i, length));
      }
      store.flush();
    }
    String segment = flipBitOf(value(damaged, length));
    try (RlsmStore store = open();
        KvIterator scan = store.scan(ScanOptions.all())) {
      for (int i = 0; i < 50; i++) {
        assertThat(scan.next()).isTrue();
        if (i == damaged) {
          assertThatThrownBy(scan::value)
              .isInstanceOf(CorruptionException.class)
              .hasMessageContaining(segment);
          assertThatThrownBy(() -> scan.value(ByteBuffer.allocate(length)))
              .isInstanceOf(CorruptionException.class);
        } else {
          assertThat(scan.value()).isEqualTo(value(i, length));
        }
      }
      assertThat(scan.next()).isFalse();
    }
  }

  /** A batch that ends at a damaged page has fewer entries than the batch before it. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void entriesBeforeADamagedPageHaveTheirValues(int page) {
    int length = 250;
    try (RlsmStore store = open()) {
      for (int i = 0; i < ENTRIES; i++) {
        store.put(key(i), value(i, length));
      }
      store.flush();
    }
    String table = directory.list().stream()
        .filter(file -> ClosedStore.type(file) == StoreFileName.Type.TABLE)
        .max(Comparator.comparingInt(file -> directory.bytes(file).length))
        .orElseThrow();
    directory.flipBit(table, Byte.SIZE * (page * 4096L + 1000));
    try (RlsmStore store = open();
        KvIterator scan = store.scan(ScanOptions.all())) {
      int[] read = {0};
      assertThatThrownBy(() -> {
            while (scan.next()) {
              assertThat(scan.value()).isEqualTo(value(read[0], length));
              read[0]++;
            }
          })
          .isInstanceOf(CorruptionException.class)
          .hasMessageContaining(table);
      assertThat(read[0]).isBetween(1, ENTRIES - 1);
    }
  }

  /** Flips a bit in the middle of a value. Returns the name of its segment. */
  private String flipBitOf(byte[] value) {
    for (String file : directory.list()) {
      int at = file.startsWith("val-") ? ClosedStore.indexOf(directory.bytes(file), value) : -1;
      if (at >= 0) {
        directory.flipBit(file, (long) Byte.SIZE * (at + value.length / 2));
        return file;
      }
    }
    throw new AssertionError("no segment has the value");
  }

  @Test
  void valueOfAGroupIsNotReturnedAfterClose() {
    RlsmStore store = open();
    try (store) {
      store.put(key(1), value(1, THRESHOLD));
      store.put(key(2), value(2, THRESHOLD));
      store.flush();
      KvIterator scan = store.scan(ScanOptions.all());
      assertThat(scan.next()).isTrue();
      assertThat(scan.value()).isEqualTo(value(1, THRESHOLD));
      assertThat(scan.next()).isTrue();
      store.close();
      assertThatThrownBy(scan::value).isInstanceOf(StoreClosedException.class);
    }
  }
}
