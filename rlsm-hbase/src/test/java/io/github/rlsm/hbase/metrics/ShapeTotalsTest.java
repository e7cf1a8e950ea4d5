// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.hbase.metrics.StoreMetrics.Shape;
import io.github.rlsm.hbase.metrics.StoreMetrics.Values;
import org.junit.jupiter.api.Test;

class ShapeTotalsTest {

  private static final Shape SHALLOW = new Shape(2, 5, 1, 3, new Values(1, 100, 10, 0));
  private static final Shape DEEP = new Shape(4, 20, 2, 9, new Values(2, 1_000, 0, 1));

  private final ShapeTotals totals = new ShapeTotals();

  @Test
  void countsAreSummedAndTheDeepestStoreCounts() {
    totals.replace(Shape.NONE, SHALLOW);
    totals.replace(Shape.NONE, DEEP);
    assertThat(totals.now()).isEqualTo(new Shape(6, 25, 3, 9, new Values(3, 1_100, 10, 1)));
  }

  @Test
  void depthFallsWhenTheDeepestStoreIsCompactedOrClosed() {
    totals.replace(Shape.NONE, SHALLOW);
    totals.replace(Shape.NONE, DEEP);
    Shape compacted = new Shape(4, 4, 0, 1, new Values(2, 1_000, 0, 1));
    totals.replace(DEEP, compacted);
    assertThat(totals.now().depth()).isEqualTo(3);
    totals.replace(SHALLOW, Shape.NONE);
    assertThat(totals.now()).isEqualTo(compacted);
    totals.replace(compacted, Shape.NONE);
    assertThat(totals.now()).isEqualTo(Shape.NONE);
  }

  @Test
  void oneOfTwoStoresOfTheSameDepthRemains() {
    totals.replace(Shape.NONE, DEEP);
    totals.replace(Shape.NONE, DEEP);
    totals.replace(DEEP, SHALLOW);
    assertThat(totals.now().depth()).isEqualTo(9);
  }
}
