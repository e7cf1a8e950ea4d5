// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.write;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BlockBytesTest {

  private static final int KIB = 1 << 10;

  private final BlockBytes usual = new BlockBytes(64 * KIB);

  @Test
  void blocksFollowTheShareInPowersOfTwoDownTo8KiB() {
    assertThat(usual.ofShare(1)).isEqualTo(64 * KIB);
    assertThat(usual.ofShare(0.51)).isEqualTo(64 * KIB);
    assertThat(usual.ofShare(0.5)).isEqualTo(32 * KIB);
    assertThat(usual.ofShare(0.2)).isEqualTo(16 * KIB);
    assertThat(usual.ofShare(0.01)).isEqualTo(8 * KIB);
    assertThat(usual.ofShare(0)).isEqualTo(8 * KIB);
  }

  @Test
  void smallBlocksOfFamilyStay() {
    BlockBytes small = new BlockBytes(4 * KIB);
    assertThat(small.ofShare(0)).isEqualTo(4 * KIB);
    assertThat(small.values()).isEqualTo(4 * KIB);
    assertThat(small.mergedValues()).isEqualTo(4 * KIB);
    assertThat(small.keys()).isEqualTo(4 * KIB);
    assertThat(new BlockBytes(12_000).ofShare(0))
        .as("a half would be too small")
        .isEqualTo(12_000);
  }

  @Test
  void separatedValuesHave8KiBAndKeysAnEighth() {
    assertThat(usual.values()).isEqualTo(8 * KIB);
    assertThat(usual.mergedValues()).isEqualTo(16 * KIB);
    assertThat(usual.keys()).isEqualTo(8 * KIB);
    assertThat(new BlockBytes(16 * KIB).keys()).isEqualTo(4 * KIB);
  }
}
