// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.gauge;

import java.time.Duration;

/**
 * Processor time spent, in seconds.
 *
 * @param own by this process
 * @param others by everything else on the machine, the kernel's own threads included; -1 if unknown
 */
public record CpuTime(double own, double others) {

  private static final ProcFile STAT = new ProcFile("/proc/stat");
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double TICKS_PER_SECOND = 100;
  private static final int IDLE = 3;
  private static final int IO_WAIT = 4;
  private static final int STEAL = 7;

  /** Since this process, and the machine, were started. */
  public static CpuTime now() {
    Duration spent = ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
    double own = spent.toNanos() / NANOS_PER_SECOND;
    return new CpuTime(own, STAT.exists() ? busySeconds(STAT.read()) - own : -1);
  }

  /** What was spent since an earlier moment. */
  public CpuTime since(CpuTime earlier) {
    return new CpuTime(own - earlier.own, others < 0 ? -1 : Math.max(0, others - earlier.others));
  }

  /**
   * The first line of {@code /proc/stat} holds ticks by kind; guests' are in the users' already.
   */
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
