// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.ycsb;

import static io.github.rlsm.ycsb.StandardWorkload.A;
import static io.github.rlsm.ycsb.StandardWorkload.B;
import static io.github.rlsm.ycsb.StandardWorkload.C;
import static io.github.rlsm.ycsb.StandardWorkload.D;
import static io.github.rlsm.ycsb.StandardWorkload.E;
import static io.github.rlsm.ycsb.StandardWorkload.F;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.EnumSet;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class StandardWorkloadTest {

  @Test
  void runsInOrderRecommendedByYcsb() {
    assertThat(StandardWorkload.sessions(EnumSet.allOf(StandardWorkload.class)))
        .containsExactly(List.of(A, B, C, F, D), List.of(E));
  }

  @Test
  void loadsAgainAfterWorkloadsThatInsert() {
    assertThat(StandardWorkload.sessions(List.of(E, D, A)))
        .containsExactly(List.of(A, D), List.of(E));
    assertThat(StandardWorkload.sessions(List.of(F, C))).containsExactly(List.of(C, F));
    assertThat(StandardWorkload.sessions(List.of(E))).containsExactly(List.of(E));
  }

  @ParameterizedTest
  @EnumSource
  void proportionsAddUp(StandardWorkload workload) {
    Properties properties = workload.properties();
    double sum = 0;
    for (String kind : List.of("read", "update", "insert", "scan", "readmodifywrite")) {
      sum += Double.parseDouble(properties.getProperty(kind + "proportion"));
    }
    assertThat(sum).isEqualTo(1, within(1e-9));
  }
}
