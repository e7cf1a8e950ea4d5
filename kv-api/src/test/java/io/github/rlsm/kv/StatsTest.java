// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StatsTest {

  @Test
  void writeAmplificationIsBytesWrittenPerUserByte() {
    Stats.Writes writes = new Stats.Writes(2, 100, Map.of("log", 100L, "flush", 150L), 1, 1);
    assertThat(writes.totalBytes()).isEqualTo(250);
    assertThat(writes.amplification()).isEqualTo(2.5);
    assertThat(new Stats.Writes(0, 0, Map.of("log", 10L), 0, 0).amplification()).isZero();
  }

  @Test
  void spaceAmplificationIsDiskBytesPerLiveByte() {
    assertThat(new Stats.Space(300, 200, 50, 0).amplification()).isEqualTo(1.5);
    assertThat(new Stats.Space(300, 0, 0, 0).amplification()).isZero();
  }

  @Test
  void mapsAreCopied() {
    Map<String, Long> bytes = new HashMap<>(Map.of("log", 1L));
    Stats.Writes writes = new Stats.Writes(1, 1, bytes, 0, 0);
    bytes.put("log", 2L);
    assertThat(writes.bytesByCause()).containsEntry("log", 1L).isUnmodifiable();
  }
}
