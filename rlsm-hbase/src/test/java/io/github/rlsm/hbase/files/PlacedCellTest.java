// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.hbase.values.ValueReferenceTag;
import io.github.rlsm.hbase.values.ValueReferenceTag.Pointer;
import java.io.IOException;
import java.util.zip.CRC32C;
import org.apache.hadoop.hbase.ExtendedCell;
import org.apache.hadoop.hbase.KeyValue;
import org.junit.jupiter.api.Test;

class PlacedCellTest {

  private static final byte[] NAME = {'n', 'a', 'm', 'e'};
  private static final byte[] VALUE = {1, 2, 3};
  private static final int OFFSET = 10;

  /** No checksum is over the lengths and the key of a cell that is read without its block. */
  @Test
  void noDamagedBitIsOverlooked() throws IOException {
    KeyValue cell = new KeyValue(NAME, NAME, NAME, 1, VALUE);
    CRC32C crc = new CRC32C();
    crc.update(VALUE);
    Pointer pointer = new Pointer(0, VALUE.length, 1, OFFSET, (int) crc.getValue());
    ExtendedCell shadow = (ExtendedCell) ValueReferenceTag.shadowOf(cell, pointer);
    byte[] bytes = new byte[OFFSET + cell.getLength()];
    System.arraycopy(cell.getBuffer(), 0, bytes, OFFSET, cell.getLength());
    assertThat(PlacedCell.read(ahead(bytes), shadow, pointer)).isEqualTo(cell);
    for (int bit = OFFSET * Byte.SIZE; bit < bytes.length * Byte.SIZE; bit++) {
      bytes[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
      assertThat(PlacedCell.read(ahead(bytes), shadow, pointer))
          .as("bit %d", bit)
          .isNull();
      bytes[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
    }
  }

  private static ReadAhead ahead(byte[] bytes) {
    return new ReadAhead(new MemoryFile(bytes), bytes.length, 0, 1);
  }
}
