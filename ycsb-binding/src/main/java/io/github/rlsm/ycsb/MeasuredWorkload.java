// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.ycsb;

import java.util.HashMap;
import java.util.concurrent.atomic.LongAdder;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.workloads.CoreWorkload;

/**
 * YCSB's own workload, which tells the client where a read-modify-write begins and ends, and counts
 * what YCSB's verification overlooks: a record that came back with some of its fields missing.
 *
 * <p>Threads: shared by all client threads.
 */
final class MeasuredWorkload extends CoreWorkload {

  private final LongAdder incomplete = new LongAdder();

  @Override
  public void doTransactionReadModifyWrite(DB db) {
    MeasuredClient client = (MeasuredClient) db;
    client.beginReadModifyWrite();
    super.doTransactionReadModifyWrite(db);
    client.endReadModifyWrite();
  }

  @Override
  @SuppressWarnings("NonApiType") // YCSB declares it so.
  protected void verifyRow(String key, HashMap<String, ByteIterator> cells) {
    // Without any cell YCSB reports an error itself.
    if (!cells.isEmpty() && cells.size() != fieldcount) {
      incomplete.increment();
    }
    super.verifyRow(key, cells);
  }

  /** How many verified records had some of their fields, but not all. */
  long incompleteRows() {
    return incomplete.sum();
  }
}
