// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.hbase;

import io.github.rlsm.bench.workload.Keys;
import io.github.rlsm.bench.workload.Values;
import java.nio.ByteBuffer;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The rows of the table, with keys in random order and values that can be verified byte by byte.
 *
 * @param valueBytes bytes of each value
 */
record Rows(int valueBytes) {

  static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] QUALIFIER = Bytes.toBytes("q");

  /** The size of a key and its value. */
  long bytes() {
    return (long) HBaseSpec.KEY_BYTES + valueBytes;
  }

  static byte[] key(long id) {
    byte[] key = new byte[HBaseSpec.KEY_BYTES];
    Keys.fill(ByteBuffer.wrap(key), id);
    return key;
  }

  Put put(long id, long version) {
    byte[] value = new byte[valueBytes];
    Values.fill(ByteBuffer.wrap(value), value.length, id, version);
    return new Put(key(id)).addColumn(FAMILY, QUALIFIER, value);
  }

  static Get get(long id) {
    return new Get(key(id));
  }

  /** Whether the row is complete and has the content that was written. */
  boolean isValid(Result row) {
    byte[] key = row.getRow();
    byte[] value = row.getValue(FAMILY, QUALIFIER);
    return key != null
        && value != null
        && Values.isValid(ByteBuffer.wrap(value), valueBytes, Keys.id(ByteBuffer.wrap(key)));
  }
}
