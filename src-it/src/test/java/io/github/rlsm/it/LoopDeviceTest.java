// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.it;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.rlsm.LogDevice;
import io.github.rlsm.Rlsm;
import io.github.rlsm.RlsmOptions;
import io.github.rlsm.kv.Durability;
import io.github.rlsm.kv.FormatVersionException;
import io.github.rlsm.kv.KvStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the direct log on a real block device, with sectors of both sizes. */
class LoopDeviceTest {

  /** Each entry takes a block of 4 KiB, so they wrap the ring of 512 KiB several times. */
  private static final int ENTRIES = 400;

  @TempDir
  Path temporary;

  private static byte[] bytes(int number) {
    return String.valueOf(number).getBytes(US_ASCII);
  }

  @ParameterizedTest
  @ValueSource(ints = {512, 4096})
  void writesLogToDevice(int sectorBytes) throws Exception {
    try (LoopDevice loop =
        LoopDevice.overNew(temporary.resolve("backing"), 512 << 10, sectorBytes)) {
      LogDevice.at(loop.path()).init(0);
      Path store = temporary.resolve("store");
      RlsmOptions options = RlsmOptions.builder().directLog(loop.path()).build();
      try (KvStore open = Rlsm.open(store, options)) {
        for (int i = 0; i < ENTRIES; i++) {
          open.put(bytes(i), bytes(-i), Durability.SYNC);
        }
        assertThat(open.stats().writes().bytesByCause().get("log device"))
            .isGreaterThanOrEqualTo(4096L * ENTRIES);
      }
      assertThat(LogDevice.at(loop.path()).status().inUse()).isFalse();
      try (KvStore again = Rlsm.open(store, options)) {
        for (int i = 0; i < ENTRIES; i++) {
          assertThat(again.get(bytes(i))).isEqualTo(bytes(-i));
        }
      }
    }
  }

  @Test
  void refusesMountedOrFormattedDevice() throws Exception {
    try (LoopDevice loop = LoopDevice.overNew(temporary.resolve("backing"), 8 << 20, 512)) {
      Machine.needsProgram("mkfs.ext4");
      Machine.needsProgram("mount");
      Machine.run("mkfs.ext4", "-q", loop.path().toString());
      LogDevice device = LogDevice.at(loop.path());
      assertThatExceptionOfType(FormatVersionException.class)
          .isThrownBy(() -> device.init(0))
          .withMessageContaining("it carries ext");
      Path mount = Files.createDirectories(temporary.resolve("mounted"));
      Machine.run("mount", loop.path().toString(), mount.toString());
      try {
        assertThatExceptionOfType(FormatVersionException.class)
            .isThrownBy(() -> device.init(0, Set.of("ext")))
            .withMessageContaining("mounted at " + mount);
      } finally {
        Machine.run("umount", mount.toString());
      }
      device.init(0, Set.of("ext"));
      assertThat(device.status().storeId()).isEmpty();
    }
  }
}
