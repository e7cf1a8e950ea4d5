// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import io.github.rlsm.base.LinearSelection;
import io.github.rlsm.base.LinearSelection.Equal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * Finds the keys that divide weighted samples into pieces of about equal weight, by linear
 * selection. It takes O(n) comparisons for two pieces and O(n log p) for p pieces in the worst
 * case, without a sort.
 */
public final class SplitKeys {

  private static final Comparator<WeightedKey> BY_KEY =
      (a, b) -> Arrays.compareUnsigned(a.key(), b.key());

  private final WeightedKey[] samples;
  private final double pieceWeight;
  private final List<byte[]> keys = new ArrayList<>();

  private SplitKeys(WeightedKey[] samples, int pieces) {
    this.samples = samples;
    this.pieceWeight = (double) weight(samples, 0, samples.length) / pieces;
  }

  /**
   * The first key of every piece except the first piece, ascending and distinct. Each is the key of
   * a sample and larger than the smallest sample. Returns fewer keys, or none, if the samples have
   * too few distinct keys.
   *
   * @param samples in any order; keys can repeat
   */
  public static List<byte[]> find(Collection<WeightedKey> samples, int pieces) {
    SplitKeys search = new SplitKeys(samples.toArray(WeightedKey[]::new), pieces);
    search.split(0, search.samples.length, 0, 0, pieces);
    return search.keys;
  }

  /**
   * Divides {@code samples[from, to)} into the pieces {@code [first, last)}.
   *
   * @param before the weight of all samples before {@code from}
   */
  private void split(int from, int to, long before, int first, int last) {
    if (last - first < 2) {
      return;
    }
    int middle = (first + last) >>> 1;
    int cut = cut(from, to, middle * pieceWeight - before);
    if (cut == from) {
      return;
    }
    byte[] key = Arrays.stream(samples, cut, to).min(BY_KEY).orElseThrow().key();
    split(from, cut, before, first, middle);
    keys.add(key);
    split(cut, to, before + weight(samples, from, cut), middle, last);
  }

  /**
   * Rearranges {@code samples[from, to)} around a cut between two different keys.
   *
   * @param wanted the target weight of the part before the cut
   * @return the index of the first sample after the cut that is closest to {@code wanted};
   *     {@code from} if all keys are equal
   */
  private int cut(int from, int to, double wanted) {
    int low = from;
    int high = to;
    long below = 0;
    while (low < high) {
      int middle = (low + high - 1) >>> 1;
      LinearSelection.select(samples, low, high, middle, BY_KEY);
      Equal equal = LinearSelection.partition(samples, low, high, samples[middle], BY_KEY);
      long belowEqual = below + weight(samples, low, equal.from());
      long belowLarger = belowEqual + weight(samples, equal.from(), equal.to());
      if (wanted <= belowEqual && equal.from() > low) {
        high = equal.from();
      } else if (wanted > belowLarger && equal.to() < high) {
        low = equal.to();
        below = belowLarger;
      } else {
        return closer(from, to, equal, wanted - belowEqual < belowLarger - wanted);
      }
    }
    return from;
  }

  /**
   * The closer end of the range of samples that equal the pivot. Avoids the ends of {@code [from,
   * to)} if possible.
   */
  private static int closer(int from, int to, Equal equal, boolean startIsCloser) {
    boolean mayStart = equal.from() > from;
    boolean mayEnd = equal.to() < to;
    if (mayStart && (startIsCloser || !mayEnd)) {
      return equal.from();
    }
    return mayEnd ? equal.to() : from;
  }

  private static long weight(WeightedKey[] samples, int from, int to) {
    long sum = 0;
    for (int i = from; i < to; i++) {
      sum += samples[i].bytes();
    }
    return sum;
  }

  /**
   * A key that represents the bytes from it to the next sample. An example is a page's first key
   * with the page's size. The array is not copied and must not be modified.
   *
   * @param key the key where the bytes begin
   * @param bytes the number of bytes; at least 1
   */
  @SuppressWarnings("ArrayRecordComponent") // samples are never compared as records
  public record WeightedKey(byte[] key, long bytes) {

    /** Checks that the weight is positive, so that sums of weights increase. */
    public WeightedKey {
      if (bytes < 1) {
        throw new IllegalArgumentException(
            "a sample weighs " + bytes + " bytes but must weigh at least 1");
      }
    }
  }
}
