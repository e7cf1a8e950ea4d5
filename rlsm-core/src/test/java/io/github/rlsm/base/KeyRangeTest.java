// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class KeyRangeTest {

  private static final int KEYS = 6;

  @Test
  void agreesWithSetsOfKeys() {
    List<KeyRange> ranges = new ArrayList<>();
    for (int from = -1; from < KEYS; from++) {
      for (int to = -1; to < KEYS; to++) {
        ranges.add(KeyRange.of(from < 0 ? null : key(from), to < 0 ? null : key(to)));
      }
    }
    for (KeyRange a : ranges) {
      assertThat(a.isEmpty()).isEqualTo(keys(a).isEmpty() && !reachesOut(a));
      for (KeyRange b : ranges) {
        List<Integer> both = new ArrayList<>(keys(a));
        both.retainAll(keys(b));
        assertThat(keys(a.intersection(b))).isEqualTo(both);
        if (!both.isEmpty()) {
          assertThat(a.intersects(b)).isTrue();
        }
        if (a.covers(b)) {
          assertThat(keys(a)).containsAll(keys(b));
        } else {
          assertThat(b.isEmpty()).isFalse();
        }
        assertThat(a.equals(b)).isEqualTo(ranges.indexOf(a) == ranges.indexOf(b));
      }
      assertThat(a.covers(a)).isTrue();
      assertThat(KeyRange.ALL.covers(a)).isTrue();
      assertThat(KeyRange.ALL.intersection(a)).isEqualTo(a).hasSameHashCodeAs(a);
    }
  }

  @Test
  void keysAreUnsigned() {
    KeyRange range = KeyRange.of(new byte[] {0x7F}, new byte[] {(byte) 0x81});
    assertThat(range.contains(new byte[] {(byte) 0x80, 1})).isTrue();
    assertThat(range.contains(new byte[] {0, (byte) 0x7F, 0}, 1, 2)).isTrue();
    assertThat(range.contains(new byte[] {(byte) 0x81})).isFalse();
    assertThat(range).hasToString("[7f, 81)");
    assertThat(KeyRange.ALL).hasToString("[open, open)");
  }

  @Test
  void neighboursDoNotIntersect() {
    KeyRange lower = KeyRange.of(null, key(3));
    KeyRange upper = KeyRange.of(key(3), null);
    assertThat(lower.intersects(upper)).isFalse();
    assertThat(lower.contains(key(3))).isFalse();
    assertThat(upper.contains(key(3))).isTrue();
  }

  /** Returns the keys of the small set that lie in a range. */
  private static List<Integer> keys(KeyRange range) {
    List<Integer> keys = new ArrayList<>();
    for (int i = 0; i < KEYS; i++) {
      if (range.contains(key(i))) {
        keys.add(i);
      }
    }
    return keys;
  }

  /** Whether a range can contain keys below or above the small set. */
  private static boolean reachesOut(KeyRange range) {
    return range.from() == null || range.to() == null;
  }

  private static byte[] key(int i) {
    return new byte[] {(byte) (100 + 10 * i)};
  }
}
