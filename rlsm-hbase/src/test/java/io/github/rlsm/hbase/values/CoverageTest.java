// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.values;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.base.KeyRange;
import io.github.rlsm.hbase.values.KeyFileMark.Cover;
import java.util.List;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class CoverageTest {

  private static KeyRange range(String from, String to) {
    return KeyRange.of(
        from.isEmpty() ? null : Bytes.toBytes(from), to.isEmpty() ? null : Bytes.toBytes(to));
  }

  @Test
  void aSpanIsCoveredWithoutAGap() {
    KeyRange span = range("d", "k");
    assertThat(Coverage.isWhole(span, List.of())).isFalse();
    assertThat(Coverage.isWhole(span, List.of(KeyRange.ALL))).isTrue();
    assertThat(Coverage.isWhole(span, List.of(range("", "f"), range("f", "")))).isTrue();
    assertThat(Coverage.isWhole(span, List.of(range("g", "k"), range("d", "g"))))
        .isTrue();
    assertThat(Coverage.isWhole(span, List.of(range("d", "f"), range("g", "k"))))
        .isFalse();
    assertThat(Coverage.isWhole(span, List.of(range("e", "")))).isFalse();
    assertThat(Coverage.isWhole(span, List.of(range("", "j")))).isFalse();
    assertThat(Coverage.isWhole(span, List.of(range("a", "b"), range("c", "k"))))
        .isTrue();
    assertThat(Coverage.isWhole(null, List.of())).isTrue();
  }

  @Test
  void neighboursAreJoinedUnlessOneIsRetired() {
    assertThat(Coverage.joined(List.of(
            new Cover(range("f", "k"), false),
            new Cover(range("", "f"), false),
            new Cover(range("k", "m"), true),
            new Cover(range("n", ""), true))))
        .containsExactly(
            new Cover(range("", "k"), false),
            new Cover(range("k", "m"), true),
            new Cover(range("n", ""), true));
  }
}
