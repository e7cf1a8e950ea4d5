// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.base.ValuePointer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class MultiPageValuesTest {

  private static final long SLOW = 100_000;
  private static final long FAST = 500;
  private static final int LONG = 16_000;

  private final AtomicLong clock = new AtomicLong(1);
  private final List<String> asked = new ArrayList<>();
  private final Lookup.MultiPageValues values = new Lookup.MultiPageValues(
      (segment, from, to) -> asked.add(segment + ":" + from + "-" + to), clock::get);

  private void read(int length, long nanos) {
    readAt(4_096, length, nanos);
  }

  private void readAt(int offset, int length, long nanos) {
    ValuePointer pointer = ValuePointer.of(7, offset, false, length);
    long begun = values.begin(pointer, 16);
    clock.addAndGet(nanos);
    values.end(begun);
  }

  @Test
  void fastReadsRequestNoReadAhead() {
    for (int i = 0; i < 1_000; i++) {
      read(LONG, i % 50 == 0 ? SLOW : FAST);
    }
    assertThat(asked).isEmpty();
  }

  @Test
  void slowReadsMakeLongValuesReadAhead() {
    for (int i = 0; i < 4; i++) {
      read(LONG, SLOW);
    }
    assertThat(asked).isEmpty();
    read(LONG, SLOW);
    assertThat(asked).containsExactly("7:4096-" + (4_096 + 16_040));
  }

  @Test
  void fastReadsEndReadAhead() {
    for (int i = 0; i < 100; i++) {
      read(LONG, SLOW);
    }
    for (int i = 0; i < 200; i++) {
      read(LONG, FAST);
    }
    asked.clear();
    read(LONG, FAST);
    assertThat(asked).isEmpty();
  }

  @Test
  void recordsOnOnePageAreNotReadAhead() {
    for (int i = 0; i < 100; i++) {
      read(4_096 - 40, SLOW);
    }
    assertThat(asked).isEmpty();
  }

  @Test
  void shortRecordsOnTwoPagesAreReadAhead() {
    for (int i = 0; i < 5; i++) {
      readAt(8_192 - 500, 1_000, SLOW);
    }
    assertThat(asked).containsExactly("7:7692-" + (7_692 + 1_040));
  }

  @Test
  void valuesAsLongAsAPageAreReadAhead() {
    for (int i = 0; i < 5; i++) {
      read(4_096, SLOW);
    }
    assertThat(asked).containsExactly("7:4096-" + (4_096 + 4_136));
  }
}
