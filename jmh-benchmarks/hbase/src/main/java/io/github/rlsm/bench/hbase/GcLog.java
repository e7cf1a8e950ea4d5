// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.hbase;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the output of {@code -Xlog:gc}, each time from the end of the previous read.
 *
 * <p>Threads: one.
 */
final class GcLog {

  private static final Pattern PAUSE =
      Pattern.compile("Pause .* (\\d+)M->(\\d+)M\\(\\d+M\\) ([\\d.]+)ms");

  private final Path file;
  private long read;
  private long heapMebibytes;

  /**
   * The pauses of a period.
   *
   * @param count the number of pauses
   * @param millis their total
   * @param maxMillis the longest pause
   * @param heapMebibytes the largest heap after a pause
   * @param allocatedMebibytes the growth of the heap between pauses, from the last pause before the
   *     period to its last one; 0 in results without it
   */
  public record Pauses(
      long count, double millis, double maxMillis, long heapMebibytes, long allocatedMebibytes) {

    static final Pauses NONE = new Pauses(0, 0, 0, 0, 0);

    private Pauses plus(double pause, long heap, long allocated) {
      return new Pauses(
          count + 1,
          millis + pause,
          Math.max(maxMillis, pause),
          Math.max(heapMebibytes, heap),
          allocatedMebibytes + allocated);
    }
  }

  GcLog(Path file) {
    this.file = file;
  }

  /** The pauses since the last call. */
  Pauses take() throws IOException {
    Pauses pauses = Pauses.NONE;
    long number = 0;
    for (String line : Files.readAllLines(file)) {
      Matcher pause = PAUSE.matcher(line);
      if (number++ >= read && pause.find()) {
        long after = Long.parseLong(pause.group(2));
        long grown = Long.parseLong(pause.group(1)) - heapMebibytes;
        pauses = pauses.plus(Double.parseDouble(pause.group(3)), after, Math.max(0, grown));
        heapMebibytes = after;
      }
    }
    read = number;
    return pauses;
  }
}
