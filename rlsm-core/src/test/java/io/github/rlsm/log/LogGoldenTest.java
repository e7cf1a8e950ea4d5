// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.log;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.io.SimulatedDirectory;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Compares the format with the released bytes; the resources are never regenerated. */
class LogGoldenTest {

  private static final String WAL = "wal-00000001.log";
  private static final String VALUES = "val-00000001.log";

  /** A record of every kind; FORMAT.md, "Log", describes the first ones byte by byte. */
  private static LogFixture written() {
    return new LogFixture(new SimulatedDirectory())
        .put(false, "\0key", "value", LogFixture.NOTHING)
        .delete("\0key", 4)
        .put(true, "\0large", "a value in the value log", LogFixture.NOTHING)
        .voidPut(false, "\0void", "withdrawn")
        .batch(false, 15, "\0a=1", "\0b", "\0c=")
        .batch(true, LogFixture.NOTHING, "\0d=another value in the value log");
  }

  @Test
  void writesSegmentsByteForByte() throws IOException {
    LogFixture log = written();
    assertThat(hex(log, WAL, false)).isEqualTo(resource("wal-segment.hex"));
    assertThat(hex(log, VALUES, true)).isEqualTo(resource("value-segment.hex"));
  }

  @Test
  void readsSegmentsBack() throws IOException {
    LogFixture log = written();
    SimulatedDirectory directory = new SimulatedDirectory();
    directory.replace(WAL, HexFormat.of().parseHex(resource("wal-segment.hex")));
    directory.replace(VALUES, HexFormat.of().parseHex(resource("value-segment.hex")));
    assertThat(LogFixture.replay(directory).entries).isEqualTo(log.said());
  }

  private static String hex(LogFixture log, String name, boolean inValueLog) {
    byte[] bytes = log.directory.bytes(name);
    return HexFormat.of().formatHex(Arrays.copyOf(bytes, log.generation.usedBytes(inValueLog)));
  }

  /** Returns the hex digits of a resource, without comments and white space. */
  private static String resource(String name) throws IOException {
    String path = "/format/v1/" + name;
    try (InputStream in =
        Objects.requireNonNull(LogGoldenTest.class.getResourceAsStream(path), path)) {
      return new String(in.readAllBytes(), US_ASCII).replaceAll("#.*|\\s", "");
    }
  }
}
