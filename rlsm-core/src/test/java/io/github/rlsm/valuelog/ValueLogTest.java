// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.valuelog;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.io.StoreFileName;
import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ValueLogTest {

  private static final int SEGMENT = 7;
  private static final String NAME = StoreFileName.valueLog(SEGMENT);
  private static final int UNIT = 4096;

  private final SimulatedDirectory directory = new SimulatedDirectory();

  /** Actions to run at the next readings of the clock, which happen while a hole is punched. */
  private final Deque<Runnable> between = new ArrayDeque<>();

  private final ValueLog log = new ValueLog(directory, 1, this::nanos, () -> {});

  private long nanos() {
    Runnable next = between.poll();
    if (next != null) {
      next.run();
    }
    return 0;
  }

  @BeforeEach
  void makeSegment() {
    directory.holeBytes(UNIT);
    directory.createMapped(NAME, 100 * UNIT).close();
  }

  private static long[] hole(int unit) {
    return new long[] {(((long) unit * UNIT) << Integer.SIZE) | ((long) (unit + 1) * UNIT)};
  }

  @Test
  void aSegmentIsNotDeletedWhileAHoleIsPunchedInIt() {
    between.add(() -> {
      log.free(SEGMENT);
      assertThat(directory.exists(NAME)).isTrue();
    });
    log.punch(SEGMENT, hole(1));
    assertThat(between).isEmpty();
    assertThat(directory.exists(NAME)).isFalse();
  }

  @Test
  void holesOfOneSegmentArePunchedOneCallAtATime() {
    between.add(() -> {
      log.punch(SEGMENT, hole(3));
      assertThat(directory.usedBytes(NAME)).isEqualTo(100 * UNIT);
    });
    log.punch(SEGMENT, hole(1));
    assertThat(between).isEmpty();
    assertThat(directory.usedBytes(NAME)).isEqualTo(98 * UNIT);
    log.free(SEGMENT);
    assertThat(directory.exists(NAME)).isFalse();
  }
}
