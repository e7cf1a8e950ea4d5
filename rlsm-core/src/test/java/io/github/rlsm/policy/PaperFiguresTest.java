// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.base.KeyRange;
import io.github.rlsm.policy.Plan.Compaction.Link;
import io.github.rlsm.policy.Plan.Compaction.NewRun;
import io.github.rlsm.policy.Plan.Compaction.Rewrite;
import io.github.rlsm.policy.Plan.Compaction.Slice;
import io.github.rlsm.policy.Plan.Compaction.Target;
import io.github.rlsm.policy.VictimPicker.KeyWidth;
import io.github.rlsm.policy.VictimPicker.KeyWidth.Density;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * The worked examples of the RLSM paper, figures 2 and 3, step by step. Each entry has ten bytes
 * and is a separate page. Where the figure does not print a file's keys, the keys are chosen to
 * give the printed ranges and densities.
 */
class PaperFiguresTest {

  private final ModelLevel level = new ModelLevel(10, 1);
  private long seqno;

  @Test
  void densitiesEqualThoseOfFigureTwo() {
    KeyRange[] files = {
      IntKeys.span(1, 7), IntKeys.span(4, 8), IntKeys.span(10, 17), IntKeys.span(4, 15)
    };
    KeyWidth width = KeyWidth.over(List.of(files));
    BigInteger one = width.of(IntKeys.span(1, 2));
    long[] keys = {3, 3, 3, 4};
    int[][] printed = {{1, 2}, {3, 4}, {3, 7}, {4, 11}}; // 0.5, 0.75, 0.429, 0.364
    for (int i = 0; i < files.length; i++) {
      Density density = new Density(printed[i][0], one.multiply(BigInteger.valueOf(printed[i][1])));
      assertThat(new Density(keys[i], width.of(files[i]))).isEqualByComparingTo(density);
    }
  }

  @Test
  void plannerFoundsAppendsAndWidensAsInFigureTwo() {
    flush(1, 3, 7); // density 3 / (7 - 1) = 0.5
    flush(8, 4, 6); // 3 / (8 - 4) = 0.75
    flush(10, 13, 17); // 3 / (17 - 10) = 0.429
    flush(15, 11, 4, 7); // 4 / (15 - 4) = 0.364

    // (a) No partition yet: the densest run moves, with the older run that it overlaps.
    assertThat(compact(3)).containsExactly("new [1-8]: link [1-7], link [4-8]");

    // (b) No run lies inside [1-8]. The densest run is linked, as a new range.
    assertThat(compact(1)).containsExactly("new [10-17]: link [10-17]");

    // (c) The entries of the last run go to both ranges, which keep their bounds.
    assertThat(compact(0)).containsExactly("[1-8]: append 4 7", "[10-17]: append 11 15");

    // {9, 23, 18}: 9 widens [10-17], the smaller neighbour; {23, 18} becomes a new range.
    flush(9, 23, 18);
    assertThat(compact(0))
        .containsExactly("widen to [9-17]: append 9", "new [18-23]: append 18 23");

    assertThat(partitions()).containsExactly("[1-8]", "[9-17]", "[18-23]");
  }

  @Test
  void aRunInsideOnePartitionIsLinkedBeforeAnyDenserOne() {
    flush(10, 30);
    compact(0);
    flush(50, 51, 52, 53);
    flush(12, 28);

    assertThat(compact(1)).containsExactly("[10-30]: link [12-28]");
  }

  @Test
  void splitIsAtTheMedianAsInFigureThree() {
    flush(21, 2, 29, 5, 12, 1, 17, 3, 6, 4);
    compact(0);

    level.install(new ReshapePlanner(level, balance())
        .split(level.partitions().get(0).shape())
        .orElseThrow());

    assertThat(partitions()).containsExactly("[1-5]", "[6-29]");
    assertThat(level.partitions())
        .extracting(partition -> partition.shape().bytes())
        .containsExactly(50L, 50L);
    assertThat(level.writeAmplification()).as("links only").isEqualTo(1.0);
  }

  @Test
  void mergeTakesTheSmallerNeighbourAsInFigureThree() {
    flush(1, 6, 12, 17, 21, 29);
    compact(0);
    flush(33, 35);
    compact(0);
    flush(36, 40, 42);
    compact(0);
    assertThat(partitions()).containsExactly("[1-29]", "[33-35]", "[36-42]");

    level.install(new ReshapePlanner(level, balance())
        .merge(level.shape(), RunningPlans.NONE)
        .orElseThrow());

    assertThat(partitions()).containsExactly("[1-29]", "[33-42]");
    assertThat(level.writeAmplification()).as("links only").isEqualTo(1.0);
  }

  private void flush(int... keys) {
    TreeMap<Integer, Long> contents = new TreeMap<>();
    for (int key : keys) {
      contents.put(key, ++seqno);
    }
    level.flush(contents);
  }

  private List<String> compact(int trigger) {
    PolicySettings settings = new SettingsBuilder()
        .l0(trigger, 1)
        .linkBytesMin(1_000)
        .newRangeEntriesMin(2)
        .build();
    LevelShape before = level.shape();
    List<RunShape> victims = new VictimPicker(settings).pick(before, RunningPlans.NONE);
    Plan.Compaction plan = new AppendPlanner(level, settings).plan(before, victims);
    List<String> steps = plan.targets().stream().map(this::describe).toList();
    level.install(plan);
    return steps;
  }

  private static PolicySettings balance() {
    return new SettingsBuilder().partitionBytes(22, 90).build();
  }

  private String describe(Target target) {
    String kind = target.partition() == null ? "new " : target.isWidened() ? "widen to " : "";
    List<String> runs = new ArrayList<>();
    for (NewRun run : target.runs()) {
      if (run instanceof Link link) {
        runs.add("link " + IntKeys.text(link.slice().range()));
      } else {
        runs.add("append" + keys((Rewrite) run));
      }
    }
    return kind + IntKeys.text(target.range()) + ": " + String.join(", ", runs);
  }

  private String keys(Rewrite rewrite) {
    StringBuilder keys = new StringBuilder();
    for (Slice slice : rewrite.slices()) {
      level
          .samples(slice.run(), slice.range())
          .forEach(sample -> keys.append(' ').append(IntKeys.ceiling(sample.key())));
    }
    return keys.toString();
  }

  private List<String> partitions() {
    return level.partitions().stream().map(p -> IntKeys.text(p.range())).toList();
  }
}
