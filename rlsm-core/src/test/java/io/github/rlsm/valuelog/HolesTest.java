// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.valuelog;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.base.ValuePointer;
import io.github.rlsm.log.RecordLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests which blocks are dead. */
class HolesTest {

  private static final int UNIT = 64;
  private static final int KEY = 10;

  private final SegmentHoles.NewHoles holes = new SegmentHoles.NewHoles(UNIT, UNIT);

  private static List<String> shown(SegmentHoles.NewHoles holes) {
    List<String> shown = new ArrayList<>();
    holes.ranges().forEach((segment, ranges) -> {
      for (long range : ranges) {
        shown.add(segment + ": " + (range >>> 32) + "-" + (int) range);
      }
    });
    return shown;
  }

  /** Adds a dead value whose record takes the given number of bytes. */
  private void add(int segment, int offset, int bytes) {
    int head = RecordLayout.HEADER + RecordLayout.KEY_LENGTH + KEY;
    holes.add(KEY, ValuePointer.of(segment, offset, false, bytes - head));
  }

  @Test
  void deadRecordGivesItsWholeBlocks() {
    add(1, 64, 64);
    add(1, 200, 200);
    add(2, 8, 120);
    add(3, 8, 119);
    add(4, 8, 64);
    assertThat(shown(holes)).containsExactly("1: 64-128", "1: 256-384", "2: 64-128");
  }

  @Test
  void holesShorterThanTheMinimumAreLeftOut() {
    SegmentHoles.NewHoles longOnes = new SegmentHoles.NewHoles(UNIT, 2 * UNIT);
    int value = 200 - RecordLayout.HEADER - RecordLayout.KEY_LENGTH - KEY;
    longOnes.add(KEY, ValuePointer.of(1, 64, false, value - 80));
    longOnes.add(KEY, ValuePointer.of(1, 640, false, value));
    assertThat(longOnes.bytes()).containsEntry(1, 192L);
    assertThat(shown(longOnes)).containsExactly("1: 640-832");
  }

  @Test
  void bytesOfHolesAreCounted() {
    add(1, 64, 64);
    add(2, 200, 200);
    add(1, 640, 128);
    assertThat(holes.bytes()).containsEntry(1, 192L).containsEntry(2, 128L).hasSize(2);
    assertThat(shown(holes)).hasSize(3);
    assertThat(holes.bytes()).containsEntry(1, 192L);
  }

  @Test
  void adjacentDeadRecordsMakeOneHole() {
    add(7, 64, 43);
    add(7, 112, 40);
    add(7, 152, 50);
    assertThat(shown(holes)).containsExactly("7: 64-192");
  }

  @Test
  void gapOfAPromiseIsJoinedButNotGapOfARecord() {
    add(7, 64, 40);
    add(7, 64 + 40 + 15, 40);
    add(8, 64, 40);
    add(8, 64 + 40 + 16, 40);
    assertThat(shown(holes)).containsExactly("7: 64-128");
  }

  @Test
  void precedingRecordIsNotJoined() {
    add(7, 128, 40);
    add(7, 88, 40);
    add(7, 128, 40);
    assertThat(shown(holes)).isEmpty();
  }

  @Test
  void deadOperationsOfBatchesMakeHoles() {
    int value = 128 - RecordLayout.OPERATION_HEAD - KEY;
    holes.add(KEY, ValuePointer.of(1, 64, true, value));
    holes.add(KEY, ValuePointer.of(1, 192 + 8, true, value));
    holes.add(KEY, ValuePointer.of(1, 400, true, 40));
    assertThat(shown(holes)).containsExactly("1: 64-320");
  }

  @Test
  void invalidPointersMakeNoHoles() {
    holes.add(KEY, new ValuePointer(1, 64, -5));
    holes.add(KEY, new ValuePointer(1, 64, Integer.MAX_VALUE));
    holes.add(KEY, new ValuePointer(1, Integer.MAX_VALUE, 500));
    assertThat(shown(holes)).isEmpty();
  }

  @Test
  void fileSystemWithoutHolesGetsNone() {
    SegmentHoles.NewHoles none = new SegmentHoles.NewHoles(0, 0);
    none.add(KEY, ValuePointer.of(1, 64, false, 1000));
    assertThat(none.ranges()).isEmpty();
    assertThat(none.bytes()).isEmpty();
  }
}
