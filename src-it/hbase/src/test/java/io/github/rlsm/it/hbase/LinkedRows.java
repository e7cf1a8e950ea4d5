// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.it.hbase;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.hbase.Cell;
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
 * Rows each of which names the one written before it, as HBase's linked-list test has them: a row
 * that is lost, or comes back older, breaks the chain. Some are written again.
 *
 * <p>Threads: one.
 */
final class LinkedRows {

  static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] BEFORE = Bytes.toBytes("before");
  private static final byte[] REWRITTEN = Bytes.toBytes("rewritten");
  private static final int PADDING = 400;
  private static final int KEY_BYTES = 16;
  private static final int GETS = 500;

  private final TableName name;
  private final Random random;
  private final List<byte[]> acknowledged = new ArrayList<>();
  private final List<Integer> rewritten = new ArrayList<>();
  private final byte[] padding = new byte[PADDING];

  /** No rows yet. */
  LinkedRows(TableName name, Random random) {
    this.name = name;
    this.random = random;
  }

  /** How many were acknowledged. */
  int count() {
    return acknowledged.size();
  }

  /** Writes some batches more; what a failed one left may be there or not. */
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
    byte[] before = acknowledged.isEmpty() ? new byte[0] : acknowledged.get(count() - 1);
    for (int i = 0; i < batchSize; i++) {
      byte[] key = new byte[KEY_BYTES];
      random.nextBytes(key);
      random.nextBytes(padding);
      puts.add(new Put(key)
          .addColumn(FAMILY, BEFORE, before)
          .addColumn(FAMILY, Bytes.toBytes("padding"), padding));
      keys.add(key);
      before = key;
    }
    int again = count() == 0 ? -1 : random.nextInt(count());
    if (again >= 0) {
      puts.add(
          new Put(acknowledged.get(again)).addColumn(FAMILY, REWRITTEN, Bytes.toBytes(count())));
    }
    table.put(puts);
    acknowledged.addAll(keys);
    while (rewritten.size() < acknowledged.size()) {
      rewritten.add(0);
    }
    if (again >= 0) {
      rewritten.set(again, count() - batchSize);
    }
  }

  /**
   * Follows the chain from its newest row to its first, and asks for all rows by one scan, too.
   *
   * @return what is wrong, in words; empty if nothing is
   */
  List<String> problems(Connection connection) throws IOException {
    List<String> problems = new ArrayList<>();
    try (Table table = connection.getTable(name)) {
      for (int i = 0; i < count(); i += GETS) {
        lookUp(table, i, Math.min(count(), i + GETS), problems);
      }
      int scanned = 0;
      try (ResultScanner rows = table.getScanner(new Scan().setCaching(GETS))) {
        byte[] last = null;
        for (Result row : rows) {
          if (last != null && Bytes.compareTo(last, row.getRow()) >= 0) {
            problems.add("rows out of order");
          }
          last = row.getRow();
          scanned++;
        }
      }
      if (scanned < count()) {
        problems.add(scanned + " rows scanned of " + count());
      }
    }
    return problems;
  }

  private void lookUp(Table table, int from, int to, List<String> problems) throws IOException {
    List<Get> gets = new ArrayList<>();
    for (byte[] key : acknowledged.subList(from, to)) {
      gets.add(new Get(key));
    }
    Result[] found = table.get(gets);
    for (int i = from; i < to; i++) {
      Result row = found[i - from];
      byte[] before = i == 0 ? new byte[0] : acknowledged.get(i - 1);
      Cell link = row.getColumnLatestCell(FAMILY, BEFORE);
      if (link == null || !Bytes.equals(before, row.getValue(FAMILY, BEFORE))) {
        problems.add("row " + i + " of " + count() + " is lost or wrong");
      }
      byte[] value = row.getValue(FAMILY, REWRITTEN);
      if ((value == null ? 0 : Bytes.toInt(value)) < rewritten.get(i)) {
        problems.add("row " + i + " of " + count() + " is older than acknowledged");
      }
    }
  }
}
