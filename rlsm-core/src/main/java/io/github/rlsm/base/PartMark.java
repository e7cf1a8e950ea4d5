// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.base;

import java.util.List;

/**
 * Says of a batch that it is one store's part of a batch over several, and which of them have the
 * others. Immutable.
 *
 * @param gsn the whole batch's global sequence number, 1 or more; in each store the parts' numbers
 *     ascend
 * @param stores the numbers of the stores that have a part, ascending, two or more
 */
public record PartMark(long gsn, List<Integer> stores) {

  /** The largest number a store can have. */
  public static final int STORE_MAX = 0xFFFF;

  /** Checks what it is given. */
  public PartMark {
    stores = List.copyOf(stores);
    if (!isPossible(gsn, stores)) {
      throw new IllegalArgumentException("gsn " + gsn + ", stores " + stores);
    }
  }

  /** Whether there could be such a mark. */
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
