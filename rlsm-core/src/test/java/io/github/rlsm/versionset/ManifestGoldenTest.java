// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.versionset;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.io.SimulatedDirectory;
import java.io.IOException;
import java.io.InputStream;
import java.util.HexFormat;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Compares the format with the released bytes; the resources are never regenerated. */
class ManifestGoldenTest {

  private final ManifestFixture fixture = new ManifestFixture();

  @Test
  void writesTheManifestByteForByte() throws IOException {
    assertThat(HexFormat.of().formatHex(fixture.bytes)).isEqualTo(resource("manifest.hex"));
  }

  @Test
  void readsTheManifestBack() throws IOException {
    byte[] golden = HexFormat.of().parseHex(resource("manifest.hex"));
    assertThat(ManifestFixture.reader(golden).read())
        .isEqualTo(fixture.versions.get(fixture.versions.size() - 1));
  }

  @Test
  void writesAndReadsTheCurrentMarkerByteForByte() throws IOException {
    SimulatedDirectory directory = new SimulatedDirectory();
    CurrentMarker.write(directory, ManifestFixture.STORE_ID, ManifestFixture.NUMBER);
    assertThat(HexFormat.of().formatHex(directory.bytes("CURRENT")))
        .isEqualTo(resource("current.hex"));
    assertThat(CurrentMarker.read(directory).fileNumber()).isEqualTo(ManifestFixture.NUMBER);
  }

  /** Returns the hex digits of a resource, without comments and white space. */
  private static String resource(String name) throws IOException {
    String path = "/format/v1/" + name;
    try (InputStream in =
        Objects.requireNonNull(ManifestGoldenTest.class.getResourceAsStream(path), path)) {
      return new String(in.readAllBytes(), US_ASCII).replaceAll("#.*|\\s", "");
    }
  }
}
