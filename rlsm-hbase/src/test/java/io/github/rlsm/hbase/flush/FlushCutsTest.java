// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.flush;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class FlushCutsTest {

  private static final byte[] B = {'b'};
  private static final byte[] C = {'c'};
  private static final byte[] D = {'d'};

  @Test
  void partitionsWithEnoughGetFilesOfTheirOwn() {
    assertThat(choose(10, 10, 10, 10)).containsExactly(B, C, D);
    assertThat(choose(1, 1, 10, 1)).containsExactly(C, D);
    assertThat(choose(10, 1, 1, 1)).containsExactly(B);
  }

  @Test
  void neighboursThatGetLittleStayTogether() {
    assertThat(choose(9, 9, 9, 9)).isEmpty();
  }

  @Test
  void noFileIsBegunForEmptyPartitions() {
    assertThat(FlushCuts.choose(new long[] {0, 0, 0, 0}, List.of(B, C, D), 0)).isEmpty();
    assertThat(FlushCuts.choose(new long[] {7}, List.of(), 0)).isEmpty();
  }

  private static List<byte[]> choose(long... bytes) {
    return FlushCuts.choose(bytes, List.of(B, C, D), 10);
  }
}
