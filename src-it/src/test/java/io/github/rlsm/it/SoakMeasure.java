// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.it;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.github.rlsm.kv.KvStore;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** A resource that a process may leak. */
enum SoakMeasure {
  /** Bytes of the heap in use after a garbage collection. */
  HEAP(4 << 20),
  /** Bytes of resident memory that belong to no file. */
  RESIDENT(24 << 20),
  /** Bytes of direct buffers. */
  DIRECT(1 << 20),
  /** Memory mappings of any kind. */
  MAPPINGS(40),
  /** Open file descriptors. */
  DESCRIPTORS(8),
  THREADS(3),
  /** Bytes of disk space that the store uses. */
  SPACE(16 << 20);

  /** Random variation of a measure over a whole run. */
  private final long slack;

  SoakMeasure(long slack) {
    this.slack = slack;
  }

  /**
   * The allowed growth of a measure over the counted part of a run: its slack, or a tenth.
   *
   * @param median median of the samples
   */
  double growthMax(double median) {
    return Math.max((double) slack, median / 10);
  }

  /** Measures this process now. */
  long take(KvStore store) throws IOException {
    return switch (this) {
      case HEAP -> ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
      case RESIDENT -> status("RssAnon:") << 10;
      case DIRECT ->
        ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
            .filter(pool -> pool.getName().equals("direct"))
            .mapToLong(BufferPoolMXBean::getMemoryUsed)
            .sum();
      case MAPPINGS -> Files.readAllLines(Path.of("/proc/self/maps")).size();
      case DESCRIPTORS -> {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
          yield open.count();
        }
      }
      case THREADS -> status("Threads:");
      case SPACE -> store.stats().space().diskBytes();
    };
  }

  private static long status(String field) throws IOException {
    return Files.readAllLines(Path.of("/proc/self/status"), US_ASCII).stream()
        .filter(line -> line.startsWith(field))
        .map(line -> line.replaceAll("[^0-9]", ""))
        .mapToLong(Long::parseLong)
        .findFirst()
        .orElseThrow();
  }
}
