// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.micro;

import java.util.Arrays;

/**
 * A table of 12-bit fingerprints with the number of the run, 16 bits a key, over all keys of a
 * partition: buckets of 16 lanes, two to a cache line; what does not fit goes to the other half of
 * the line, then to the next line.
 */
final class MergedIndex {

  private static final int LANES = 16;
  private static final int WORDS = LANES / 4;
  private static final long LOW = 0x7FFF_7FFF_7FFF_7FFFL;
  private static final long FINGERPRINTS = 0xFFF0_FFF0_FFF0_FFF0L;
  private static final long ONES = 0x0001_0001_0001_0001L;

  private final long[] words;
  private final int[] filled;
  private final int buckets;

  MergedIndex(int keys, double load) {
    buckets = (int) Math.ceil(keys / (load * LANES) / 2) * 2;
    words = new long[buckets * WORDS];
    filled = new int[buckets];
  }

  long bytes() {
    return 8L * words.length;
  }

  private int home(long hash) {
    return (int) (((hash >>> 32) * buckets) >>> 32);
  }

  private static long fingerprint(long hash) {
    return ((hash & 0xFFFF_FFFFL) * 4095 >>> 32) + 1;
  }

  void add(long hash, int run) {
    int bucket = home(hash);
    while (filled[bucket] == LANES) {
      bucket = (bucket & 1) == 0 && filled[bucket + 1] < LANES
          ? bucket + 1
          : (bucket & 1) == 1 && filled[bucket - 1] < LANES
              ? bucket - 1
              : ((bucket | 1) + 1) % buckets;
    }
    int lane = filled[bucket]++;
    words[bucket * WORDS + lane / 4] |= (fingerprint(hash) << 4 | run) << 16 * (lane & 3);
  }

  /** Bit r is set if run r may hold the key. */
  int candidates(long hash) {
    long wanted = (fingerprint(hash) << 4) * ONES;
    int bucket = home(hash);
    int found = 0;
    while (true) {
      found |= inBucket(bucket, wanted);
      if (words[bucket * WORDS + WORDS - 1] >>> 48 == 0) {
        return found;
      }
      int other = bucket ^ 1;
      found |= inBucket(other, wanted);
      if (words[other * WORDS + WORDS - 1] >>> 48 == 0) {
        return found;
      }
      bucket = ((bucket | 1) + 1) % buckets;
    }
  }

  private int inBucket(int bucket, long wanted) {
    int found = 0;
    for (int i = 0; i < WORDS; i++) {
      long word = words[bucket * WORDS + i];
      long differing = (word ^ wanted) & FINGERPRINTS;
      long same = ~((differing & LOW) + LOW | differing) & ~LOW;
      while (same != 0) {
        int shift = Long.numberOfTrailingZeros(same) - 15;
        found |= 1 << ((word >>> shift) & 15);
        same &= same - 1;
      }
    }
    return found;
  }

  void clear() {
    Arrays.fill(words, 0);
    Arrays.fill(filled, 0);
  }
}
