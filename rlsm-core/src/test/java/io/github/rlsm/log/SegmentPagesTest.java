// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.log;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.io.FileHeader;
import io.github.rlsm.io.MappedFile;
import io.github.rlsm.io.StoreDirectory;
import io.github.rlsm.os.OsDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests how much a force of a part of a segment writes. If the kernel caches files in pieces larger
 * than a page, a force writes 85 KiB on average unless the segment is kept in single pages.
 */
@EnabledOnOs(OS.LINUX)
class SegmentPagesTest {

  private static final int BYTES = 32 << 20;
  private static final int STEP = 16 << 10;
  private static final int PAGE = 4096;

  @TempDir
  Path path;

  /** Returns the bytes that this process has marked as dirty so far. */
  private static long written() throws IOException {
    return Files.readAllLines(Path.of("/proc/self/io"), US_ASCII).stream()
        .filter(line -> line.startsWith("write_bytes: "))
        .mapToLong(line -> Long.parseLong(line.substring("write_bytes: ".length())))
        .sum();
  }

  private static long forceHereAndThere(MappedFile file) throws IOException {
    long before = written();
    for (int at = 0; at < BYTES; at += STEP) {
      file.memory().put(at, (byte) 1);
      file.force(at, 1);
    }
    return written() - before;
  }

  /** The first store of a log that is forced later may have come before. */
  @Test
  void adviceForLargePagesCanBeTakenBack() throws IOException {
    try (StoreDirectory directory = OsDirectory.create(path);
        MappedFile file = directory.createMapped("wal-00000001.log", BYTES)) {
      SegmentFiles.keepInPages(file);
      file.advise(MappedFile.Advice.LARGE_PAGES, 0, BYTES);
      file.advise(MappedFile.Advice.SINGLE_PAGES, 0, BYTES);
      assertThat(forceHereAndThere(file)).isLessThan(4L * (BYTES / STEP) * PAGE);
    }
  }

  @Test
  void forceWritesOnlyItsPages() throws IOException {
    try (StoreDirectory directory = OsDirectory.create(path)) {
      SegmentPool pool =
          new SegmentPool(directory, FileHeader.Kind.WRITE_AHEAD_LOG, BYTES, BYTES, 1);
      try (MappedFile file = pool.create(1, BYTES)) {
        assertThat(forceHereAndThere(file)).isLessThan(4L * (BYTES / STEP) * PAGE);
      }
    }
  }
}
