// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.os;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests devices that are mounted, held or used for swap, and their partitions, as Linux reports
 * them.
 */
class DeviceUseTest {

  private static final String MOUNT =
      "22 27 8:1 / /mnt/some\\040where rw,relatime shared:1 - ext4 /dev/sda1 rw\n";

  @TempDir
  Path temporary;

  private DeviceUse use = new DeviceUse();

  @BeforeEach
  void make() throws IOException {
    use = new DeviceUse(
        temporary.resolve("proc"), temporary.resolve("sys"), temporary.resolve("by-id"));
    write("proc/self/mountinfo", MOUNT);
    write("proc/swaps", "Filename Type Size Used Priority\n");
    write("sys/dev/block/8:0/dev", "8:0\n");
    write("sys/dev/block/8:0/sda1/dev", "8:1\n");
    write("sys/dev/block/8:0/sda1/partition", "1\n");
    write("sys/dev/block/8:16/dev", "8:16\n");
    Files.createDirectories(temporary.resolve("sys/dev/block/8:16/holders"));
  }

  private Path write(String path, String text) throws IOException {
    Path file = temporary.resolve(path);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, text, UTF_8);
  }

  @Test
  void reportsTheUserOfADevice() throws IOException {
    Path device = write("sdb", "");
    assertThat(use.of(device, "8:1")).get().asString().startsWith("mounted at /mnt/some");
    assertThat(use.of(device, "8:0"))
        .get()
        .asString()
        .startsWith("its partition sda1 is mounted at");
    assertThat(use.of(device, "8:16")).isEmpty();
    assertThat(use.of(device, "8:32")).isEmpty();
    write("sys/dev/block/8:16/holders/dm-0", "");
    assertThat(use.of(device, "8:16")).contains("held by dm-0");
    write("proc/swaps", "Filename Type\n" + device.toRealPath() + " partition 1 0 -2\n");
    assertThat(use.of(device, "8:32")).contains("used for swapping");
  }

  @Test
  void aFileIsNoDevice() throws IOException {
    Path file = write("file", "");
    assertThat(DeviceUse.isBlockDevice(file)).isFalse();
    assertThat(use.stableName(file)).isEqualTo(file);
  }
}
