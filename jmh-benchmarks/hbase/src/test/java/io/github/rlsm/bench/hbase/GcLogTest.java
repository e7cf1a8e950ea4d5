// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the sums of a garbage collector's log, in the format of {@code -Xlog:gc}. */
class GcLogTest {

  @TempDir
  private Path folder;

  private void log(String... lines) throws IOException {
    Files.writeString(
        folder.resolve("gc.log"),
        String.join("\n", lines) + "\n",
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }

  @Test
  void allocationIsTheGrowthBetweenPauses() throws IOException {
    GcLog log = new GcLog(folder.resolve("gc.log"));
    log(
        "[0.008s][info][gc] Using G1",
        "[1.3s][info][gc] GC(0) Pause Young (Normal) (G1 Evacuation Pause) 24M->5M(256M) 4.500ms",
        "[1.4s][info][gc] GC(1) Concurrent Mark Cycle");
    assertThat(log.take()).isEqualTo(new GcLog.Pauses(1, 4.5, 4.5, 5, 24));
    log(
        "[2.1s][info][gc] GC(1) Pause Remark 30M->8M(256M) 1.250ms",
        "[2.2s][info][gc] GC(1) Pause Cleanup 8M->8M(256M) 0.250ms",
        "[2.9s][info][gc] GC(1) Concurrent Mark Cycle 9.100ms",
        "[3.3s][info][gc] GC(2) Pause Young (Normal) (G1 Evacuation Pause) 48M->7M(256M) 3.000ms");
    assertThat(log.take()).isEqualTo(new GcLog.Pauses(3, 4.5, 3, 8, 25 + 40));
    assertThat(log.take()).isEqualTo(GcLog.Pauses.NONE);
  }
}
