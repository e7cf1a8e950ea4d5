// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.files;

import io.github.rlsm.hbase.layout.FileShape;
import io.github.rlsm.hbase.layout.Layout;
import io.github.rlsm.hbase.layout.Partition;
import io.github.rlsm.policy.CleanPlanner;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.ToLongFunction;

/**
 * What scans have paid for merges of runs, one account for each partition. A scan pays for each run
 * at its first row except the largest, and for the dead versions that it passes. A merge takes out
 * twice the bytes that it reads. So work for scans costs at most as much as the scans have cost
 * themselves, and a store without scans does no such work.
 *
 * <p>A scan pays {@value #SEEK_BYTES} bytes for a run whose file has an eighth of the partition's
 * bytes, values included. It pays less for smaller files, at least {@value #SEEK_BYTES_MIN}. Small
 * runs and key files stay in the block cache. With data of twice the cache's size, four large runs
 * cost a scan of 100 rows 0.11 ms of processor time each. In this time a merge reads or writes 22
 * to 45 KB. Seven small runs together cost it 0.03 ms.
 *
 * <p>A scan pays {@value #DEAD_BYTES} bytes for each byte of a dead version
 * ({@link PassedVersions}). With 100 rows of 1,000 bytes, all overwritten once, client and server
 * took 1.2 ms of processor time more for a scan than after the merge. In this time a merge reads or
 * writes 240 to 470 KB. About a quarter of it are seeks.
 *
 * <p>Accounts are in bytes of the layout, where a key file counts with its values. A merge of key
 * files does not rewrite values, so a payment counts for as many more bytes.
 *
 * <p>Gets do not pay, because Bloom filters exclude most runs. Wide files do not count, because
 * they are appended soon anyway.
 *
 * <p>Threads: any. A scan that pays while the files change may not be counted.
 *
 * @param <F> a handle of a file
 */
public final class ScanAccounts<F> {

  /** The cost of one more large run for a scan, in bytes that a compaction reads or writes. */
  public static final long SEEK_BYTES = 32 << 10;

  /** The cost of a small run. */
  static final long SEEK_BYTES_MIN = 8 << 10;

  /** The cost of a dead byte that a scan passes. */
  public static final long DEAD_BYTES = 2;

  /** A run is large if its file has this part of the partition's bytes, values included. */
  private static final double LARGE = 1.0 / 8;

  private final Layout<F> layout;
  private final AtomicLongArray paid;

  /** The bytes that a scan pays for each run of each partition. */
  private final long[][] seekBytes;

  /** The payment at which a scan reports a paid merge; 0 before it is computed. */
  private final AtomicLongArray reports;

  private ScanAccounts(Layout<F> layout, long[] paid, ToLongFunction<F> written) {
    this.layout = layout;
    this.paid = new AtomicLongArray(paid);
    this.seekBytes = layout.partitions().stream()
        .map(partition -> seekBytes(partition, written))
        .toArray(long[][]::new);
    this.reports = new AtomicLongArray(paid.length);
  }

  /** The accounts of a store without files. */
  static <F> ScanAccounts<F> none() {
    return new ScanAccounts<>(Layout.of(List.of(), 0), new long[1], file -> 0);
  }

  private static <F> long[] seekBytes(Partition<F> partition, ToLongFunction<F> written) {
    long merged = partition.runs().stream()
        .mapToLong(run -> Math.max(1, written.applyAsLong(run.file())))
        .sum();
    double part = merged == 0 ? 1 : Math.max(1, (double) partition.bytes() / merged);
    double large = Math.max(1, LARGE * partition.bytes());
    return partition.runs().stream()
        .mapToDouble(run -> Math.min(1, written.applyAsLong(run.file()) / large))
        .mapToLong(share -> (long) (part * Math.max(SEEK_BYTES_MIN, SEEK_BYTES * share)))
        .toArray();
  }

  /**
   * The accounts of the partitions of a later layout. A partition with the same rows keeps its
   * account, less the cost of the merges of its runs.
   *
   * @param written the bytes of a file that a merge reads and writes
   */
  ScanAccounts<F> in(Layout<F> later, ToLongFunction<F> written) {
    long[] left = new long[later.partitions().size()];
    for (int i = 0; i < left.length; i++) {
      Partition<F> partition = later.partitions().get(i);
      int before = index(partition);
      if (layout.partitions().get(before).range().equals(partition.range())) {
        left[i] = Math.max(0, paid.get(before) - spent(before, partition));
      }
    }
    return new ScanAccounts<>(later, left, written);
  }

  private long spent(int before, Partition<F> partition) {
    if (paid.get(before) == 0) {
      return 0;
    }
    Set<F> still = new HashSet<>();
    partition.runs().forEach(run -> still.add(run.file()));
    return layout.partitions().get(before).runs().stream()
        .filter(run -> !still.contains(run.file()))
        .mapToLong(run -> 2 * run.bytes())
        .sum();
  }

  /** The bytes that scans have paid for a partition of this layout. */
  public long paid(Partition<F> partition) {
    return paid.get(index(partition));
  }

  private int index(Partition<F> partition) {
    byte[] from = partition.range().from();
    return from == null ? 0 : layout.partitionOf(from);
  }

  /**
   * Lets a scan pay that begins at a row.
   *
   * @return whether the scan must report that a merge is paid. If no merge follows, the next report
   *     is due when scans have paid twice as much.
   */
  boolean scanned(byte[] row) {
    int index = layout.partitionOf(row);
    List<FileShape<F>> runs = layout.partitions().get(index).runs();
    long all = 0;
    long largest = 0;
    for (int i = 0; i < runs.size(); i++) {
      if (runs.get(i).spans(row)) {
        all += seekBytes[index][i];
        largest = Math.max(largest, seekBytes[index][i]);
      }
    }
    return all != largest && pay(index, all - largest);
  }

  /**
   * Lets a scan pay for dead versions that it has passed. A merge drops them if the partition has
   * several runs. Wide files do not count, so their part of the files over the row does not either.
   *
   * @param row a row that the scan has passed
   * @param bytes the bytes of the dead versions, values included
   * @return as {@link #scanned}
   */
  boolean passedDead(byte[] row, long bytes) {
    int index = layout.partitionOf(row);
    long runs = layout.partitions().get(index).runs().stream()
        .filter(run -> run.spans(row))
        .count();
    int others = layout.spanning(row).size() - 1;
    return runs > 1 && pay(index, DEAD_BYTES * bytes * (runs - 1) / others);
  }

  private boolean pay(int index, long bytes) {
    long now = paid.addAndGet(index, bytes);
    long report = reports.get(index);
    if (report == 0) {
      report = price(layout.partitions().get(index));
      reports.set(index, report);
    }
    return now >= report && reports.compareAndSet(index, report, 2 * now);
  }

  private long price(Partition<F> partition) {
    return CleanPlanner.forScans(layout.shape(partition, partition.runs()))
        .map(rewrite -> (long) rewrite.price())
        .orElse(Long.MAX_VALUE);
  }
}
