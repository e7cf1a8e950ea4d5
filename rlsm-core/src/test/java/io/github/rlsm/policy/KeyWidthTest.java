// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rlsm.base.KeyRange;
import io.github.rlsm.base.SeededRuns;
import io.github.rlsm.policy.VictimPicker.KeyWidth;
import io.github.rlsm.policy.VictimPicker.KeyWidth.Density;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class KeyWidthTest {

  @Test
  void integersOfOneLengthKeepTheirProportions() {
    KeyRange seven = IntKeys.span(10, 17);
    KeyRange eleven = IntKeys.span(4, 15);
    KeyWidth width = KeyWidth.over(List.of(seven, eleven));

    BigInteger unit = width.of(IntKeys.span(10, 11));
    assertThat(width.of(seven)).isEqualTo(unit.multiply(BigInteger.valueOf(7)));
    assertThat(width.of(eleven)).isEqualTo(unit.multiply(BigInteger.valueOf(11)));
  }

  @Test
  void commonPrefixDoesNotChangeTheWidth() {
    KeyRange near = span("tenant-0042/orders/a", "tenant-0042/orders/b");
    KeyRange far = span("tenant-0042/orders/a", "tenant-0042/orders/e");
    KeyWidth width = KeyWidth.over(List.of(near, far));

    assertThat(width.of(far)).isEqualTo(width.of(near).multiply(BigInteger.valueOf(4)));
  }

  @Test
  void oneKeyHasTheSmallestWidth() {
    assertThat(KeyWidth.over(List.of(span("k", "k"))).of(span("k", "k"))).isEqualTo(BigInteger.ONE);
    assertThat(KeyWidth.over(List.of(span("", ""))).of(span("", ""))).isEqualTo(BigInteger.ONE);
  }

  @Test
  void aKeyAndItsPrefixLieCloseButApart() {
    KeyRange prefixes = span("a", "ab");
    KeyRange letters = span("a", "b");
    KeyWidth width = KeyWidth.over(List.of(prefixes, letters));

    assertThat(width.of(prefixes)).isGreaterThan(BigInteger.ONE).isLessThan(width.of(letters));
    assertThat(width.of(RunShape.span(new byte[] {'a'}, new byte[] {'a', 0})))
        .as("an appended zero byte does not move a key")
        .isEqualTo(BigInteger.ONE);
  }

  @Test
  void smallestAndLargestKeysDoNotOverflow() {
    byte[] longest = new byte[65_535];
    Arrays.fill(longest, (byte) 0xFF);
    KeyRange all = RunShape.span(new byte[0], longest);
    BigInteger width = KeyWidth.over(List.of(all)).of(all);

    assertThat(width).isEqualTo(BigInteger.ONE.shiftLeft(256).subtract(BigInteger.ONE));
    assertThat(new Density(Long.MAX_VALUE, BigInteger.ONE))
        .isGreaterThan(new Density(Long.MAX_VALUE, width));
  }

  @Test
  void rangesOutsideOfTheScaleAreRefused() {
    KeyWidth width = KeyWidth.over(List.of(span("ab", "ac")));
    assertThatThrownBy(() -> width.of(span("ab", "b")))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> KeyWidth.over(List.of(KeyRange.ALL)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void rangeIsAtLeastAsWideAsItsPart() {
    SeededRuns.run(2_000, random -> {
      byte[][] keys = new byte[4][];
      byte[] shared = key(random, 5);
      for (int i = 0; i < keys.length; i++) {
        byte[] rest = key(random, 40);
        keys[i] = Arrays.copyOf(shared, shared.length + rest.length);
        System.arraycopy(rest, 0, keys[i], shared.length, rest.length);
      }
      Arrays.sort(keys, Arrays::compareUnsigned);
      KeyRange outer = RunShape.span(keys[0], keys[3]);
      KeyRange inner = RunShape.span(keys[1], keys[2]);
      KeyWidth width = KeyWidth.over(List.of(outer, inner));

      assertThat(width.of(outer)).isGreaterThanOrEqualTo(width.of(inner));
      assertThat(width.of(inner)).isPositive();
    });
  }

  /**
   * Returns keys of few distinct bytes, so that keys are often equal, or prefixes of each other.
   */
  private static byte[] key(Random random, int lengthMax) {
    byte[] key = new byte[random.nextInt(lengthMax + 1)];
    for (int i = 0; i < key.length; i++) {
      key[i] = (byte) (random.nextInt(3) * 127);
    }
    return key;
  }

  private static KeyRange span(String smallest, String largest) {
    return RunShape.span(smallest.getBytes(UTF_8), largest.getBytes(UTF_8));
  }
}
