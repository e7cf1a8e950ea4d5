// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.os;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * The memory that nothing uses, as the JVM reports it. In a container, the JVM subtracts the
 * container's use, page cache included, from its limit.
 *
 * <p>Threads: any.
 */
final class FreeMemory {

  /** One part in this many of the memory is not reported as free. */
  private static final int RESERVE = 32;

  private FreeMemory() {}

  /** Returns the free bytes without a reserve; 0 if they are unknown. */
  static long bytes() {
    if (ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system) {
      return Math.max(0, system.getFreeMemorySize() - system.getTotalMemorySize() / RESERVE);
    }
    return 0;
  }

  /** Returns the memory of the container or the machine; the largest number if it is unknown. */
  static long totalBytes() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
        ? system.getTotalMemorySize()
        : Long.MAX_VALUE;
  }
}
