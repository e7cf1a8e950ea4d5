// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.gauge;

import java.time.Duration;

/**
 * Processor time spent, in seconds.
 *
 * @param own by this process
 * @param others by all other processes and by kernel threads; -1 if unknown
 */
public record CpuTime(double own, double others) {

  private static final ProcFile STAT = new ProcFile("/proc/stat");
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double TICKS_PER_SECOND = 100;
  private static final int IDLE = 3;
  private static final int IO_WAIT = 4;
  private static final int STEAL = 7;

  /** The time since the start of this process ({@code own}) and of the machine. */
  public static CpuTime now() {
    Duration spent = ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
    double own = spent.toNanos() / NANOS_PER_SECOND;
    return new CpuTime(own, STAT.exists() ? busySeconds(STAT.read()) - own : -1);
  }

  /** The time spent since an earlier measurement. */
  public CpuTime since(CpuTime earlier) {
    return new CpuTime(own - earlier.own, others < 0 ? -1 : Math.max(0, others - earlier.others));
  }

  /** The first line of {@code /proc/stat} has ticks by kind; user ticks include guest ticks. */
  static double busySeconds(String stat) {
    String[] ticks = stat.substring(0, stat.indexOf('\n')).split(" +", -1);
    double busy = 0;
    for (int kind = 0; kind <= STEAL; kind++) {
      if (kind != IDLE && kind != IO_WAIT) {
        busy += Long.parseLong(ticks[kind + 1]);
      }
    }
    return busy / TICKS_PER_SECOND;
  }
}
