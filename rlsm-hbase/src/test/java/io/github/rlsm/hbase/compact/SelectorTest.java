// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.compact;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.base.KeyRange;
import io.github.rlsm.hbase.compact.Selection.Reason;
import io.github.rlsm.hbase.compact.Thresholds.Files;
import io.github.rlsm.hbase.config.PartitionSize;
import io.github.rlsm.hbase.layout.FileShape;
import io.github.rlsm.hbase.layout.Layout;
import io.github.rlsm.hbase.write.FilePlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SelectorTest {

  private static final int BYTES_MAX = 1_000;
  private static final PartitionSize FOLLOWING = PartitionSize.following(4);
  private static final Thresholds THRESHOLDS =
      new Thresholds(BYTES_MAX, true, new Files(3, 4), 5, Long.MAX_VALUE);
  private static final List<FileShape<String>> TWO_PARTITIONS =
      List.of(file("left", "a", "m", 800, "a", "m"), file("right", "m", "z", 900, "m", "z"));

  @Test
  void nothingIsDueForFewFilesOverARow() {
    List<FileShape<String>> files = new ArrayList<>(TWO_PARTITIONS);
    addWide(files, 3);
    assertThat(minor(files, Set.of())).isEmpty();
  }

  @Test
  void wideFilesAreAppendedWithoutTheRunsBelow() {
    List<FileShape<String>> files = new ArrayList<>(TWO_PARTITIONS);
    addWide(files, 4);
    Selection<String> found = minor(files, Set.of()).orElseThrow();
    assertThat(found.reason()).isEqualTo(Reason.APPEND);
    assertThat(found.files()).containsExactly("wide 0", "wide 1", "wide 2", "wide 3");
    assertThat(found.cuts().bounds()).hasSize(3);
    assertThat(minor(files, Set.of("wide 2"))).as("while one of them is busy").isEmpty();
  }

  @Test
  void runsAreMergedWithoutTheWideFilesAbove() {
    List<FileShape<String>> files = new ArrayList<>(TWO_PARTITIONS);
    addRuns(files, 4);
    addWide(files, 3);
    Selection<String> found = minor(files, Set.of()).orElseThrow();
    assertThat(found.reason()).isEqualTo(Reason.RUNS);
    assertThat(found.files()).containsExactly("run 0", "run 1", "run 2", "run 3");
    assertThat(found.cuts().bytes()).as("not all of the partition").isEqualTo(FilePlan.UNCUT);
  }

  @Test
  void wideFilesGoBeforeRuns() {
    List<FileShape<String>> files = new ArrayList<>(TWO_PARTITIONS);
    addRuns(files, 4);
    addWide(files, 4);
    assertThat(minor(files, Set.of()).orElseThrow().reason()).isEqualTo(Reason.APPEND);
    assertThat(minor(files, Set.of("wide 0")).orElseThrow().reason())
        .as("while they are appended")
        .isEqualTo(Reason.RUNS);
  }

  @Test
  void moreRunsAllowFewerWideFilesAndWideFilesFewerRuns() {
    List<FileShape<String>> files = new ArrayList<>(TWO_PARTITIONS);
    assertThat(Files.of(Layout.of(files, BYTES_MAX), FOLLOWING, false, 16))
        .isEqualTo(new Files(10, 13));
    assertThat(Files.of(Layout.of(files, BYTES_MAX), FOLLOWING, true, 16))
        .as("key files")
        .isEqualTo(new Files(4, 4));
    addRuns(files, 6);
    addWide(files, 3);
    assertThat(Files.of(Layout.of(files, BYTES_MAX), FOLLOWING, false, 16))
        .isEqualTo(new Files(6, 5));
    assertThat(Files.of(Layout.of(files, BYTES_MAX), FOLLOWING, true, 16))
        .as("key files, whose merges cost little")
        .isEqualTo(new Files(4, 4));
  }

  @Test
  void newRunsAreMergedWhileOldOnesAre() {
    List<FileShape<String>> files = new ArrayList<>(TWO_PARTITIONS);
    addRuns(files, 4);
    Set<String> busy = Set.of("left", "run 0", "run 1");
    assertThat(minor(files, busy)).as("the merge counts as one run").isEmpty();
    for (int i = 0; i < 2; i++) {
      files.add(file("new " + i, "b", "c", 10, null, null));
    }
    Selection<String> found = minor(files, busy).orElseThrow();
    assertThat(found.reason()).isEqualTo(Reason.RUNS);
    assertThat(found.files()).contains("new 1").doesNotContainAnyElementsOf(busy);
  }

  @Test
  void scansPayForTheMergeOfSmallRunsFirst() {
    List<FileShape<String>> files = new ArrayList<>(List.of(
        file("left", "a", "m", 80 << 20, "a", "m"), file("right", "m", "z", 90 << 20, "m", "z")));
    for (int i = 0; i < 3; i++) {
      files.add(file("run " + i, "b", "c", 1 << 20, null, null));
    }
    long small = 3 * (2 * (3 << 20) + (1 << 20)) / 2 + 1;
    assertThat(forScans(files, Set.of(), small - 2)).as("not paid").isEmpty();
    Selection<String> found = forScans(files, Set.of(), small).orElseThrow();
    assertThat(found.reason()).isEqualTo(Reason.SCANS);
    assertThat(found.files()).containsExactly("run 0", "run 1", "run 2");
    assertThat(forScans(files, Set.of("run 2"), small)).as("while one is busy").isEmpty();
    List<FileShape<String>> merged = new ArrayList<>(files.subList(0, 2));
    merged.add(file("merged", "b", "c", 3 << 20, null, null));
    assertThat(forScans(merged, Set.of(), small))
        .as("the old run is more expensive")
        .isEmpty();
    assertThat(
            forScans(merged, Set.of(), 2 * (83 << 20) + (1 << 20)).orElseThrow().files())
        .containsExactly("left", "merged");
    assertThat(forScans(files.subList(0, 2), Set.of(), Long.MAX_VALUE))
        .as("nothing to merge")
        .isEmpty();
  }

  private static Optional<Selection<String>> forScans(
      List<FileShape<String>> files, Set<String> busy, long paidOfLeft) {
    Layout<String> layout = Layout.of(files, 100 << 20);
    Thresholds thresholds = new Thresholds(100 << 20, true, THRESHOLDS.files(), 5, Long.MAX_VALUE);
    return new Selector<>(layout, busy, thresholds)
        .forScans(partition -> partition.range().contains("b".getBytes(US_ASCII)) ? paidOfLeft : 0);
  }

  @Test
  void aLargePartitionIsCutInHalvesWhenAllOfItIsRewritten() {
    List<FileShape<String>> files = new ArrayList<>(
        List.of(file("left", "a", "m", 800, "a", "m"), file("right", "m", "z", 100, "m", "z")));
    for (int i = 0; i < 4; i++) {
      assertThat(minor(files, Set.of())).as("with %s files", files.size()).isEmpty();
      files.add(file("new " + i, "n", "p", 300, null, null));
    }
    Selection<String> found = minor(files, Set.of()).orElseThrow();
    assertThat(found.files()).containsExactly("right", "new 0", "new 1", "new 2", "new 3");
    assertThat(found.reason()).isEqualTo(Reason.DIVIDE);
    assertThat(found.cuts().bytes()).isBetween(400L, 600L);
    files.add(file("wide", "b", "x", 20, null, null));
    assertThat(minor(files, Set.of("wide")).orElseThrow().cuts().bytes())
        .as("while wide files are appended")
        .isEqualTo(FilePlan.UNCUT);
  }

  @Test
  void mergingSmallRunsDoesNotRewriteAHugeRowBelowThem() {
    List<FileShape<String>> files = new ArrayList<>(List.of(
        file("left", "a", "m", 800, "a", "m"), file("one row", "m", "n", 50_000, "m", "z")));
    for (int i = 0; i < 4; i++) {
      assertThat(minor(files, Set.of())).as("with %s files", files.size()).isEmpty();
      files.add(file("new " + i, "m", "n", 10, "m", "z"));
    }
    Selection<String> found = minor(files, Set.of()).orElseThrow();
    assertThat(found.files()).hasSizeGreaterThan(1).doesNotContain("one row");
  }

  @Test
  void anUndividedStoreWithTooManyFilesIsDivided() {
    List<FileShape<String>> files = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      assertThat(minor(files, Set.of())).as("with %s files", files.size()).isEmpty();
      files.add(file("file " + i, "b", "x", 300, null, null));
    }
    for (int i = 5; i < 12; i++) {
      files.add(file("late " + i, "b", "x", 10, null, null));
    }
    Selection<String> found = minor(files, Set.of()).orElseThrow();
    assertThat(found.files()).hasSameSizeAs(files);
    assertThat(found.cuts().bytes()).isBetween(400L, 600L);
  }

  private static void addWide(List<FileShape<String>> files, int count) {
    for (int i = 0; i < count; i++) {
      files.add(file("wide " + i, "b", "x", 20, null, null));
    }
  }

  private static void addRuns(List<FileShape<String>> files, int count) {
    for (int i = 0; i < count; i++) {
      files.add(file("run " + i, "b", "c", 10, null, null));
    }
  }

  private static Optional<Selection<String>> minor(
      List<FileShape<String>> oldestFirst, Set<String> busy) {
    return new Selector<>(Layout.of(oldestFirst, BYTES_MAX), busy, THRESHOLDS).minor(List.of());
  }

  private static FileShape<String> file(
      String name, String first, String end, long bytes, String markFrom, String markTo) {
    Optional<KeyRange> mark =
        markFrom == null ? Optional.empty() : Optional.of(span(markFrom, markTo));
    return new FileShape<>(name, span(first, end), bytes, bytes, mark, true);
  }

  private static KeyRange span(String from, String to) {
    return KeyRange.of(from.getBytes(US_ASCII), to.getBytes(US_ASCII));
  }
}
