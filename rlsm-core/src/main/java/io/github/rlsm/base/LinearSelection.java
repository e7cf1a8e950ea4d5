// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.base;

import java.util.Comparator;

/**
 * Selects the k-th smallest element in linear time, for any input. The pivot is the median of the
 * medians of groups of five (Blum, Floyd, Pratt, Rivest, Tarjan: Time bounds for selection, 1973).
 *
 * <p>At least three tenths of the elements lie on either side of the pivot or are equal to it. The
 * partition takes n comparisons, and the groups take at most 2n. So the total is T(n) ≤ T(n/5) +
 * T(7n/10) + 3n ≤ 30n, plus a constant for rounding.
 */
public final class LinearSelection {

  private static final int GROUP = 5;

  private LinearSelection() {}

  /**
   * Rearranges {@code a[from, to)} so that {@code a[k]} has the element that sorting would put
   * there. No element before it is larger, and no element after it is smaller.
   *
   * @param k an index in {@code [from, to)}
   */
  public static <T> void select(T[] a, int from, int to, int k, Comparator<? super T> order) {
    int low = from;
    int high = to;
    while (high - low > GROUP) {
      T pivot = medianOfMedians(a, low, high, order);
      Equal equal = partition(a, low, high, pivot, order);
      if (k < equal.from()) {
        high = equal.from();
      } else if (k >= equal.to()) {
        low = equal.to();
      } else {
        return;
      }
    }
    insertionSort(a, low, high, order);
  }

  /**
   * The indexes of the elements that equal a pivot.
   *
   * @param from index of the first of them; smaller elements lie before it
   * @param to index after the last of them; larger elements lie from there on
   */
  public record Equal(int from, int to) {}

  /**
   * Partitions {@code a[from, to)} into elements smaller than, equal to and larger than a pivot.
   */
  public static <T> Equal partition(T[] a, int from, int to, T pivot, Comparator<? super T> order) {
    int smallerEnd = from;
    int largerStart = to;
    int next = from;
    while (next < largerStart) {
      int comparison = order.compare(a[next], pivot);
      if (comparison < 0) {
        swap(a, next++, smallerEnd++);
      } else if (comparison > 0) {
        swap(a, next, --largerStart);
      } else {
        next++;
      }
    }
    return new Equal(smallerEnd, largerStart);
  }

  private static <T> T medianOfMedians(T[] a, int from, int to, Comparator<? super T> order) {
    int medians = from;
    for (int group = from; group < to; group += GROUP) {
      int end = Math.min(group + GROUP, to);
      insertionSort(a, group, end, order);
      swap(a, medians++, (group + end - 1) >>> 1);
    }
    int middle = (from + medians) >>> 1;
    select(a, from, medians, middle, order);
    return a[middle];
  }

  private static <T> void insertionSort(T[] a, int from, int to, Comparator<? super T> order) {
    for (int i = from + 1; i < to; i++) {
      for (int j = i; j > from && order.compare(a[j - 1], a[j]) > 0; j--) {
        swap(a, j - 1, j);
      }
    }
  }

  private static <T> void swap(T[] a, int i, int j) {
    T kept = a[i];
    a[i] = a[j];
    a[j] = kept;
  }
}
