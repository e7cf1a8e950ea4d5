// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.ycsb;

import java.util.HashMap;
import java.util.concurrent.atomic.LongAdder;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.workloads.CoreWorkload;

/**
 * YCSB's workload with two additions. It tells the client where a read-modify-write begins and
 * ends. It counts returned records with missing fields, which YCSB's verification does not detect.
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
  @SuppressWarnings("NonApiType") // the signature is YCSB's
  protected void verifyRow(String key, HashMap<String, ByteIterator> cells) {
    // For a record without cells, YCSB reports an error itself.
    if (!cells.isEmpty() && cells.size() != fieldcount) {
      incomplete.increment();
    }
    super.verifyRow(key, cells);
  }

  /** The number of verified records that had some of their fields, but not all. */
  long incompleteRows() {
    return incomplete.sum();
  }
}
