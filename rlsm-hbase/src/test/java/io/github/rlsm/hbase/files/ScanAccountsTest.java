// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.files;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.base.KeyRange;
import io.github.rlsm.hbase.layout.FileShape;
import io.github.rlsm.hbase.layout.Layout;
import io.github.rlsm.policy.CleanPlanner;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Single letters are rows. */
class ScanAccountsTest {

  private static final long FILE_BYTES = 1 << 20;
  private static final long PARTITION_BYTES_MAX = 6 * FILE_BYTES;
  private static final KeyRange LEFT = KeyRange.of(null, row("m"));
  private static final KeyRange RIGHT = KeyRange.of(row("m"), null);

  @Test
  void aScanPaysForRunsBeyondTheFirstAtItsFirstRow() {
    Layout<String> layout = layout(twoPartitions());
    ScanAccounts<String> accounts = ScanAccounts.<String>none().in(layout, file -> FILE_BYTES);
    assertThat(layout.partitions()).hasSize(2);
    for (String from : List.of("a", "c", "e", "k", "q", "zz", "")) {
      accounts.scanned(row(from));
    }
    assertThat(paid(accounts, layout, 0)).isEqualTo(3 * ScanAccounts.SEEK_BYTES);
    assertThat(paid(accounts, layout, 1)).isZero();
  }

  @Test
  void aScanPaysLessForSmallRuns() {
    Layout<String> layout = layout(List.of(
        file("100", "a", "z", 100),
        file("1", "a", "z", 1),
        file("8", "a", "z", 8),
        file("19", "a", "z", 19)));
    ScanAccounts<String> accounts = ScanAccounts.<String>none().in(layout, Long::parseLong);
    accounts.scanned(row("b"));
    // An eighth of all is 16.
    assertThat(paid(accounts, layout, 0))
        .isEqualTo(
            ScanAccounts.SEEK_BYTES + ScanAccounts.SEEK_BYTES / 2 + ScanAccounts.SEEK_BYTES_MIN);
  }

  @Test
  void aScanPaysForDeadVersionsOfSeveralRuns() {
    List<FileShape<String>> files = new ArrayList<>(twoPartitions());
    files.add(file("wide", "e", "z", Optional.empty()));
    Layout<String> layout = layout(files);
    assertThat(layout.wide()).hasSize(1);
    ScanAccounts<String> accounts = ScanAccounts.<String>none().in(layout, file -> FILE_BYTES);
    for (String in : List.of("a", "c", "d", "k", "q")) {
      accounts.passedDead(row(in), 1_000);
    }
    assertThat(paid(accounts, layout, 0))
        .as("over two runs, and over three")
        .isEqualTo(2 * ScanAccounts.DEAD_BYTES * 1_000);
    assertThat(paid(accounts, layout, 1)).isZero();
    accounts.passedDead(row("e"), 1_000);
    assertThat(paid(accounts, layout, 0))
        .as("and over three below a wide file, which has a third of the dead versions")
        .isEqualTo(2 * ScanAccounts.DEAD_BYTES * 1_000 + ScanAccounts.DEAD_BYTES * 2_000 / 3);
  }

  @Test
  void theScanThatPassesTheLastDeadVersionReportsThePayment() {
    Layout<String> layout = layout(
        List.of(file("old", "a", "z", Optional.empty()), file("new", "a", "z", Optional.empty())));
    ScanAccounts<String> accounts = ScanAccounts.<String>none().in(layout, file -> FILE_BYTES);
    assertThat(accounts.passedDead(row("b"), FILE_BYTES)).isFalse();
    assertThat(accounts.passedDead(row("b"), 2 * FILE_BYTES)).isTrue();
  }

