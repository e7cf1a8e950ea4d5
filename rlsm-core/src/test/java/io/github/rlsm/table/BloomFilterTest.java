// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.base.KeyHash;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BloomFilterTest {

  private static final int KEYS = 100_000;

  /** More keys than those whose hashes are kept. */
  private static final int LARGE = 2 * BloomFilter.Builder.HASHES_MAX;

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 10, 30})
  void noKeyIsEverMissed(int bitsPerKey) {
    SeededCases.run(3, random -> {
      long first = random.nextLong();
      BloomFilter filter = filter(bitsPerKey, first, 1 + random.nextInt(KEYS));
      assertThat(filter.mightContain(hash(first))).isTrue();
    });
    BloomFilter filter = filter(bitsPerKey, 0, KEYS);
    for (long key = 0; key < KEYS; key++) {
      assertThat(filter.mightContain(hash(key))).isTrue();
    }
  }

  /** The bounds are a fifth above the measured rates. A plain Bloom filter has 0.8 % at 10 bits. */
  @ParameterizedTest
  @CsvSource({"4, 0.18", "6, 0.069", "8, 0.028", "10, 0.0117", "12, 0.005", "16, 0.00106"})
  void falsePositivesStayRare(int bitsPerKey, double bound) {
    BloomFilter filter = filter(bitsPerKey, 0, KEYS);
    int falsePositives = 0;
    int probes = 1_000_000;
    for (long key = KEYS; key < KEYS + probes; key++) {
      falsePositives += filter.mightContain(hash(key)) ? 1 : 0;
    }
    double rate = falsePositives / (double) probes;
    assertThat(rate).isBetween(bound / 2, bound);
  }

  @Test
  void noBitsMeansNoFilter() {
    BloomFilter.Builder builder = new BloomFilter.Builder(0, () -> 2 * LARGE);
    for (int i = 0; i < LARGE; i++) {
      builder.add(i);
    }
    assertThat(builder.pieces()).isEmpty();
    BloomFilter filter = new BloomFilter(ByteBuffer.allocate(0), 0, 0, FilterLayout.probes(0));
    assertThat(filter.mightContain(new Random(1).nextLong())).isTrue();
  }

  /** However much too large or too small the expected number of keys was. */
  @ParameterizedTest
  @ValueSource(doubles = {0, 0.3, 0.99, 1, 1.3, 1.9, 2, 2.9, 3.5, 5, 7, 11.9, 13, 40})
  void largeFilterEqualsOneOfKeptHashes(double expected) {
    byte[] large = bytes(10, 0, LARGE, (long) (expected * LARGE));
    int needed = FilterLayout.blockCount(LARGE, 10);
    int blocks = large.length / FilterLayout.BLOCK_BYTES;
    assertThat(Arrays.mismatch(large, fromHashes(10, LARGE, blocks)))
        .as("the first wrong byte")
        .isEqualTo(-1);
    if (expected >= 1) {
      assertThat(blocks).isGreaterThanOrEqualTo(needed);
    }
    // Blocks are combined by twelve, six, four, three, or two.
    assertThat((double) blocks / needed).isLessThan(Math.max(2.01, expected / 12 + 0.01));
  }

  /** The filter of that many blocks with the bits of all keys. */
  private static byte[] fromHashes(int bitsPerKey, int keys, int blocks) {
    byte[] filter = new byte[blocks * FilterLayout.BLOCK_BYTES];
    for (long key = 0; key < keys; key++) {
      long hash = hash(key);
      int line = FilterLayout.block(hash, blocks) * FilterLayout.BLOCK_BYTES;
      int probe = (int) hash;
      for (int i = 0; i < FilterLayout.probes(bitsPerKey); i++) {
        int bit = probe >>> FilterLayout.BIT_SHIFT;
        filter[line + bit / 8] |= (byte) (1 << bit % 8);
        probe *= FilterLayout.NEXT_PROBE;
      }
    }
    return filter;
  }

  @Test
  void probesFitTheFormat() {
    for (int bits = 1; bits <= TableWriter.Settings.FILTER_BITS_MAX; bits++) {
      assertThat(FilterLayout.probes(bits)).isBetween(1, FilterLayout.PROBES_MAX);
    }
  }

  private static BloomFilter filter(int bitsPerKey, long firstKey, int keys) {
    byte[] block = bytes(bitsPerKey, firstKey, keys, keys);
    assertThat(block.length % 64).isZero();
    assertThat((double) block.length * 8 / keys).isBetween(bitsPerKey * 1.0, bitsPerKey + 513.0);
    ByteBuffer memory = ByteBuffer.allocateDirect(block.length + 64).put(64, block);
    return new BloomFilter(memory, 64, block.length, FilterLayout.probes(bitsPerKey));
  }

  private static byte[] bytes(int bitsPerKey, long firstKey, int keys, long keysMax) {
    BloomFilter.Builder builder = new BloomFilter.Builder(bitsPerKey, () -> keysMax);
    for (long key = firstKey; key < firstKey + keys; key++) {
      builder.add(hash(key));
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (byte[] piece : builder.pieces()) {
      bytes.writeBytes(piece);
    }
    return bytes.toByteArray();
  }

  private static long hash(long key) {
    byte[] bytes = ByteBuffer.allocate(8).putLong(key).array();
    return KeyHash.hash(bytes, 0, 8);
  }
}
