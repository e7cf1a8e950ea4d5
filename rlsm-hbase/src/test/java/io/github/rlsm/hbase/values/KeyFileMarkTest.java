// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.values;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.base.KeyRange;
import io.github.rlsm.hbase.values.KeyFileMark.Cover;
import io.github.rlsm.hbase.values.KeyFileMark.ValueFile;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

class KeyFileMarkTest {

  private static final KeyFileMark MARK = new KeyFileMark(
      1_024,
      List.of(
          new ValueFile(
              "ab",
              5,
              List.of(
                  new Cover(KeyRange.of(null, new byte[] {7}), false),
                  new Cover(KeyRange.of(new byte[] {8}, new byte[] {9, 10}), true))),
          new ValueFile("c", 0, List.of(new Cover(KeyRange.ALL, false)))));

  private static final String BYTES = "02" + "00000400" + "00000002"
      + "0002" + "6162" + "0000000000000005" + "00000002"
      + "00" + "ffffffff" + "00000001" + "07"
      + "01" + "00000001" + "08" + "00000002" + "090a"
      + "0001" + "63" + "0000000000000000" + "00000001"
      + "00" + "ffffffff" + "ffffffff"
      + "003035c8";

  @Test
  void encodedBytesMatchTheFormat() {
    assertThat(HexFormat.of().formatHex(MARK.encode())).isEqualTo(BYTES);
    assertThat(KeyFileMark.decode(MARK.encode())).contains(MARK);
    assertThat(MARK.bytes()).isEqualTo(5);
  }

  @Test
  void damagedBytesAreRejected() {
    byte[] good = MARK.encode();
    for (int bit = 0; bit < good.length * 8; bit++) {
      byte[] bad = good.clone();
      bad[bit / 8] ^= (byte) (1 << bit % 8);
      assertThat(KeyFileMark.decode(bad)).as("bit %d", bit).isEmpty();
    }
    for (int length = 0; length < good.length; length++) {
      assertThat(KeyFileMark.decode(Arrays.copyOf(good, length))).isEmpty();
    }
    assertThat(KeyFileMark.decode(null)).isEmpty();
  }

  /** Forged bytes have a correct checksum. */
  @Test
  void forgedBytesDoNoHarm() {
    long seed = Long.getLong("rlsm.seed", System.nanoTime());
    Random random = new Random(seed);
    byte[] good = MARK.encode();
    for (int i = 0; i < 20_000; i++) {
      byte[] bad = good.clone();
      for (int changes = random.nextInt(3); changes >= 0; changes--) {
        bad[1 + random.nextInt(bad.length - 5)] =
            (byte) (random.nextBoolean() ? random.nextInt() : random.nextInt(2) - 1);
      }
      CRC32C crc = new CRC32C();
      crc.update(bad, 0, bad.length - 4);
      ByteBuffer.wrap(bad).putInt(bad.length - 4, (int) crc.getValue());
      KeyFileMark.decode(bad)
          .ifPresent(mark ->
              assertThat(mark.files()).as("seed %d", seed).allMatch(file -> file.bytes() >= 0));
    }
  }
}
