// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.rocks;

import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/** The flushes and compactions of a RocksDB. */
public final class BackgroundWork {

  private static final long POLL_NANOS = 5_000_000;

  /** Properties that are 0 if a column family has no background work. */
  private static final List<String> WORK = List.of(
      "rocksdb.mem-table-flush-pending",
      "rocksdb.num-running-flushes",
      "rocksdb.compaction-pending",
      "rocksdb.num-running-compactions");

  private BackgroundWork() {}

  /** Waits until no flush and no compaction of the column families runs or is pending. */
  public static void await(RocksDB rocks, List<ColumnFamilyHandle> families)
      throws RocksDBException {
    while (isPending(rocks, families)) {
      LockSupport.parkNanos(POLL_NANOS);
    }
  }

  private static boolean isPending(RocksDB rocks, List<ColumnFamilyHandle> families)
      throws RocksDBException {
    for (ColumnFamilyHandle family : families) {
      for (String work : WORK) {
        if (rocks.getLongProperty(family, work) != 0) {
          return true;
        }
      }
    }
    return false;
  }
}
