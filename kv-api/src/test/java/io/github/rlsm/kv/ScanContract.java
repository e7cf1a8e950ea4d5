// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import static io.github.rlsm.kv.TestBytes.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the selection and the order of entries in scans. */
abstract class ScanContract extends ContractFixture {

  private static final List<byte[]> TRICKY_KEYS = List.of(
      bytes(0),
      bytes(0, 0),
      bytes(0, 0xFF),
      bytes(1),
      bytes("a"),
      bytes('a', 0),
      bytes("aa"),
      bytes("aab"),
      bytes("ab"),
      bytes("b"),
      bytes(0x7F),
      bytes(0x7F, 0xFF),
      bytes(0x80),
      bytes(0x80, 0),
      bytes(0xFE, 0xFF, 0xFF),
      bytes(0xFF),
      bytes(0xFF, 0),
      bytes(0xFF, 0xFE, 1),
      bytes(0xFF, 0xFF),
      bytes(0xFF, 0xFF, 0),
      bytes(0xFF, 0xFF, 0xFF),
      bytes(0xFF, 0xFF, 0xFF, 7));

  /** The expected content of the store. */
  private final Map<byte[], byte[]> expected = new TreeMap<>(Arrays::compareUnsigned);

  private void put(byte[] key, byte[] value) {
    store.put(key, value);
    expected.put(key, value);
  }

  private void delete(byte[] key) {
    store.delete(key);
    expected.remove(key);
  }

  /** Writes tricky keys in three layers. Upper layers change and hide entries of lower ones. */
  private void fillInLayers() {
    for (byte[] key : TRICKY_KEYS) {
      put(key, bytes("first"));
      put(TestBytes.random(Arrays.hashCode(key), 5), bytes("noise"));
    }
    store.flush();
    for (int i = 0; i < TRICKY_KEYS.size(); i += 3) {
      put(TRICKY_KEYS.get(i), bytes("second"));
    }
    for (int i = 1; i < TRICKY_KEYS.size(); i += 7) {
      delete(TRICKY_KEYS.get(i));
    }
    store.flush();
    for (int i = 0; i < TRICKY_KEYS.size(); i += 4) {
      put(TRICKY_KEYS.get(i), new byte[i]);
    }
    for (int i = 3; i < TRICKY_KEYS.size(); i += 11) {
      delete(TRICKY_KEYS.get(i));
    }
  }

  /** Computes the expected result of a scan from all entries. */
  private List<String> expect(
      byte @Nullable [] from, byte @Nullable [] to, byte @Nullable [] prefix, ScanOptions options) {
    List<String> entries = new ArrayList<>();
    expected.forEach((key, value) -> {
      boolean wanted = (from == null || Arrays.compareUnsigned(key, from) >= 0)
          && (to == null || Arrays.compareUnsigned(key, to) < 0)
          && (prefix == null || startsWith(key, prefix));
      if (wanted) {
        entries.add(entry(key, options.isKeysOnly() ? null : value));
      }
    });
    if (options.isReverse()) {
      Collections.reverse(entries);
    }
    return entries.subList(0, (int) Math.min(options.limit(), entries.size()));
  }

  private static boolean startsWith(byte[] key, byte[] prefix) {
    return key.length >= prefix.length
        && Arrays.equals(key, 0, prefix.length, prefix, 0, prefix.length);
  }

  private static List<byte @Nullable []> bounds() {
    return Arrays.asList(
        null,
        new byte[0],
        bytes(0),
        bytes("aa"),
        bytes("aaa"),
        bytes(0x80),
        bytes(0xFF, 0xFF),
        TestBytes.random(1, KvStore.MAX_KEY_BYTES + 10));
  }

  private static List<byte @Nullable []> prefixes() {
    return Arrays.asList(
        null,
        new byte[0],
        bytes("a"),
        bytes("none"),
        bytes(0x7F, 0xFF),
        bytes(0xFF),
        bytes(0xFF, 0xFF, 0xFF));
  }

  private void checkCombinations(byte @Nullable [] from, byte @Nullable [] to) {
    for (byte[] prefix : prefixes()) {
      for (int flags = 0; flags < 4; flags++) {
        for (long limit : new long[] {Long.MAX_VALUE, 3}) {
          ScanOptions.Builder builder = ScanOptions.builder().limit(limit);
          builder = from == null ? builder : builder.from(from);
          builder = to == null ? builder : builder.to(to);
          builder = prefix == null ? builder : builder.prefix(prefix);
          builder = (flags & 1) == 0 ? builder : builder.reverse();
          builder = (flags & 2) == 0 ? builder : builder.keysOnly();
          ScanOptions options = builder.build();
          assertThat(entries(store, options))
              .as("%s", options)
              .isEqualTo(expect(from, to, prefix, options));
        }
      }
    }
  }

  @Test
  void everyCombinationOfOptionsAgreesWithASortedMap() {
    fillInLayers();
    for (byte[] from : bounds()) {
      for (byte[] to : bounds()) {
        checkCombinations(from, to);
      }
    }
  }

