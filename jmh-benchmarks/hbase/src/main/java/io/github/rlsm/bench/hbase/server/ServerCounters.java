// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.hbase.server;

import io.github.rlsm.bench.gauge.MemoryPeak;
import java.util.Map;

/**
 * The counters of a server since its start. A figure that the server does not have is -1.
 *
 * @param process the use of resources by the process
 * @param flushedBytes bytes of files that flushes wrote, as HBase counts them
 * @param compactedBytes bytes of files that compactions wrote, as HBase counts them
 * @param blocks the blocks of data that reads used
 * @param engine the store engine's own counters; empty for HBase's engines
 */
public record ServerCounters(
    OfProcess process,
    long flushedBytes,
    long compactedBytes,
    Blocks blocks,
    Map<String, Long> engine) {

  /**
   * The use of resources by the server's process.
   *
   * @param bytesWritten bytes that it wrote to storage
   * @param processor the time that its threads have worked
   * @param memory the peak memory use since the last figures
   */
  public record OfProcess(long bytesWritten, Processor processor, MemoryPeak memory) {}

  /**
   * The time that threads have worked on the processors.
   *
   * @param processorSeconds the time of all threads
   * @param compilerSeconds the elapsed time of just-in-time compilations, summed over the compiler
   *     threads. It includes the time in which these threads wait for a processor.
   */
  public record Processor(double processorSeconds, double compilerSeconds) {

    /** The time since an earlier one. */
    public Processor minus(Processor earlier) {
      return new Processor(
          processorSeconds - earlier.processorSeconds, compilerSeconds - earlier.compilerSeconds);
    }
  }

  /**
   * The blocks of data that gets, scans and compactions used, as HBase's block cache counts them.
   *
   * @param cached blocks that were in the cache
   * @param read blocks that were read from files
   * @param values separated values that were read without the block around them
   */
  public record Blocks(long cached, long read, long values) {}

  /** These counters, with bytes that another process wrote for the server. */
  public ServerCounters plusWritten(long bytes) {
    OfProcess both = new OfProcess(process.bytesWritten + bytes, process.processor, process.memory);
    return new ServerCounters(both, flushedBytes, compactedBytes, blocks, engine);
  }

  /** Copies the engine's counters. */
  public ServerCounters {
    engine = Map.copyOf(engine);
  }
}
