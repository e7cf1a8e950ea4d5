// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.os;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.github.rlsm.io.BlockDevice;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Detects the content of a device by the signatures of file systems, partition tables and volume
 * managers.
 */
public final class DeviceSignatures {

  /** The name for unknown content that is not all zeros. */
  public static final String DATA = "data";

  /** A log device of a store. */
  public static final String LOG_DEVICE = "rlsm";

  private static final int HEAD_BLOCKS = 17;
  private static final int TAIL_BLOCKS = 33;

  /** A signature: bytes at an offset from the beginning. */
  private record Signature(String name, int offset, String bytes) {}

  private static final List<Signature> KNOWN = List.of(
      new Signature(LOG_DEVICE, 0, "RLSM\r\n\032\n"),
      new Signature("ext", 0x438, "S\u00EF"),
      new Signature("xfs", 0, "XFSB"),
      new Signature("btrfs", 0x10040, "_BHRfS_M"),
      new Signature("f2fs", 0x400, "\u0010 \u00F5\u00F2"),
      new Signature("ntfs", 3, "NTFS    "),
      new Signature("exfat", 3, "EXFAT   "),
      new Signature("fat", 82, "FAT32   "),
      new Signature("fat", 54, "FAT1"),
      new Signature("iso9660", 0x8001, "CD001"),
      new Signature("squashfs", 0, "hsqs"),
      new Signature("bcache", 0x1018, "\u00C6\u0085s\u00F6"),
      new Signature("gpt", 512, "EFI PART"),
      new Signature("gpt", 4096, "EFI PART"),
      new Signature("mbr", 510, "U\u00AA"),
      new Signature("lvm", 512, "LABELONE"),
      new Signature("lvm", 0, "LABELONE"),
      new Signature("lvm", 1024, "LABELONE"),
      new Signature("lvm", 1536, "LABELONE"),
      new Signature("luks", 0, "LUKS\u00BA\u00BE"),
      new Signature("raid", 0, "\u00FCN+\u00A9"),
      new Signature("raid", 4096, "\u00FCN+\u00A9"),
      new Signature("swap", 4086, "SWAPSPACE2"),
      new Signature("swap", 4086, "SWAP-SPACE"));

  private static final String RAID = "\u00FCN+\u00A9";

  private DeviceSignatures() {}

  /**
   * Returns the names of all contents found at the device's beginning and end. Empty if there is no
   * signature and the beginning is all zeros.
   */
  public static Set<String> of(BlockDevice device) {
    Set<String> found = new TreeSet<>();
    ByteBuffer head = BlockDevice.buffer((int) Math.min(HEAD_BLOCKS, device.blocks()));
    device.read(0, head);
    for (Signature each : KNOWN) {
      if (isAt(head, each.offset, each.bytes)) {
        found.add(each.name);
      }
    }
    ByteBuffer tail = BlockDevice.buffer((int) Math.min(TAIL_BLOCKS, device.blocks()));
    device.read(device.blocks() - tail.capacity() / BlockDevice.BLOCK_BYTES, tail);
    // RAID of versions 0.90 and 1.0, and the backup copy of a GPT partition table.
    for (int at = 0; at < tail.capacity(); at += 512) {
      if (isAt(tail, at, RAID)) {
        found.add("raid");
      } else if (isAt(tail, at, "EFI PART")) {
        found.add("gpt");
      }
    }
    if (found.isEmpty() && !isZero(head)) {
      found.add(DATA);
    }
    return found;
  }

  private static boolean isAt(ByteBuffer bytes, int offset, String signature) {
    byte[] wanted = signature.getBytes(ISO_8859_1);
    return offset + wanted.length <= bytes.capacity()
        && bytes.slice(offset, wanted.length).equals(ByteBuffer.wrap(wanted));
  }

  private static boolean isZero(ByteBuffer bytes) {
    for (int i = 0; i < bytes.capacity(); i += Long.BYTES) {
      if (bytes.getLong(i) != 0) {
        return false;
      }
    }
    return true;
  }
}
