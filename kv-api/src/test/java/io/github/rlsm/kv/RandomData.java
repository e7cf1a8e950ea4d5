// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.TreeSet;

/**
 * Random keys, values and scans of one history. Keys come from a small set, so that operations hit
 * the same keys. The set has prefixes of other keys, shared prefixes, extreme bytes and long keys.
 *
 * <p>Threads: one thread at a time.
 */
final class RandomData {

  private static final byte[] ALPHABET = TestBytes.bytes(0, 1, 'a', 'b', 0x7F, 0x80, 0xFE, 0xFF);
  private static final int USUAL_LONG_KEY_BYTES = 3_000;

  private final SplittableRandom random;
  private final List<byte[]> keys;
  private final int largeValueBytes;

  RandomData(SplittableRandom random, OpMix mix) {
    this.random = random;
    this.largeValueBytes = mix.largeValueBytes();
    TreeSet<byte[]> distinct = new TreeSet<>((Comparator<byte[]>) Arrays::compareUnsigned);
    while (distinct.size() < mix.keys()) {
      distinct.add(newKey());
    }
    keys = new ArrayList<>(distinct);
    for (int i = keys.size() - 1; i > 0; i--) {
      Collections.swap(keys, i, random.nextInt(i + 1));
    }
  }

  private byte[] newKey() {
    int kind = random.nextInt(100);
    if (kind < 40) {
      return shortBytes(1 + random.nextInt(4));
    } else if (kind < 85) {
      return TestBytes.bytes(String.format(Locale.ROOT, "user%06d", random.nextInt(100_000)));
    } else if (kind < 98) {
      byte[] key = new byte[100 + random.nextInt(200)];
      byte[] end = shortBytes(2);
      System.arraycopy(end, 0, key, key.length - 2, 2);
      return key;
    }
    return TestBytes.random(random.nextLong(), 1 + random.nextInt(USUAL_LONG_KEY_BYTES));
  }

  private byte[] shortBytes(int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = ALPHABET[random.nextInt(ALPHABET.length)];
    }
    return bytes;
  }

  /** Returns all possible keys, in the order of their popularity. */
  List<byte[]> keys() {
    return keys;
  }

  /** Returns a key. A tenth of the keys gets about a third of the calls. */
  byte[] key() {
    double at = random.nextDouble();
    return keys.get((int) (at * at * keys.size()));
  }

  /** Returns a value of a usual size, mostly small, sometimes empty. */
  byte[] value() {
    int kind = random.nextInt(100);
    int most = kind < 60 ? 100 : kind < 85 ? 1_500 : 8_000;
    return value(random.nextInt(Math.min(most, largeValueBytes) + 1));
  }

  /** Returns a value of at least half the largest size. */
  byte[] largeValue() {
    return value(largeValueBytes - random.nextInt(largeValueBytes / 2 + 1));
  }

  /** Returns a value that is compressible in half of the calls. */
  private byte[] value(int length) {
    byte[] value = TestBytes.random(random.nextLong(), length);
    if (random.nextBoolean()) {
      Arrays.fill(value, length / 4, length, (byte) length);
    }
    return value;
  }

  /** Returns a scan with any combination of options. */
  ScanOptions scan() {
    ScanOptions.Builder builder = ScanOptions.builder();
    if (random.nextInt(3) == 0) {
      builder.from(bound());
    }
    if (random.nextInt(3) == 0) {
      builder.to(bound());
    }
    if (random.nextInt(4) == 0) {
      byte[] bound = bound();
      builder.prefix(Arrays.copyOf(bound, Math.min(bound.length, random.nextInt(6))));
    }
    if (random.nextBoolean()) {
      builder.reverse();
    }
    if (random.nextInt(4) == 0) {
      builder.keysOnly();
    }
    if (random.nextInt(3) == 0) {
      builder.limit(random.nextInt(20));
    }
    return builder.build();
  }

  private byte[] bound() {
    return random.nextInt(3) == 0 ? shortBytes(random.nextInt(4)) : key();
  }
}
