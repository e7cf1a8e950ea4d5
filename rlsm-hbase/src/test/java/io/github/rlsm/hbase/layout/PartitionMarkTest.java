// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.layout;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.base.KeyRange;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class PartitionMarkTest {

  private static final KeyRange RANGE =
      KeyRange.of("b".getBytes(US_ASCII), "dd".getBytes(US_ASCII));

  @Test
  void rangesRoundTrip() {
    byte[] row = {0, -1};
    for (KeyRange range :
        List.of(RANGE, KeyRange.ALL, KeyRange.of(null, row), KeyRange.of(row, null))) {
      assertThat(PartitionMark.decode(PartitionMark.encode(range))).contains(range);
    }
  }

  @Test
  void encodedBytesMatchTheFormat() {
    assertThat(HexFormat.of().formatHex(PartitionMark.encode(RANGE)))
        .isEqualTo("01" + "00000001" + "62" + "00000002" + "6464" + "e3e2d3b7");
    assertThat(HexFormat.of().formatHex(PartitionMark.encode(KeyRange.ALL)))
        .isEqualTo("01" + "ffffffff" + "ffffffff" + "8b9447a6");
  }

  @Test
  void damageReadsAsNoMark() {
    byte[] good = PartitionMark.encode(RANGE);
    for (int bit = 0; bit < good.length * 8; bit++) {
      byte[] bad = good.clone();
      bad[bit / 8] ^= (byte) (1 << bit % 8);
      assertThat(PartitionMark.decode(bad)).as("bit %d", bit).isEmpty();
    }
    for (int length = 0; length < good.length; length++) {
      assertThat(PartitionMark.decode(Arrays.copyOf(good, length))).isEmpty();
    }
    assertThat(PartitionMark.decode(null)).isEmpty();
  }
}
