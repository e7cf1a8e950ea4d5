// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.micro;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Measures the checksum of a log record or page, in an array and in direct memory. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class Crc32cBenchmark {

  /** Bytes to checksum: a small record, a 1 KB record, a page. */
  @Param({"128", "1024", "16384"})
  public int bytes;

  private final CRC32C crc = new CRC32C();
  private byte[] array = {};
  private ByteBuffer direct = ByteBuffer.allocateDirect(0);

  /** Fills both kinds of memory. */
  @Setup
  public void fill() {
    array = new byte[bytes];
    new SplittableRandom(1).nextBytes(array);
    direct = ByteBuffer.allocateDirect(bytes).put(array);
  }

  /** Bytes on the heap. */
  @Benchmark
  public long array() {
    crc.reset();
    crc.update(array, 0, bytes);
    return crc.getValue();
  }

  /** Bytes in direct memory, like the bytes of a mapped segment. */
  @Benchmark
  public long direct() {
    crc.reset();
    crc.update(direct.clear());
    return crc.getValue();
  }
}
