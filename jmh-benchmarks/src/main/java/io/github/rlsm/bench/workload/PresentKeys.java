// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.workload;

/**
 * The keys that a correct store holds. Keys have numbers: all numbers below {@code loaded} are
 * present, except the even numbers below {@code deletedBelow}. So deletes are spread evenly over
 * the key space in either order of keys.
 *
 * @param order the order of the keys
 * @param loaded number of keys that were loaded
 * @param deletedBelow number below which every even number's key was deleted; 0 to {@code loaded}
 */
public record PresentKeys(KeyOrder order, long loaded, long deletedBelow) {

  /** Allowed deviation of a count of random keys, in standard deviations. */
  private static final double DEVIATIONS = 6;

  /** The keys of an empty store. */
  public static PresentKeys none(KeyOrder order) {
    return new PresentKeys(order, 0, 0);
  }

  /** The keys after the load of {@code more} keys. */
  public PresentKeys loaded(long more) {
    return new PresentKeys(order, loaded + more, deletedBelow);
  }

  /** The keys after the first {@code deletes} deletes, see {@link #deleted}. */
  public PresentKeys withDeletes(long deletes) {
    return new PresentKeys(order, loaded, 2 * deletes);
  }

  /** The number whose key the n-th delete removes, counted from 0. */
  public static long deleted(long n) {
    return 2 * n;
  }

  /** The number of deletes that remove every second key. */
  public static long deletes(long keys) {
    return keys / 2;
  }

  /** Whether the store holds the key of a number. */
  public boolean contains(long id) {
    return id >= 0 && id < loaded && !isDeleted(id);
  }

  /** The number itself if its key is present, otherwise the next number, whose key is present. */
  public long presentAt(long id) {
    return isDeleted(id) ? id + 1 : id;
  }

  /**
   * The minimum number of entries in a scan of up to {@code limit} entries that begins at the key
   * of a number. The number of random keys above a key is random, so the result leaves a margin.
   */
  public long certainFrom(long id, int limit) {
    if (order == KeyOrder.INCREASING) {
      return Math.min(limit, loaded - id - Math.max(0, (deletedBelow + 1) / 2 - (id + 1) / 2));
    }
    double count = (double) (loaded - deletedBelow / 2);
    double above = (1 - Keys.rank(id)) * count - DEVIATIONS * Math.sqrt((double) loaded);
    return Math.min(limit, Math.max(contains(id) ? 1 : 0, (long) above));
  }

  private boolean isDeleted(long id) {
    return id < deletedBelow && (id & 1) == 0;
  }
}
