// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.base;

import java.util.List;

/**
 * The header of a part: identifies a batch as one store's part of a cross-shard batch, and names
 * all stores that have a part. Immutable.
 *
 * @param gsn the global sequence number of the cross-shard batch, 1 or more; within a store, the
 *     numbers of its parts ascend
 * @param stores the numbers of the stores that have a part, ascending, two or more
 */
public record PartHeader(long gsn, List<Integer> stores) {

  /** The largest number a store can have. */
  public static final int STORE_MAX = 0xFFFF;

  /** Validates the header. */
  public PartHeader {
    stores = List.copyOf(stores);
    if (!isPossible(gsn, stores)) {
      throw new IllegalArgumentException(
          "impossible part header: gsn " + gsn + ", stores " + stores);
    }
  }

  /** Returns whether a header can have these values. */
  public static boolean isPossible(long gsn, List<Integer> stores) {
    boolean possible = gsn >= 1 && stores.size() >= 2;
    int before = -1;
    for (int store : stores) {
      possible &= store > before && store <= STORE_MAX;
      before = store;
    }
    return possible;
  }
}
