// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.base;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class KeyBoundsTest {

  private static KeyBounds bounds(int smallest, int largest) {
    return new KeyBounds(new byte[] {0, (byte) smallest}, new byte[] {0, (byte) largest});
  }

  @Test
  void equalityComparesTheBytesOfTheKeys() {
    assertThat(bounds(1, 2)).isEqualTo(bounds(1, 2)).hasSameHashCodeAs(bounds(1, 2));
    assertThat(bounds(1, 2)).isNotEqualTo(bounds(1, 3)).isNotEqualTo(bounds(0, 2));
  }

  @Test
  void textHasTheKeysInHexadecimal() {
    assertThat(bounds(1, 255)).hasToString("0001 to 00ff");
    assertThat(new SeqnoRange(7, 50)).hasToString("7 to 50");
  }
}
