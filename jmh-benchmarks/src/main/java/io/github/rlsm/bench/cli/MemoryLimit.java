// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.cli;

import io.github.rlsm.bench.gauge.MemoryCgroup;
import java.io.IOException;
import java.nio.file.FileSystemException;

/**
 * Whether processes run in memory control groups.
 *
 * @param enforced whether the limit includes the page cache
 * @param description a description for reports
 */
public record MemoryLimit(boolean enforced, String description) {

  /** The limit that this system allows; none if the user wants none. */
  public static MemoryLimit find(boolean unwanted, long bytes) {
    String failure = unwanted ? "--no-limit" : failure(bytes);
    return failure.isEmpty()
        ? new MemoryLimit(true, "memory control group")
        : new MemoryLimit(
            false, "**page cache not limited** (" + failure + "), only heap and direct memory");
  }

  /** The reason why memory control groups are not available; empty if they are available. */
  private static String failure(long bytes) {
    try {
      MemoryCgroup.create("trial", bytes).removeUnused();
      return "";
    } catch (FileSystemException e) {
      // No path in the message: a reader of the report cannot use it.
      return e.getClass().getSimpleName();
    } catch (IOException e) {
      return e.toString();
    }
  }
}
