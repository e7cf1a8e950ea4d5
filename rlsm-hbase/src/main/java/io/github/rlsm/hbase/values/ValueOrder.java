// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.values;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;

/**
 * Selects value files to merge for scans; pure. A flush leaves one value file with rows of the
 * whole store, so the values of a hundred neighbouring rows lie in nearly as many files as there
 * were flushes. In a merged file they are neighbours.
 *
 * <p>Scans pay for such a merge in advance ({@code ValueAccount}). Each merge needs only its own
 * price, although all files together collect the payments. So values get into order little by
 * little, and the work is never more than what scans have lost.
 */
public final class ValueOrder {

  /**
   * The largest number of files of one merge, which has a scanner of each. With 16, the files of
   * small flushes were merged twice before a merged file had its largest size.
   */
  static final int FILES_MAX = 64;

  /** The fixed cost of a merge, added to the bytes that it reads and writes. */
  static final long CHANGE_BYTES = 1 << 20;

  private ValueOrder() {}

  /**
   * A merge of value files.
   *
   * @param <F> a handle of a file
   * @param files the files, from the smallest to the largest
   * @param bytes their total size
   */
  public record Merge<F>(List<F> files, long bytes) {

    /** Copies the list of files. */
    public Merge {
      files = List.copyOf(files);
    }

    /** The bytes that scans must have paid. */
    public long price() {
      return CHANGE_BYTES + 2 * bytes;
    }
  }

  /**
   * Selects files that are merged to one of a limited size, if there are such. If not, selects
   * files of any size. So values get into order step by step, and end in one file, where a scan
   * needs a single read for the values of neighbouring rows. The last merge takes as much space
   * again for its duration, as a major compaction of HBase's does.
   *
   * @param bytes the size of a file
   * @param stepBytesMax the largest size of a merged file, except for the last merge
   */
  public static <F> Optional<Merge<F>> choose(
      Collection<F> files, ToLongFunction<F> bytes, long stepBytesMax) {
    List<F> smallest = new ArrayList<>(files);
    smallest.sort(Comparator.comparingLong(bytes));
    return cheapest(smallest, bytes, stepBytesMax)
        .or(() -> cheapest(smallest, bytes, Long.MAX_VALUE));
  }

  /**
   * Selects the smallest files, as many as save most for the bytes. The exponent favours few large
   * merges over many small ones that are slightly cheaper for each file. Empty if no two files are
   * small enough.
   *
   * <p>The embedded engine's {@code CleanPlanner.forScans} has the same exponent, but cannot select
   * value files. It takes adjacent runs of one key range, without a largest size. It compares bytes
   * without the fixed cost, so it would merge tiny files two at a time.
   */
  private static <F> Optional<Merge<F>> cheapest(
      List<F> smallest, ToLongFunction<F> bytes, long bytesMax) {
    int count = Math.min(FILES_MAX, smallest.size());
    Optional<Merge<F>> best = Optional.empty();
    double bestCost = Double.POSITIVE_INFINITY;
    long sum = count == 0 ? 0 : bytes.applyAsLong(smallest.get(0));
    for (int saved = 1; saved < count; saved++) {
      sum += bytes.applyAsLong(smallest.get(saved));
      if (sum > bytesMax) {
        break;
      }
      Merge<F> merge = new Merge<>(smallest.subList(0, saved + 1), sum);
      double cost = merge.price() / (saved * Math.sqrt(saved));
      if (cost <= bestCost) {
        best = Optional.of(merge);
        bestCost = cost;
      }
    }
    return best;
  }
}
