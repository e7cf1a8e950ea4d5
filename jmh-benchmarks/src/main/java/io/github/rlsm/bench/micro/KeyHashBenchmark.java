// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.micro;

import io.github.rlsm.base.KeyHash;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Measures the hash of a key. Every lookup begins with it. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class KeyHashBenchmark {

  private static final int KEYS = 1 << 10;

  /** Length of the keys; 17 is a 16-byte key in the default keyspace. */
  @Param({"17", "32", "128"})
  public int keyBytes;

  private byte[][] keys = {};
  private int next;

  /** Creates more keys than the branch predictor and the L1 cache can remember. */
  @Setup
  public void makeKeys() {
    SplittableRandom random = new SplittableRandom(1);
    keys = new byte[KEYS][keyBytes];
    for (byte[] key : keys) {
      random.nextBytes(key);
    }
  }

  /** The frozen hash of the disk format. */
  @Benchmark
  public long xxh3() {
    byte[] key = keys[next++ & (KEYS - 1)];
    return KeyHash.hash(key, 0, key.length);
  }
}
