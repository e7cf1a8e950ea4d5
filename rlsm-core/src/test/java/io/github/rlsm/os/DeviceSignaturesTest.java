// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.os;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.io.BlockDevice;
import io.github.rlsm.io.SimulatedDirectory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that signatures of file systems and similar data on devices are recognized. */
class DeviceSignaturesTest {

  private static final int BLOCKS = 100;

  private static SimulatedDirectory device() {
    SimulatedDirectory directory = new SimulatedDirectory();
    directory.addDevice("device", BLOCKS);
    return directory;
  }

  @ParameterizedTest
  @CsvSource({
    "ext, 1080, S\u00EF",
    "xfs, 0, XFSB",
    "btrfs, 65600, _BHRfS_M",
    "ntfs, 3, 'NTFS    '",
    "fat, 82, 'FAT32   '",
    "fat, 54, 'FAT16   '",
    "iso9660, 32769, CD001",
    "gpt, 512, EFI PART",
    "gpt, 4096, EFI PART",
    "gpt, 409088, EFI PART",
    "mbr, 510, U\u00AA",
    "lvm, 512, LABELONE",
    "luks, 0, LUKS\u00BA\u00BE",
    "raid, 4096, \u00FCN+\u00A9",
    "raid, 401408, \u00FCN+\u00A9",
    "swap, 4086, SWAPSPACE2",
    "data, 60000, x",
    "data, 5, anything",
  })
  void isFound(String name, int offset, String bytes) {
    SimulatedDirectory directory = device();
    byte[] signature = bytes.getBytes(ISO_8859_1);
    System.arraycopy(signature, 0, directory.deviceBytes("device"), offset, signature.length);
    try (BlockDevice device = directory.openDevice("device")) {
      assertThat(DeviceSignatures.of(device)).containsExactly(name);
    }
  }

  @ParameterizedTest
  @CsvSource({"1", "5", "40", "100"})
  void zerosHaveNoSignature(int blocks) {
    SimulatedDirectory directory = new SimulatedDirectory();
    directory.addDevice("device", blocks);
    try (BlockDevice device = directory.openDevice("device")) {
      assertThat(DeviceSignatures.of(device)).isEmpty();
    }
  }
}
