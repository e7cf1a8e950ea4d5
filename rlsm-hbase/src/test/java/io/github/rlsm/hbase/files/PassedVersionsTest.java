// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.files;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Objects;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.junit.jupiter.api.Test;

/** The number of dead versions that a scan passes. */
class PassedVersionsTest {

  private static final byte[] FAMILY = {'f'};

  private long bytes;

  @Test
  void versionsBeyondThoseThatMergesKeepAreDead() {
    assertThat(deadOf(keeping(1), "a b b b c c")).isEqualTo(3);
    assertThat(deadOf(keeping(2), "a b b b c c")).isEqualTo(1);
    assertThat(deadOf(keeping(3), "a b b b c c")).isZero();
  }

  @Test
  void columnsOfARowAreNoVersionsOfEachOther() {
    assertThat(deadOf(keeping(1), "a b:1 b:2 b:3 c:3")).isZero();
    assertThat(deadOf(keeping(1), "a b:1 b:1 b:2 b:3 b:3")).isEqualTo(2);
  }

  @Test
  void theFirstRowDoesNotCount() {
    assertThat(deadOf(keeping(1), "a a a a:1 a:1")).isZero();
    assertThat(deadOf(keeping(1), "a a b b")).isEqualTo(1);
  }

  @Test
  void mergesThatKeepDeletedCellsDropNothing() {
    ColumnFamilyDescriptor family = ColumnFamilyDescriptorBuilder.newBuilder(FAMILY)
        .setKeepDeletedCells(KeepDeletedCells.TRUE)
        .build();
    assertThat(deadOf(family, "a b b b")).isZero();
  }

  @Test
  void oneOfSevenScansCountsForAll() {
    PassedVersions.Account account = account(keeping(1));
    for (int scan = 0; scan < 2 * PassedVersions.Account.SCANS; scan++) {
      PassedVersions passed = account.ofScan(0);
      assertThat(passed != null).isEqualTo(scan % PassedVersions.Account.SCANS == 0);
      assertThat(account.ofScan(1)).as("the second file of the scan").isSameAs(passed);
      if (passed != null) {
        pass(passed, "a b b");
      }
    }
    assertThat(bytes).isEqualTo(2L * PassedVersions.Account.SCANS * cell("b").getSerializedSize());
  }

  @Test
  void scannersOfAnotherStoreDoNotShareTheCounter() {
    PassedVersions passed = account(keeping(1)).ofScan(0);
    assertThat(passed).isNotNull();
    assertThat(account(keeping(1)).ofScan(1)).isNull();
  }

  @Test
  void whatWasPaidIsNotPaidAgain() {
    PassedVersions passed = Objects.requireNonNull(account(keeping(1)).ofScan(0));
    pass(passed, "a b b");
    long once = bytes;
    passed.pay();
    assertThat(bytes).isEqualTo(once);
    pass(passed, "b c c");
    assertThat(bytes).as("the cell before was forgotten").isEqualTo(2 * once);
  }

  private long deadOf(ColumnFamilyDescriptor family, String cells) {
    bytes = 0;
    pass(Objects.requireNonNull(account(family).ofScan(0)), cells);
    return bytes / PassedVersions.Account.SCANS / cell("b").getSerializedSize();
  }

  private PassedVersions.Account account(ColumnFamilyDescriptor family) {
    return new PassedVersions.Account((row, more) -> bytes += more, family);
  }

  private static void pass(PassedVersions passed, String cells) {
    Arrays.stream(cells.split(" ")).forEach(name -> passed.add(cell(name)));
    passed.pay();
  }

  private static ColumnFamilyDescriptor keeping(int versions) {
    return ColumnFamilyDescriptorBuilder.newBuilder(FAMILY)
        .setMaxVersions(versions)
        .build();
  }

  private static Cell cell(String name) {
    int colon = name.indexOf(':');
    String row = colon < 0 ? name : name.substring(0, colon);
    String column = colon < 0 ? "0" : name.substring(colon + 1);
    return new KeyValue(row.getBytes(US_ASCII), FAMILY, column.getBytes(US_ASCII), new byte[100]);
  }
}
