// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.micro;

import io.github.rlsm.kv.Durability;
import io.github.rlsm.log.RecordEncoder;
import io.github.rlsm.log.RecordWriter;
import java.io.IOException;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;

/**
 * Measures puts per second through the log, without memory tables, at each durability. An operation
 * is the whole path of a put through the log: encode, reserve, store, publish, wait for all earlier
 * puts, and for {@code SYNC} the group commit.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Threads(2)
public class LogAppendBenchmark {

  private static final int SEGMENT_BYTES = 64 << 20;
  private static final int KEY_BYTES = 17;
  private static final long NO_PROMISE = -1;

  /** Bytes of each value. */
  @Param({"100", "1000", "16000"})
  public int valueBytes;

  /** Durability of each put. Buffered puts take the same path as {@code OS}. */
  @Param({"OS", "SYNC"})
  public Durability durability = Durability.OS;

  /** Whether the puts go into the value log. Its segments are never reused. */
  @Param({"false", "true"})
  public boolean valueLog;

  private ScratchLog log;

  /** Creates an empty log. */
  @Setup
  public void open() {
    log = new ScratchLog(SEGMENT_BYTES);
  }

  /** Removes the log. */
  @TearDown
  public void close() throws IOException {
    log.close();
  }

  /** The state of one writer thread. */
  @State(Scope.Thread)
  public static class Writer {

    private final RecordEncoder encoder = new RecordEncoder();
    private final RecordWriter toLog = new RecordWriter();
    private final byte[] key = new byte[KEY_BYTES];
    private byte[] value = {};

    /** Fills in a value that does not compress. */
    @Setup
    public void fill(LogAppendBenchmark benchmark) {
      value = new byte[benchmark.valueBytes];
      new SplittableRandom(1).nextBytes(value);
    }
  }

  /** One put. */
  @Benchmark
  public void append(Writer writer) {
    writer.encoder.put(writer.key, KEY_BYTES, writer.value, 0, writer.value.length, NO_PROMISE);
    log.append(writer.encoder, writer.toLog, valueLog, durability == Durability.SYNC);
  }
}
