// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.files;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.hbase.layout.StoredMark;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FileColumnsTest {

  private static final byte[] ROW = bytes("r");
  private static final byte[] FAMILY = bytes("f");
  private static final long NEWEST = 100;

  @Test
  void encodedBytesMatchTheFormat() {
    assertThat(HexFormat.of().formatHex(encoded("b", "dd").orElseThrow()))
        .isEqualTo("01" + "02" + "0001" + "62" + "0002" + "6464" + "496d3db7");
    assertThat(HexFormat.of().formatHex(encoded("").orElseThrow()))
        .isEqualTo("01" + "01" + "0000" + "30637301");
  }

  @Test
  void columnsAreCollectedInAnyOrderAndOnce() {
    assertThat(encoded("d", "b", "d", "a", "b", "c", "a"))
        .hasValueSatisfying(
            all -> assertThat(all).isEqualTo(encoded("a", "b", "c", "d").get()));
  }

  @Test
  void aCollectorBeginsAgainWithEachFile() {
    FileColumns.Collector collector = new FileColumns.Collector();
    assertThat(collector.end()).isEmpty();
    for (int i = 0; i < 40; i++) {
      collector.add(cell("c" + i, 1));
    }
    assertThat(collector.end()).isEmpty();
    collector.add(cell("a", 1));
    assertThat(collector.end().orElseThrow()).isEqualTo(encoded("a").orElseThrow());
    collector.add(cell("b", 1));
    assertThat(collector.end().orElseThrow()).isEqualTo(encoded("b").orElseThrow());
  }

  @Test
  void manyOrLongColumnsAreNotStored() {
    String[] most = new String[32];
    Arrays.setAll(most, i -> String.valueOf((char) ('A' + i)));
    assertThat(encoded(most)).isPresent();
    String[] more = Arrays.copyOf(most, 33);
    more[32] = "z";
    assertThat(encoded(more)).isEmpty();
    assertThat(encoded("x".repeat(1_021))).isPresent();
    assertThat(encoded("x".repeat(1_022))).isEmpty();
  }

  @Test
  void damageReadsAsUnknown() {
    byte[] good = encoded("b", "dd").orElseThrow();
    for (int bit = 0; bit < good.length * 8; bit++) {
      byte[] bad = good.clone();
      bad[bit / 8] ^= (byte) (1 << bit % 8);
      assertThat(FileColumns.decode(FAMILY, bad)).as("bit %d", bit).isEmpty();
    }
    for (int length = 0; length < good.length; length++) {
      assertThat(FileColumns.decode(FAMILY, Arrays.copyOf(good, length))).isEmpty();
    }
    assertThat(FileColumns.decode(FAMILY, null)).isEmpty();
  }

  /** With a valid checksum: no column, a wrong count, a length beyond the end, a wrong order. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "000000",
        "0200016100",
        "02000161",
        "01000261",
        "0200016200 0161",
        "ff000161",
        "020001610001 61"
      })
  void wrongContentReadsAsUnknown(String hex) {
    byte[] content = HexFormat.of().parseHex(hex.replace(" ", ""));
    byte[] stored = StoredMark.end(StoredMark.begin((byte) 1, content.length).put(content));
    assertThat(FileColumns.decode(FAMILY, stored)).isEmpty();
  }

  @Test
  void theFirstCellFromAKeyIsInTheNextColumn() {
    FileColumns columns = columns("b", "d");
    assertFirst(columns, PrivateCellUtil.createFirstOnRow(ROW), "b");
    assertFirst(columns, PrivateCellUtil.createFirstDeleteFamilyCellOnRow(ROW, FAMILY), "b");
    assertFirst(columns, cell("a", 1), "b");
    assertFirst(columns, cell("b", NEWEST + 1), "b");
    assertFirst(columns, PrivateCellUtil.createLastOnRowCol(cell("b", 1)), "d");
    assertFirst(columns, cell("c", 1), "d");
    assertThat(columns.firstFrom(cell("e", 1), NEWEST)).isNull();
    assertThat(columns.firstFrom(PrivateCellUtil.createLastOnRowCol(cell("d", 1)), NEWEST))
        .isNull();
    assertThat(columns.firstFrom(PrivateCellUtil.createLastOnRow(ROW), NEWEST)).isNull();
  }

  @Test
  void aKeyWithinAColumnIsItsOwnBound() {
    Cell key = cell("b", NEWEST);
    assertThat(columns("b", "d").firstFrom(key, NEWEST)).isSameAs(key);
  }

  @Test
  void theMarkerOfADeletedRowIsAColumn() {
    FileColumns columns = columns("", "b");
    assertFirst(columns, PrivateCellUtil.createFirstDeleteFamilyCellOnRow(ROW, FAMILY), "");
  }

  @Test
  void onlyKeysUpToTheLastColumnMayBeFollowed() {
    FileColumns columns = columns("b", "d");
    assertThat(columns.mayFollow(cell("d", 1))).isTrue();
    assertThat(columns.mayFollow(PrivateCellUtil.createLastOnRowCol(cell("b", 1))))
        .isTrue();
    assertThat(columns.mayFollow(PrivateCellUtil.createLastOnRowCol(cell("d", 1))))
        .isFalse();
    assertThat(columns.mayFollow(PrivateCellUtil.createLastOnRow(ROW))).isFalse();
    assertThat(columns.mayFollow(cell("da", 1))).isFalse();
  }

  /** HBase's matcher seeks the next column from this cell. */
  @Test
  void theEndOfAColumnIsBehindItsCells() {
    CellComparator order = CellComparator.getInstance();
    Cell end = columns("b", "d").endOf(cell("b", 5));
    assertThat(end.getTimestamp()).isEqualTo(Long.MIN_VALUE);
    assertThat(order.compare(end, cell("b", 0))).isPositive();
    assertThat(order.compare(end, PrivateCellUtil.createLastOnRowCol(cell("b", 5))))
        .isNegative();
    assertThat(columns("b", "d").endOf(cell("d", 5))).isNull();
  }

  /** The bound lies at or after the key, and at or before every cell of the column. */
  private static void assertFirst(FileColumns columns, Cell key, String column) {
    Cell bound = columns.firstFrom(key, NEWEST);
    CellComparator order = CellComparator.getInstance();
    assertThat(order.compare(key, bound)).isLessThanOrEqualTo(0);
    KeyValue.Type newest =
        column.isEmpty() ? KeyValue.Type.DeleteFamily : KeyValue.Type.DeleteColumn;
    assertThat(order.compare(bound, new KeyValue(ROW, FAMILY, bytes(column), NEWEST, newest)))
        .isNegative();
    assertThat(order.compare(bound, cell(column, NEWEST + 1))).isPositive();
  }

  private static FileColumns columns(String... all) {
    return FileColumns.decode(FAMILY, encoded(all).orElseThrow()).orElseThrow();
  }

  private static Optional<byte[]> encoded(String... columns) {
    FileColumns.Collector collector = new FileColumns.Collector();
    for (String column : columns) {
      collector.add(cell(column, 1));
    }
    return collector.end();
  }

  private static Cell cell(String column, long timestamp) {
    return new KeyValue(ROW, FAMILY, bytes(column), timestamp, KeyValue.Type.Put);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(US_ASCII);
  }
}
