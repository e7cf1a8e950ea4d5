// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.values;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ValueSpaceTest {

  @Test
  void deadValuesAreComparedWithTheirShareOfLiveValuesAndWithKeys() {
    assertThat(new ValueSpace(300, 200, 0).excess(100)).isEqualTo(0.5);
    assertThat(new ValueSpace(300, 200, 0).excess(50)).isEqualTo(1);
    assertThat(new ValueSpace(300, 200, 100).excess(50)).isEqualTo(0.5);
    assertThat(new ValueSpace(300, 0, 0).excess(100)).as("no live value").isEqualTo(300);
  }

  @Test
  void withoutDeadValuesNothingIsExceeded() {
    assertThat(ValueSpace.NONE.excess(100)).isZero();
    assertThat(new ValueSpace(300, 300, 10).excess(10)).isZero();
  }

  /** A value file that does not record its bytes counts with its size. */
  @Test
  void moreLiveThanKnownBytesAreNoDeadBytes() {
    assertThat(new ValueSpace(100, 120, 0).dead()).isZero();
  }
}
