// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.read;

import io.github.rlsm.base.CursorEntry;
import io.github.rlsm.base.KeyOrder;
import io.github.rlsm.base.KeyRange;
import org.jspecify.annotations.Nullable;

/**
 * The end of a scan's key range in the direction of the scan. Immutable. Most keys are compared by
 * their prefixes only.
 */
final class ScanEnd {

  private final boolean descending;
  private final byte @Nullable [] bound;
  private final long boundPrefix;

  ScanEnd(KeyRange range, boolean descending) {
    this.descending = descending;
    this.bound = descending ? range.from() : range.to();
    this.boundPrefix = bound == null ? 0 : KeyOrder.prefix(bound, 0, bound.length);
  }

  /** Whether an entry lies beyond the end. The smallest key belongs to the range, the end not. */
  boolean isBefore(CursorEntry entry) {
    byte[] end = bound;
    if (end == null) {
      return false;
    }
    int order = Long.compareUnsigned(boundPrefix, entry.keyPrefix());
    if (order == 0) {
      order = KeyOrder.compare(
          end, 0, end.length, entry.buffer(), entry.keyOffset(), entry.keyLength());
    }
    return descending ? order > 0 : order <= 0;
  }
}