  @Test
  void theScanThatCompletesThePaymentReportsIt() {
    Layout<String> layout = layout(
        List.of(file("old", "a", "z", Optional.empty()), file("new", "a", "z", Optional.empty())));
    ScanAccounts<String> accounts = ScanAccounts.<String>none().in(layout, file -> FILE_BYTES);
    double price = CleanPlanner.forScans(
            layout.shape(layout.partitions().get(0), layout.partitions().get(0).runs()))
        .orElseThrow()
        .price();
    int scans = (int) Math.ceil(price / ScanAccounts.SEEK_BYTES);
    List<Integer> reported = new ArrayList<>();
    for (int scan = 1; scan <= 5 * scans; scan++) {
      if (accounts.scanned(row("b"))) {
        reported.add(scan);
      }
    }
    assertThat(reported)
        .as("at the price, and again in case of no merge")
        .containsExactly(scans, 2 * scans, 4 * scans);
  }

  /** A merge of key files rewrites a sixteenth of the bytes that they count with. */
  @Test
  void scansPayForMergesOfKeyFilesSooner() {
    Layout<String> layout = layout(
        List.of(file("old", "a", "z", Optional.empty()), file("new", "a", "z", Optional.empty())));
    ScanAccounts<String> accounts = ScanAccounts.<String>none().in(layout, file -> FILE_BYTES / 16);
    accounts.scanned(row("b"));
    assertThat(paid(accounts, layout, 0)).isEqualTo(16 * ScanAccounts.SEEK_BYTES_MIN);
  }

  @Test
  void aMergeTakesItsCostOutOfTheAccount() {
    FileShape<String> old = file("old", "a", "m", Optional.of(LEFT));
    FileShape<String> right = file("right", "m", "z", Optional.of(RIGHT));
    FileShape<String> one = file("one", "b", "f", Optional.empty());
    FileShape<String> two = file("two", "b", "f", Optional.empty());
    FileShape<String> flushed = file("flushed", "b", "f", Optional.empty());
    ScanAccounts<String> accounts =
        ScanAccounts.<String>none().in(layout(List.of(old, right, one, two)), file -> FILE_BYTES);
    int scans = 400;
    for (int i = 0; i < scans; i++) {
      accounts.scanned(row("c"));
    }
    long all = scans * 2L * ScanAccounts.SEEK_BYTES;
    Layout<String> withFlush = layout(List.of(old, right, one, two, flushed));
    accounts = accounts.in(withFlush, file -> FILE_BYTES);
    assertThat(paid(accounts, withFlush, 0)).as("after a flush").isEqualTo(all);
    FileShape<String> merged = file("merged", "b", "f", Optional.of(LEFT));
    Layout<String> withMerge = layout(List.of(old, right, merged, flushed));
    accounts = accounts.in(withMerge, file -> FILE_BYTES);
    assertThat(paid(accounts, withMerge, 0)).as("after a merge").isEqualTo(all - 4 * FILE_BYTES);
    Layout<String> undivided =
        layout(List.of(file("whole", "a", "z", Optional.of(KeyRange.ALL)), flushed));
    accounts = accounts.in(undivided, file -> FILE_BYTES);
    assertThat(paid(accounts, undivided, 0)).as("of other rows").isZero();
  }

  private static long paid(ScanAccounts<String> accounts, Layout<String> layout, int partition) {
    return accounts.paid(layout.partitions().get(partition));
  }

  /** Three runs in the left partition, of which the newest begins at d, and one in the right. */
  private static List<FileShape<String>> twoPartitions() {
    return List.of(
        file("left", "a", "m", Optional.of(LEFT)),
        file("right", "m", "z", Optional.of(RIGHT)),
        file("newer", "b", "f", Optional.empty()),
        file("newest", "d", "f", Optional.empty()));
  }

  private static Layout<String> layout(List<FileShape<String>> oldestFirst) {
    return Layout.of(oldestFirst, PARTITION_BYTES_MAX);
  }

  private static FileShape<String> file(
      String name, String first, String end, Optional<KeyRange> mark) {
    return new FileShape<>(name, KeyRange.of(row(first), row(end)), FILE_BYTES, 1, mark, true);
  }

  private static FileShape<String> file(String name, String first, String end, long bytes) {
    KeyRange span = KeyRange.of(row(first), row(end));
    return new FileShape<>(name, span, bytes, 1, Optional.empty(), true);
  }

  private static byte[] row(String row) {
    return row.getBytes(US_ASCII);
  }
}
