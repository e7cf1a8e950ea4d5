// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.result;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.github.rlsm.bench.gauge.CpuTime;
import io.github.rlsm.bench.gauge.MemoryPeak;
import io.github.rlsm.bench.gauge.ProcessIo;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The measurements of one phase. Figures that the system does not report are -1.
 *
 * @param phase name of the phase
 * @param work the operations and their time
 * @param checks the results of reads, which every client checks
 * @param latency latency by kind of call: get, put, scan
 * @param use the resources that the process used
 */
public record PhaseResult(
    String phase,
    @JsonUnwrapped Work work,
    @JsonUnwrapped Checks checks,
    Map<String, Latency> latency,
    @JsonUnwrapped Use use) {

  /**
   * The work of a phase.
   *
   * @param clients threads
   * @param operations operations executed
   * @param planned operations planned; more than {@code operations} if time ran out
   * @param seconds duration
   * @param puts puts among the operations
   */
  public record Work(int clients, long operations, long planned, double seconds, long puts) {}

  /**
   * The results of reads.
   *
   * @param entries values read and checked
   * @param missing keys not found although they are in the store
   * @param wrong keys or values read that were never written, or came out of order
   */
  public record Checks(long entries, long missing, long wrong) {}

  /**
   * The resources that the process used.
   *
   * @param io bytes written to storage and read from it
   * @param deviceReads read requests that the device completed, for all processes; null if unknown
   * @param diskBytes disk usage of the store at the end
   * @param diskPeakBytes peak disk usage seen during the phase
   * @param memory peak memory seen in use
   * @param cpu processor time spent during the phase
   */
  public record Use(
      @JsonUnwrapped ProcessIo io,
      @Nullable Long deviceReads,
      long diskBytes,
      long diskPeakBytes,
      MemoryPeak memory,
      CpuTime cpu) {}

  /** Copies the map. */
  public PhaseResult {
    latency = Map.copyOf(latency);
  }

  /** Operations per second; 0 for a phase without operations. */
  @JsonIgnore
  public double throughput() {
    return work.operations() == 0 ? 0 : work.operations() / work.seconds();
  }

  /** Whether time ran out before all operations were done. */
  @JsonIgnore
  public boolean isCut() {
    return work.operations() < work.planned();
  }

  /** Missing keys and wrong entries. */
  @JsonIgnore
  public long errors() {
    return checks.missing() + checks.wrong();
  }
}
