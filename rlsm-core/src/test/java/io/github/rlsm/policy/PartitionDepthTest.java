// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import static io.github.rlsm.policy.Shapes.run;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.base.KeyRange;
import io.github.rlsm.base.SeededRuns;
import io.github.rlsm.base.SeqnoRange;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class PartitionDepthTest {

  @Test
  void runsThatOnlyTouchDoNotOverlap() {
    assertThat(PartitionShape.deepest(List.of(run(1, 0, 5, 1), run(2, 6, 9, 1))).cardinality())
        .isEqualTo(1);
    assertThat(PartitionShape.deepest(List.of(run(1, 0, 5, 1), run(2, 5, 9, 1))).cardinality())
        .isEqualTo(2);
    assertThat(PartitionShape.deepest(List.of())).isEqualTo(new BitSet());
  }

  @Test
  void slicesOnBothSidesOfACutDoNotOverlap() {
    KeyRange left = KeyRange.of(IntKeys.key(0), IntKeys.key(5));
    KeyRange right = KeyRange.of(IntKeys.key(5), IntKeys.key(9));
    List<RunShape> runs = List.of(
        new RunShape(
            new RunShape.TableFile(1, 2),
            left,
            1,
            new RunShape.Counts(1, 0, 0),
            new SeqnoRange(1, 1),
            RunShape.Values.NONE),
        new RunShape(
            new RunShape.TableFile(1, 2),
            right,
            1,
            new RunShape.Counts(1, 0, 0),
            new SeqnoRange(1, 1),
            RunShape.Values.NONE),
        run(2, 20, 30, 1),
        run(3, 25, 40, 1));
    assertThat(PartitionShape.deepest(runs).stream()).containsExactly(2, 3);
  }

  @Test
  void theDeepestKeyIsFound() {
    SeededRuns.run(500, random -> {
      List<RunShape> runs = new ArrayList<>();
      for (int i = 0; i < 1 + random.nextInt(15); i++) {
        int from = random.nextInt(50);
        runs.add(run(i, from, from + random.nextInt(20), 1));
      }
      long most = 0;
      for (int key = 0; key < 70; key++) {
        byte[] bytes = IntKeys.key(key);
        most =
            Math.max(most, runs.stream().filter(r -> r.span().contains(bytes)).count());
      }
      BitSet deepest = PartitionShape.deepest(runs);
      assertThat((long) deepest.cardinality()).isEqualTo(most);
      RunShape first = runs.get(deepest.nextSetBit(0));
      assertThat(deepest.stream().mapToObj(runs::get))
          .allMatch(run -> run.span().intersects(first.span()));
    });
  }
}
