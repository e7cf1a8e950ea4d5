// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.values;

import static io.github.rlsm.hbase.values.ValueReferenceTag.UNKNOWN_OFFSET;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.hbase.values.ValueReferenceTag.Pointer;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import org.apache.hadoop.hbase.ArrayBackedTag;
import org.apache.hadoop.hbase.ByteBufferKeyValue;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.ExtendedCell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.Tag;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class ValueReferenceTagTest {

  private static final byte[] NAME = Bytes.toBytes("x");
  private static final Pointer POINTER =
      new Pointer(0xfedc, 0x01020304, 0x05060708, 0xa9_0b0c_0d0eL, 0xf0010203);

  private static Cell cell(long timestamp, KeyValue.Type type, Tag... tags) {
    KeyValue cell = new KeyValue(NAME, NAME, NAME, timestamp, type, new byte[1_000], List.of(tags));
    cell.setSequenceId(77);
    return cell;
  }

  @Test
  void encodedBytesMatchTheFormat() {
    Cell shadow = ValueReferenceTag.shadowOf(cell(5, KeyValue.Type.Put), POINTER);
    assertThat(HexFormat.of().formatHex(PrivateCellUtil.cloneTags(shadow)))
        .isEqualTo("0009" + "08" + "8000000000000000" + "0019" + "52" + "03" + "fedc" + "01020304"
            + "0000000005060708" + "a90b0c0d0e" + "f0010203")
        .hasSize(2 * ValueReferenceTag.BYTES);
    assertThat(ValueReferenceTag.of(shadow)).isEqualTo(POINTER);
  }

  @Test
  void aShadowKeepsKeyAndTagsAndNamesTheSequenceId() {
    Cell cell = cell(5, KeyValue.Type.Put, new ArrayBackedTag((byte) 70, new byte[] {1, 2}));
    Cell shadow = ValueReferenceTag.shadowOf(cell, new Pointer(3, 1_000, 77, UNKNOWN_OFFSET, 0));
    assertThat(CellUtil.equals(shadow, cell)).isTrue();
    assertThat(((KeyValue) shadow).getSequenceId()).isEqualTo(ValueReferenceTag.OWN_SEQUENCE_ID);
    assertThat(shadow.getValueLength()).isZero();
    ExtendedCell shown = new LazyValueCell(
        (ExtendedCell) shadow, ValueReferenceTag.of(shadow), (asked, pointer) -> cell);
    assertThat(shown.getSequenceId()).isEqualTo(77);
    assertThat(PrivateCellUtil.cloneTags(shown)).isEqualTo(PrivateCellUtil.cloneTags(cell));
  }

  @Test
  void anOffHeapShadowIsCopiedOnce() {
    Cell cell = cell(5, KeyValue.Type.Put, new ArrayBackedTag((byte) 70, new byte[] {1, 2}));
    KeyValue shadow =
        (KeyValue) ValueReferenceTag.shadowOf(cell, new Pointer(3, 1_000, 77, UNKNOWN_OFFSET, 0));
    ByteBuffer outside = ByteBuffer.allocateDirect(shadow.getLength());
    outside.put(0, shadow.getBuffer(), shadow.getOffset(), shadow.getLength());
    LazyValueCell shown = new LazyValueCell(
        new ByteBufferKeyValue(outside, 0, shadow.getLength(), ValueReferenceTag.OWN_SEQUENCE_ID),
        ValueReferenceTag.of(shadow),
        (asked, pointer) -> cell);
    assertThat(CellUtil.equals(shown, cell)).isTrue();
    assertThat(shown.getSequenceId()).isEqualTo(77);
    assertThat(shown.getRowArray()).isSameAs(shown.getRowArray());
    assertThat(PrivateCellUtil.cloneTags(shown)).isEqualTo(PrivateCellUtil.cloneTags(cell));
  }

  @Test
  void cellsWithSimilarTagsAreNotShadows() {
    Cell shadow = ValueReferenceTag.shadowOf(
        cell(5, KeyValue.Type.Put), new Pointer(3, 1_000, 77, UNKNOWN_OFFSET, 0));
    byte[] tags = PrivateCellUtil.cloneTags(shadow);
    // The index and the length may have any value.
    for (int i = 0; i < 15; i++) {
      byte[] changed = tags.clone();
      changed[i] ^= 0x10;
      assertThat(ValueReferenceTag.of(new KeyValue(
              NAME,
              0,
              1,
              NAME,
              0,
              1,
              NAME,
              0,
              1,
              5,
              KeyValue.Type.Put,
              NAME,
              0,
              0,
              changed,
              0,
              changed.length)))
          .as("byte %d", i)
          .isNull();
    }
    assertThat(ValueReferenceTag.of(cell(5, KeyValue.Type.Put))).isNull();
  }

  @Test
  void deletesAndNegativeTimestampsHaveNoShadow() {
    assertThat(ValueReferenceTag.fits(cell(5, KeyValue.Type.Put))).isTrue();
    assertThat(ValueReferenceTag.fits(cell(5, KeyValue.Type.DeleteColumn))).isFalse();
    assertThat(ValueReferenceTag.fits(cell(-5, KeyValue.Type.Put))).isFalse();
  }

  /**
   * HBase writes the length of all tags of a cell in two bytes, and reads it as a signed number.
   */
  @Test
  void aCellHasNoShadowIfHBaseCouldNotReadTheTagsOfBoth() {
    int room = Short.MAX_VALUE - ValueReferenceTag.BYTES;
    assertThat(ValueReferenceTag.fits(cellWithTagsOf(room))).isTrue();
    assertThat(ValueReferenceTag.fits(cellWithTagsOf(room + 1))).isFalse();
    assertThat(ValueReferenceTag.fits(cellWithTagsOf(65_520))).isFalse();
  }

  private static Cell cellWithTagsOf(int bytes) {
    int header = Tag.TAG_LENGTH_SIZE + Tag.TYPE_LENGTH_SIZE;
    Tag tag = new ArrayBackedTag((byte) 70, new byte[bytes - header]);
    return cell(5, KeyValue.Type.Put, tag);
  }
}
