// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.values;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.base.KeyRange;
import io.github.rlsm.hbase.layout.StoredMark;
import io.github.rlsm.hbase.values.MergedSources.Former;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class MergedSourcesTest {

  private static final MergedSources FILES = new MergedSources(List.of(
      new Former("a1", KeyRange.of(new byte[] {1}, new byte[] {2, 3})),
      new Former("b2", null),
      new Former("", KeyRange.ALL)));

  /** A change of these bytes is a change of the format: raise its version and update FORMAT.md. */
  @Test
  void encodedBytesMatchVersionOne() {
    assertThat(HexFormat.of().formatHex(FILES.encode()))
        .isEqualTo("01" + "00000003"
            + "00026131" + "01" + "0000000101" + "000000020203"
            + "00026232" + "00"
            + "0000" + "01" + "ffffffff" + "ffffffff"
            + "41b130e9");
  }

  @Test
  void filesRoundTrip() {
    MergedSources read = MergedSources.decode(FILES.encode()).orElseThrow();
    assertThat(HexFormat.of().formatHex(read.encode()))
        .isEqualTo(HexFormat.of().formatHex(FILES.encode()));
    assertThat(read.files().get(1).rows()).isNull();
  }

  @Test
  void filesWithoutRowsDoNotCount() {
    MergedSources none = new MergedSources(List.of(new Former("b2", null)));
    assertThat(MergedSources.decode(none.encode())).isEmpty();
    assertThat(MergedSources.decode(new MergedSources(List.of()).encode())).isEmpty();
  }

  @Test
  void damagedBytesCountAsAbsent() {
    byte[] good = FILES.encode();
    assertThat(MergedSources.decode(null)).isEmpty();
    for (int length = 0; length < good.length; length++) {
      assertThat(MergedSources.decode(Arrays.copyOf(good, length))).isEmpty();
    }
    for (int bit = 0; bit < good.length * 8; bit++) {
      byte[] bad = good.clone();
      bad[bit / 8] ^= (byte) (1 << bit % 8);
      assertThat(MergedSources.decode(bad)).as("bit %d", bit).isEmpty();
    }
  }

  /** Forged bytes have a correct checksum and wrong lengths or counts. */
  @Test
  void forgedBytesDoNoHarm() {
    byte[] good = FILES.encode();
    for (int at = 1; at < good.length - 4; at++) {
      for (int value : new int[] {0, 1, 2, 0x7f, 0x80, 0xff}) {
        byte[] bad = good.clone();
        bad[at] = (byte) value;
        StoredMark.end(ByteBuffer.wrap(bad).position(bad.length - 4));
        MergedSources.decode(bad)
            .ifPresent(files -> assertThat(files.files()).hasSizeBetween(0, 3));
      }
    }
  }
}
