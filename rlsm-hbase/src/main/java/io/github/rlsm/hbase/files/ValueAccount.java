// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.files;

import io.github.rlsm.hbase.values.ValueOrder;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.regionserver.HStoreFile;

/**
 * What scans have paid for key order of a store's separated values. A scan pays each time that it
 * moves from one value file to another one although the first has rows ahead. Values in key order
 * would have saved this read. A merge takes out twice the bytes of its files. So work for scans
 * costs at most as much as the scans have lost, and a store without scans does no such work.
 *
 * <p>All payments together pay for a merge of few files, so the first files are soon in order. But
 * a file is merged only if scans have paid for reads of this file too ({@link #canMerge}).
 * Otherwise what scans of old values had paid would be spent on each new flush.
 *
 * <p>A scan pays by the time that it lost, since a block in the cache costs it far less than a
 * block on disk. The price of {@value #READ_BYTES} bytes of a merge is {@value #READ_NANOS} ns. At
 * this rate a merge reads and writes 200 MB/s, as it does with one processor. A single read pays at
 * most {@value #READ_BYTES_MAX} bytes, since a pause of the process is not the fault of the order.
 * A Get pays nothing, because it reads the values of one row.
 *
 * <p>Threads: any. HBase's lock of the store's files guards the set of files.
 */
public final class ValueAccount {

  private static final long READ_NANOS = 10_000;
  private static final long READ_BYTES = 2 << 10;
  private static final long READ_BYTES_MAX = 64 << 10;

  /** The part of a file's size that scans must have paid for reads of the file itself. */
  private static final long PART_READ = 16;

  private final Runnable scansPaid;
  private final AtomicLong paid = new AtomicLong();

  /** The payment at which a scan reports a paid merge. */
  private final AtomicLong report = new AtomicLong(Long.MAX_VALUE);

  private Set<HStoreFile> files = Set.of();

  /**
   * Creates an account of a store without files.
   *
   * @param scansPaid called by a scan that has completed the payment for a merge
   */
  ValueAccount(Runnable scansPaid) {
    this.scansPaid = scansPaid;
  }

  /** Takes out the cost of merged files, and computes the price of the next merge. */
  void changed(Collection<? extends HStoreFile> now, long stepBytesMax) {
    Set<HStoreFile> left = new HashSet<>(now);
    long spent = files.stream()
        .filter(file -> !left.contains(file))
        .mapToLong(file -> 2 * Math.max(0, FileAge.bytes(file)))
        .sum();
    if (spent > 0) {
      paid.updateAndGet(before -> Math.max(0, before - spent));
    }
    files = left;
    report.set(ValueOrder.choose(left, FileAge::bytes, stepBytesMax)
        .map(ValueOrder.Merge::price)
        .orElse(Long.MAX_VALUE));
  }

  /** The bytes that a scan pays for a read of some duration. */
  static long bytes(long nanos) {
    return nanos >= READ_BYTES_MAX / READ_BYTES * READ_NANOS
        ? READ_BYTES_MAX
        : Math.max(0, nanos) * READ_BYTES / READ_NANOS;
  }

  /** Whether scans have paid enough for reads of a value file that it may be merged for them. */
  public static boolean canMerge(PartitionedStoreFile file) {
    return file.paid() >= FileAge.bytes(file) / PART_READ;
  }

  /**
   * Lets a scan pay, and reports the payment of a merge. If no merge follows, the next report is
   * due when scans have paid an eighth more: then they may have read the files.
   */
  void pay(long bytes) {
    long now = paid.addAndGet(bytes);
    long due = report.get();
    if (now >= due && report.compareAndSet(due, now + Math.max(1, now / 8))) {
      scansPaid.run();
    }
  }

  /** The bytes that scans have paid. */
  public long paid() {
    return paid.get();
  }
}
