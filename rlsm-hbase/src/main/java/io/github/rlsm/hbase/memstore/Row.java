// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.memstore;

import java.util.Arrays;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;

/**
 * A row as a key of a hash table. The row copies its bytes, so it may outlive the memory of the
 * cells it was created from.
 */
final class Row implements Comparable<Row> {

  private final byte[] bytes;
  private final int hash;

  private Row(byte[] bytes) {
    this.bytes = bytes;
    this.hash = Arrays.hashCode(bytes);
  }

  static Row of(byte[] bytes) {
    return new Row(bytes);
  }

  static Row of(Cell cell) {
    return new Row(CellUtil.cloneRow(cell));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Row row && hash == row.hash && Arrays.equals(bytes, row.bytes);
  }

  @Override
  public int hashCode() {
    return hash;
  }

  @Override
  public int compareTo(Row other) {
    return Arrays.compareUnsigned(bytes, other.bytes);
  }

  @Override
  public String toString() {
    return Arrays.toString(bytes);
  }
}
