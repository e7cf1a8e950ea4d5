// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.result;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.github.rlsm.bench.gauge.CpuTime;
import io.github.rlsm.bench.gauge.MemoryPeak;
import java.util.Map;

/**
 * The measurements of one phase. Figures that the system does not report are -1.
 *
 * @param phase name of the phase
 * @param clients threads
 * @param operations operations executed
 * @param planned operations planned; more than {@code operations} if time ran out
 * @param seconds duration
 * @param puts puts among the operations
 * @param entries values read and checked
 * @param missing keys not found although they are in the store
 * @param wrong keys or values read that were never written, or came out of order
 * @param latency latency by kind of call: get, put, scan
 * @param bytesWritten bytes the process wrote to storage
 * @param bytesRead bytes the process read from storage
 * @param diskBytes disk usage of the store at the end
 * @param diskPeakBytes peak disk usage seen during the phase
 * @param memory peak memory seen in use
 * @param cpu processor time spent during the phase
 */
public record PhaseResult(
    String phase,
    int clients,
    long operations,
    long planned,
    double seconds,
    long puts,
    long entries,
    long missing,
    long wrong,
    Map<String, Latency> latency,
    long bytesWritten,
    long bytesRead,
    long diskBytes,
    long diskPeakBytes,
    MemoryPeak memory,
    CpuTime cpu) {

  /** Copies the map. */
  public PhaseResult {
    latency = Map.copyOf(latency);
  }

  /** Operations per second; 0 for a phase without operations. */
  @JsonIgnore
  public double throughput() {
    return operations == 0 ? 0 : operations / seconds;
  }

  /** Whether time ran out before all operations were done. */
  @JsonIgnore
  public boolean isCut() {
    return operations < planned;
  }

  /** Missing keys and wrong entries. */
  @JsonIgnore
  public long errors() {
    return missing + wrong;
  }
}
