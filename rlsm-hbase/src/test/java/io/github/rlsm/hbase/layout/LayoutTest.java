// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.layout;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.base.KeyRange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Single letters are the rows, bounds and names of files. */
class LayoutTest {

  private static final long BYTES_MAX = 100;

  @Test
  void withoutMarksEverythingIsOnePartition() {
    Layout<String> layout =
        layout(List.of(file("old", "a", "z", null), file("new", "c", "d", null)));
    assertThat(layout.partitions()).hasSize(1);
    assertThat(names(layout.partitions().get(0).runs())).containsExactly("old", "new");
    assertThat(layout.wide()).isEmpty();
    assertThat(layout.depth()).isEqualTo(2);
  }

  @Test
  void filesInOnePartitionAreAdoptedAndOthersAreWide() {
    Layout<String> layout = layout(List.of(
        file("left", "a", "f", KeyRange.of(null, bytes("g"))),
        file("right", "g", "z", KeyRange.of(bytes("g"), null)),
        file("inside", "b", "c", null),
        file("across", "f", "g", null)));
    assertThat(layout.bounds()).containsExactly(bytes("g"));
    assertThat(names(layout.partitions().get(0).runs())).containsExactly("left", "inside");
    assertThat(names(layout.partitions().get(1).runs())).containsExactly("right");
    assertThat(names(layout.wide())).containsExactly("across");
    assertThat(layout.depth()).isEqualTo(3);
  }

  @Test
  void aShareCountsTheBytesOfFilesOverTheSameRows() {
    Layout<String> layout = layout(List.of(
        file("old", "a", "m", null), file("new", "c", "d", null), file("far", "x", "z", null)));
    long bytes = layout.files().get(0).bytes();
    assertThat(layout.share(Set.of("new"))).isEqualTo(0.5);
    assertThat(layout.share(Set.of("old", "new"))).isEqualTo(1);
    assertThat(layout.share(Set.of("far"))).isEqualTo(1);
    assertThat(layout.share(KeyRange.of(bytes("b"), bytes("y")), 3 * bytes)).isEqualTo(0.5);
    assertThat(layout.share(KeyRange.of(bytes("n"), bytes("o")), bytes)).isEqualTo(1);
  }

  @Test
  void depthAfterCountsOneFilePerCompaction() {
    List<FileShape<String>> files = new ArrayList<>(List.of(
        file("left", "a", "f", KeyRange.of(null, bytes("g"))),
        file("right", "g", "z", KeyRange.of(bytes("g"), null))));
    for (String name : List.of("1", "2", "3")) {
      files.add(file("run " + name, "b", "c", null));
      files.add(file("wide " + name, "e", "h", null));
    }
    Layout<String> layout = layout(files);
    assertThat(layout.depth()).isEqualTo(7);
    assertThat(layout.depthAfter(List.of())).isEqualTo(7);
    Set<String> wide = Set.of("wide 1", "wide 2", "wide 3");
    Set<String> runs = Set.of("run 1", "run 2");
    assertThat(layout.depthAfter(List.of(wide))).as("4 runs, 1 result").isEqualTo(5);
    assertThat(layout.depthAfter(List.of(runs))).as("3 wide, 2 runs, 1 result").isEqualTo(6);
    assertThat(layout.depthAfter(List.of(wide, runs))).isEqualTo(4);
    assertThat(layout.depthAfter(List.of(Set.of("gone")))).isEqualTo(7);
    assertThat(layout.depthAfter(List.of(Set.of("right"))))
        .as("no more than now")
        .isEqualTo(7);
    assertThat(layout(List.of(file("1", "a", "b", null), file("2", "x", "y", null)))
            .depthAfter(List.of(Set.of("1", "2"))))
        .as("undivided")
        .isEqualTo(1);
  }

  @Test
  void smallNeighboursAreOnePartition() {
    KeyRange left = KeyRange.of(null, bytes("g"));
    FileShape<String> small =
        new FileShape<>("small", span("a", "b"), 5, 5, Optional.of(left), true);
    FileShape<String> other =
        new FileShape<>("other", span("h", "i"), 5, 5, Optional.empty(), true);
    assertThat(layout(List.of(small, other)).partitions()).hasSize(1);
  }

  @Test
  void aLargePartitionIsDividedWhereFewBytesLieAcross() {
    List<FileShape<String>> files = new ArrayList<>(List.of(
        file("third", "m", "n", null),
        file("first", "a", "c", null),
        file("second", "b", "d", null),
        file("fourth", "o", "p", null)));
    assertThat(layout(files).bounds()).containsExactly(bytes("m"), bytes("o"));
    assertThat(layout(files).wide()).isEmpty();
    files.add(new FileShape<>("light", span("a", "p"), 10, 10, Optional.empty(), true));
    assertThat(layout(files).bounds()).containsExactly(bytes("m"), bytes("o"));
    assertThat(names(layout(files).wide())).containsExactly("light");
    files.add(file("heavy", "d", "n", null));
    assertThat(layout(files).bounds()).containsExactly(bytes("o"));
  }

