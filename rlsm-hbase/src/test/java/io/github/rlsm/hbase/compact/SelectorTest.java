// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.compact;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.base.KeyRange;
import io.github.rlsm.hbase.compact.Selection.Reason;
import io.github.rlsm.hbase.layout.FileShape;
import io.github.rlsm.hbase.layout.FileShape.Hints;
import io.github.rlsm.hbase.layout.Layout;
import io.github.rlsm.hbase.layout.RowHint;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SelectorTest {

  private static final int BYTES_MAX = 1_000;
  private static final Thresholds THRESHOLDS = new Thresholds(BYTES_MAX, 3, 4, 10, Long.MAX_VALUE);

  @Test
  void aPartitionThatIsTooLargeIsCutIntoQuarters() {
    Layout<String> layout = layout(List.of(
        file("left", "a", "m", 800, "a", "m"),
        file("right", "m", "z", 700, "m", "z"),
        file("newer", "n", "p", 500, null, null)));
    Selection<String> found = minor(layout, Set.of()).orElseThrow();
    assertThat(found.reason()).isEqualTo(Reason.DIVIDE);
    assertThat(found.files()).containsExactly("right", "newer");
    assertThat(found.cuts().bytes()).isBetween(200L, 300L);
  }

  @Test
  void nothingIsDueForPartitionsOfTheRightSize() {
    Layout<String> layout = layout(
        List.of(file("left", "a", "m", 800, "a", "m"), file("right", "m", "z", 900, "m", "z")));
    assertThat(minor(layout, Set.of())).isEmpty();
  }

  @Test
  void wideFilesAreAppendedWithoutTheRunsBelow() {
    Layout<String> layout = layout(List.of(
        file("left", "a", "m", 800, "a", "m"),
        file("right", "m", "z", 900, "m", "z"),
        file("1", "b", "x", 10, null, null),
        file("2", "c", "y", 10, null, null),
        file("3", "d", "y", 10, null, null)));
    Selection<String> found = minor(layout, Set.of()).orElseThrow();
    assertThat(found.reason()).isEqualTo(Reason.APPEND);
    assertThat(found.files()).containsExactly("1", "2", "3");
    assertThat(found.cuts().bounds()).hasSize(3);
    assertThat(minor(layout, Set.of("2"))).as("while one of them is busy").isEmpty();
  }

  @Test
  void wideFilesThatPileUpGoBeforeAPartitionThatIsTooLarge() {
    List<FileShape<String>> files = new ArrayList<>(
        List.of(file("left", "a", "m", 800, "a", "m"), file("right", "m", "z", 700, "m", "z")));
    files.add(file("newer", "n", "p", 500, null, null));
    for (int i = 0; i < 5; i++) {
      files.add(file("wide " + i, "b", "x", 10, null, null));
    }
    assertThat(minor(Layout.of(files, BYTES_MAX), Set.of()).orElseThrow().reason())
        .isEqualTo(Reason.DIVIDE);
    files.add(file("one more", "b", "x", 10, null, null));
    assertThat(minor(Layout.of(files, BYTES_MAX), Set.of()).orElseThrow().reason())
        .isEqualTo(Reason.APPEND);
  }

  private static Optional<Selection<String>> minor(Layout<String> layout, Set<String> busy) {
    return new Selector<>(layout, busy, THRESHOLDS).minor(List.of());
  }

  private static Layout<String> layout(List<FileShape<String>> oldestFirst) {
    return Layout.of(oldestFirst, BYTES_MAX);
  }

  private static FileShape<String> file(
      String name, String first, String end, long bytes, String markFrom, String markTo) {
    Optional<KeyRange> mark =
        markFrom == null ? Optional.empty() : Optional.of(span(markFrom, markTo));
    return new FileShape<>(
        name, span(first, end), bytes, bytes, new Hints(mark, RowHint.NONE), true);
  }

  private static KeyRange span(String from, String to) {
    return KeyRange.of(from.getBytes(US_ASCII), to.getBytes(US_ASCII));
  }
}
