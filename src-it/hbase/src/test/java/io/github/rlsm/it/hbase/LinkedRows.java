// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.it.hbase;

import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A linked list of rows: each row names the row written before it, as in HBase's linked-list test.
 * A row that is lost or outdated breaks the chain. Some rows are rewritten.
 *
 * <p>Threads: one.
 */
final class LinkedRows {

  static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] NUMBER = Bytes.toBytes("number");
  private static final byte[] BEFORE = Bytes.toBytes("before");
  private static final byte[] REWRITTEN = Bytes.toBytes("rewritten");
  private static final byte[] PADDING = Bytes.toBytes("padding");
  private static final int KEY_BYTES = 16;
  private static final int GETS = 500;
  private static final int GET_BATCHES = 40;

  private final TableName name;
  private final Random random;
  private final List<byte[]> acknowledged = new ArrayList<>();
  private final List<Integer> rewritten = new ArrayList<>();
  private final int paddingBytes;
  private final int again;

  /**
   * Creates an empty list.
   *
   * @param paddingBytes the number of filler bytes in each row
   * @param again the number of earlier rows that each batch rewrites
   */
  LinkedRows(TableName name, Random random, int paddingBytes, int again) {
    this.name = name;
    this.random = random;
    this.paddingBytes = paddingBytes;
    this.again = again;
  }

  /** The number of acknowledged rows. */
  int count() {
    return acknowledged.size();
  }

  /** Writes more batches; the rows of a failed batch may exist or not. */
  void write(Connection connection, int batches, int batchSize) throws IOException {
    try (Table table = connection.getTable(name)) {
      for (int i = 0; i < batches; i++) {
        writeBatch(table, batchSize);
      }
    }
  }

  private void writeBatch(Table table, int batchSize) throws IOException {
    List<byte[]> keys = new ArrayList<>();
    List<Put> puts = new ArrayList<>();
    byte[] before = before(count());
    for (int i = 0; i < batchSize; i++) {
      byte[] key = new byte[KEY_BYTES];
      random.nextBytes(key);
      puts.add(new Put(key)
          .addColumn(FAMILY, NUMBER, Bytes.toBytes(count() + i))
          .addColumn(FAMILY, BEFORE, before)
          .addColumn(FAMILY, PADDING, padding(key, 0)));
      keys.add(key);
      before = key;
    }
    int version = count();
    int[] rows = random.ints(version == 0 ? 0 : again, 0, Math.max(1, version)).toArray();
    for (int row : rows) {
      byte[] key = acknowledged.get(row);
      puts.add(new Put(key)
          .addColumn(FAMILY, REWRITTEN, Bytes.toBytes(version))
          .addColumn(FAMILY, PADDING, padding(key, version)));
    }
    table.put(puts);
    acknowledged.addAll(keys);
    while (rewritten.size() < acknowledged.size()) {
      rewritten.add(0);
    }
    for (int row : rows) {
      rewritten.set(row, version);
    }
  }

  /** Bytes that are unique to a row and to its latest write. */
  private byte[] padding(byte[] key, int version) {
    byte[] bytes = new byte[paddingBytes];
    new Random(Bytes.toLong(key) + version).nextBytes(bytes);
    return bytes;
  }

  /** The row that row {@code i} names. */
  private byte[] before(int i) {
    return i == 0 ? new byte[0] : acknowledged.get(i - 1);
  }

  /**
   * Follows every link in one scan over all rows, and looks up many single rows, including the
   * newest.
   *
   * @return descriptions of the problems; empty if there are none
   */
  List<String> problems(Connection connection) throws IOException {
    List<String> problems = new ArrayList<>();
    try (Table table = connection.getTable(name)) {
      int batches = Math.min(GET_BATCHES, count() / GETS + 1);
      for (int i = 0; i < batches; i++) {
        boolean newest = i < GET_BATCHES / 2;
        int from = newest ? count() - (i + 1) * GETS : random.nextInt(count());
        lookUp(table, Math.max(0, from), Math.min(count(), from + GETS), problems);
      }
      scan(table, problems);
    }
    return problems;
  }

  private void scan(Table table, List<String> problems) throws IOException {
    BitSet found = new BitSet(count());
    try (ResultScanner rows = table.getScanner(new Scan().setCaching(GETS))) {
      byte[] last = new byte[0];
      for (Result row : rows) {
        if (Bytes.compareTo(last, row.getRow()) >= 0) {
          problems.add("rows out of order");
        }
        last = row.getRow();
        byte[] number = row.getValue(FAMILY, NUMBER);
        if (number == null) {
          problems.add("a row lost its number");
          continue;
        }
        int i = Bytes.toInt(number);
        // Any other row was left by a write that was not acknowledged.
        if (i < count() && Bytes.equals(last, acknowledged.get(i))) {
          found.set(i);
          check(row, i, problems);
        }
      }
    }
    if (found.cardinality() < count()) {
      problems.add(found.cardinality() + " rows scanned of " + count() + "; the first lost row: "
          + found.nextClearBit(0));
    }
  }

  private void lookUp(Table table, int from, int to, List<String> problems) throws IOException {
    List<Get> gets = new ArrayList<>();
    for (byte[] key : acknowledged.subList(from, Math.max(from, to))) {
      gets.add(new Get(key));
    }
    Result[] found = table.get(gets);
    for (int i = from; i < to; i++) {
      check(found[i - from], i, problems);
    }
  }

  private void check(Result row, int i, List<String> problems) {
    if (!Bytes.equals(before(i), row.getValue(FAMILY, BEFORE))) {
      problems.add("row " + i + " of " + count() + " is lost or wrong");
    }
    byte[] value = row.getValue(FAMILY, REWRITTEN);
    int version = value == null ? 0 : Bytes.toInt(value);
    if (version < rewritten.get(i)) {
      problems.add("row " + i + " of " + count() + " is older than acknowledged");
    }
    byte[] padding = padding(acknowledged.get(i), version);
    if (!Bytes.equals(padding, row.getValue(FAMILY, PADDING))) {
      problems.add("row " + i + " of " + count() + " has the padding of another write");
    }
  }
}