  @Test
  void keysAreOrderedAsUnsignedBytes() {
    List<byte[]> keys = new ArrayList<>();
    for (int i = 0; i < 256; i++) {
      keys.add(bytes(i));
    }
    Collections.shuffle(keys, new Random(7));
    for (byte[] key : keys) {
      put(key, key);
    }
    List<String> ascending = entries(store);
    assertThat(ascending).isEqualTo(expect(null, null, null, ScanOptions.all()));
    assertThat(ascending.indexOf(entry(bytes(0x7F), bytes(0x7F)))).isEqualTo(127);
    assertThat(ascending.indexOf(entry(bytes(0x80), bytes(0x80)))).isEqualTo(128);
    Collections.reverse(ascending);
    assertThat(entries(store, ScanOptions.builder().reverse().build())).isEqualTo(ascending);
  }

  @Test
  void everyKeyIsItsOwnRangeAndPrefix() {
    fillInLayers();
    for (byte[] key : expected.keySet()) {
      byte[] next = Arrays.copyOf(key, key.length + 1);
      assertThat(entries(store, ScanOptions.range(key, next))).hasSize(1);
      assertThat(entries(store, ScanOptions.range(key, key))).isEmpty();
      assertThat(entries(store, ScanOptions.prefix(key)))
          .isEqualTo(expect(null, null, key, ScanOptions.all()));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 2, 10, 21, 22, 23, 1_000, Integer.MAX_VALUE + 1L, Long.MAX_VALUE})
  void limitsCountEntries(long limit) {
    fillInLayers();
    for (ScanOptions.Builder builder :
        List.of(ScanOptions.builder(), ScanOptions.builder().reverse())) {
      ScanOptions options = builder.limit(limit).build();
      assertThat(entries(store, options)).isEqualTo(expect(null, null, null, options));
    }
  }

  @Test
  void rangesThatAreEmptyYieldNothing() {
    fillInLayers();
    assertThat(entries(store, ScanOptions.range(bytes("b"), bytes("a")))).isEmpty();
    assertThat(entries(store, ScanOptions.range(bytes("b"), bytes("b")))).isEmpty();
    assertThat(entries(store, ScanOptions.range(new byte[0], new byte[0]))).isEmpty();
    assertThat(entries(
            store, ScanOptions.builder().prefix(bytes("a")).from(bytes("b")).build()))
        .isEmpty();
    assertThat(entries(
            store, ScanOptions.builder().prefix(bytes("b")).to(bytes("b")).build()))
        .isEmpty();
  }

  @Test
  void aPrefixOfFfHasNoEndButTheLastKey() {
    byte[] last = new byte[KvStore.MAX_KEY_BYTES];
    Arrays.fill(last, (byte) 0xFF);
    put(last, bytes("last"));
    put(bytes(0xFE), bytes("before"));
    for (int length : new int[] {1, 2, 100, KvStore.MAX_KEY_BYTES}) {
      byte[] prefix = Arrays.copyOf(last, length);
      assertThat(entries(store, ScanOptions.prefix(prefix)))
          .containsExactly(entry(last, bytes("last")));
    }
    assertThat(entries(store, ScanOptions.builder().reverse().limit(1).build()))
        .containsExactly(entry(last, bytes("last")));
  }

  @Test
  void deletedKeysLeaveNoGapsInLimits() {
    for (int i = 0; i < 1_000; i++) {
      put(bytes(String.format(Locale.ROOT, "%04d", i)), bytes("value"));
    }
    store.flush();
    for (int i = 0; i < 999; i++) {
      if (i % 100 != 50) {
        delete(bytes(String.format(Locale.ROOT, "%04d", i)));
      }
    }
    for (ScanOptions.Builder builder :
        List.of(ScanOptions.builder(), ScanOptions.builder().reverse())) {
      ScanOptions options = builder.limit(5).build();
      assertThat(entries(store, options)).isEqualTo(expect(null, null, null, options));
    }
  }

  @Test
  void longScansReturnEveryEntryOnce() {
    SplittableRandom random = new SplittableRandom(11);
    for (int i = 0; i < 5_000; i++) {
      put(TestBytes.random(i % 4_000, 3 + i % 9), TestBytes.random(i, random.nextInt(120)));
      if (i == 2_500) {
        store.flush();
      }
    }
    for (ScanOptions.Builder builder : List.of(
        ScanOptions.builder(),
        ScanOptions.builder().reverse(),
        ScanOptions.builder().keysOnly(),
        ScanOptions.builder().reverse().keysOnly())) {
      ScanOptions options = builder.build();
      assertThat(entries(store, options)).isEqualTo(expect(null, null, null, options));
    }
  }

  @Test
  void scanReturnsAdjacentValuesOfAllSizes() {
    int[] lengths = {0, 1, 200, 300, 600, 1_100, 4_096, 70_000, 1 << 20};
    for (int i = 0; i < 90; i++) {
      put(bytes("key " + i), TestBytes.random(i, lengths[i % lengths.length]));
    }
    for (ScanOptions options :
        List.of(ScanOptions.all(), ScanOptions.builder().reverse().build())) {
      assertThat(entries(store, options)).isEqualTo(expect(null, null, null, options));
    }
  }
}
