// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.os;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the files that this process has mapped, and limits their number.
 *
 * <p>Linux limits the mappings of a process ({@code vm.max_map_count}, 65,530 by default). A
 * process at the limit cannot map memory for its heap either, and dies. Advice for a part of a file
 * splits its mapping, so a table takes two. The JVM itself, its threads and other libraries take
 * some thousands. So files may use three eighths of the limit.
 *
 * <p>Threads: any.
 */
final class MappingLimit {

  private static final String FILE = "/proc/sys/vm/max_map_count";
  private static final int TEXT_BYTES_MAX = 64;
  private static final long MAX = max();
  private static final AtomicLong MAPPED = new AtomicLong();

  private MappingLimit() {}

  private static long max() {
    // Reads the file once: the kernel returns end of file for a second read at a later offset.
    try (InputStream in = new FileInputStream(FILE)) {
      String text = new String(in.readNBytes(TEXT_BYTES_MAX), US_ASCII);
      return Long.parseLong(text.trim()) * 3 / 8;
    } catch (IOException | NumberFormatException e) {
      return Long.MAX_VALUE; // another system
    }
  }

  /** The most files that should be mapped. */
  static long filesMax() {
    return MAX;
  }

  /** How many more files should be mapped; negative if too many are mapped. */
  static long left() {
    return MAX - MAPPED.get();
  }

  /** Counts a file that was mapped. */
  static void mapped() {
    MAPPED.incrementAndGet();
  }

  /** Counts a file that was unmapped. */
  static void unmapped() {
    MAPPED.decrementAndGet();
  }
}