  @Test
  void runsOfAPartitionThatIsNotTooLargeStayTogether() {
    assertThat(layout(List.of(file("first", "a", "c", null))).bounds()).isEmpty();
    FileShape<String> small =
        new FileShape<>("small", span("x", "y"), 5, 5, Optional.empty(), true);
    assertThat(layout(List.of(file("first", "a", "c", null), small)).bounds()).isEmpty();
  }

  /** One row is overwritten repeatedly, in files that are each large enough for a piece. */
  @Test
  void filesOfOneRowAreNotDivided() {
    List<FileShape<String>> files = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      files.add(file("version " + i, "m", "m", null));
    }
    Layout<String> layout = layout(files);
    assertThat(layout.bounds()).isEmpty();
    files.add(file("before", "a", "b", null));
    files.add(file("after", "x", "z", null));
    layout = layout(files);
    assertThat(layout.bounds()).containsExactly(bytes("m"), bytes("x"));
    assertThat(layout.wide()).isEmpty();
  }

  @Test
  void aFileAcrossAPieceDoesNotCountForThePiece() {
    List<FileShape<String>> files = new ArrayList<>(List.of(file("across", "c", "x", null)));
    for (int i = 0; i < 9; i++) {
      files.add(file("version " + i, "m", "n", null));
    }
    assertThat(layout(files).bounds()).as("nothing lies before m").isEmpty();
  }

  /**
   * Holds for any files. A bound without runs on one side costs time, and two equal bounds are an
   * error.
   */
  @Test
  void everyPieceOfADividedPartitionHasARun() {
    long seed = Long.getLong("rlsm.seed", System.nanoTime());
    Random random = new Random(seed);
    for (int round = 0; round < 2_000; round++) {
      List<FileShape<String>> files = new ArrayList<>();
      int letters = 1 + random.nextInt(26);
      for (int i = random.nextInt(40); i >= 0; i--) {
        int first = random.nextInt(letters);
        int last = first + random.nextInt(1 + random.nextInt(letters - first));
        files.add(new FileShape<>(
            "file " + i,
            span(letter(first), letter(last)),
            random.nextInt(90),
            1,
            Optional.empty(),
            true));
      }
      for (Partition<String> partition : layout(files).partitions()) {
        assertThat(partition.runs())
            .as("seed %s: %s of %s", seed, partition, files)
            .isNotEmpty();
      }
    }
  }

  private static String letter(int index) {
    return String.valueOf((char) ('a' + index));
  }

  @Test
  void theEmptyRowIsNoBound() {
    Layout<String> layout = layout(List.of(
        file("left", "a", "f", KeyRange.of(new byte[0], bytes("g"))),
        file("right", "g", "z", KeyRange.of(bytes("g"), null))));
    assertThat(layout.bounds()).containsExactly(bytes("g"));
  }

  @Test
  void aFileWithoutCellsIsWide() {
    Layout<String> layout =
        layout(List.of(new FileShape<>("empty", null, 1, 0, Optional.empty(), true)));
    assertThat(names(layout.wide())).containsExactly("empty");
  }

  @Test
  void closureAddsOlderFilesThatShareRowsWithAnInput() {
    FileShape<String> oldest = file("oldest", "a", "c", null);
    FileShape<String> between = file("between", "b", "f", null);
    FileShape<String> touched = file("touched", "e", "k", null);
    FileShape<String> apart = file("apart", "x", "z", null);
    FileShape<String> newest = file("newest", "b", "c", null);
    FileShape<String> after = file("after", "a", "z", null);
    Layout<String> layout = layout(List.of(oldest, between, touched, apart, newest, after));
    assertThat(names(layout.closure(Set.of(oldest, newest))))
        .containsExactly("oldest", "between", "touched", "newest");
    assertThat(names(layout.closure(Set.of(newest)))).containsExactly("newest");
  }

  private static Layout<String> layout(List<FileShape<String>> files) {
    return Layout.of(files, BYTES_MAX);
  }

  private static FileShape<String> file(
      String name, String first, String last, @org.jspecify.annotations.Nullable KeyRange mark) {
    return new FileShape<>(name, span(first, last), 60, 60, Optional.ofNullable(mark), true);
  }

  private static KeyRange span(String first, String last) {
    return KeyRange.of(bytes(first), Arrays.copyOf(bytes(last), last.length() + 1));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(US_ASCII);
  }

  private static List<String> names(java.util.Collection<FileShape<String>> files) {
    return files.stream().map(FileShape::file).collect(Collectors.toList());
  }
}
