// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import io.github.rlsm.base.KeyRange;
import io.github.rlsm.base.SeqnoRange;
import io.github.rlsm.policy.RunMetrics.SliceSize;
import io.github.rlsm.policy.SplitKeys.WeightedKey;
import java.util.ArrayList;
import java.util.List;

/** Creates shapes for tests that need no contents. */
final class Shapes {

  /** Runs whose keys are spread evenly over their span. */
  static final RunMetrics EVEN = new RunMetrics() {
    @Override
    public SliceSize size(RunShape run, KeyRange range) {
      double share = (double) width(range) / width(run.span());
      return new SliceSize(share == 0 ? 0 : Math.max(1, (long) (run.entries() * share)), (long)
          (run.bytes() * share));
    }

    @Override
    public List<WeightedKey> samples(RunShape run, KeyRange range) {
      int from = IntKeys.ceiling(range.from());
      int to = IntKeys.ceiling(range.to());
      int count = Math.min(20, to - from);
      List<WeightedKey> samples = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        int key = from + (int) ((long) (to - from) * i / count);
        samples.add(new WeightedKey(IntKeys.key(key), Math.max(1, run.bytes() / count)));
      }
      return samples;
    }
  };

  private Shapes() {}

  private static int width(KeyRange range) {
    return IntKeys.ceiling(range.to()) - IntKeys.ceiling(range.from());
  }

  /** Returns a run with one entry for each byte, whose id is its seqno. */
  static RunShape run(long id, int smallest, int largest, long bytes) {
    return run(id, smallest, largest, bytes, 0, 0);
  }

  static RunShape run(
      long id, int smallest, int largest, long bytes, long tombstones, long deadEntries) {
    return new RunShape(
        new RunShape.TableFile(id, bytes),
        IntKeys.span(smallest, largest),
        bytes,
        new RunShape.Counts(bytes, tombstones, deadEntries),
        new SeqnoRange(id, id),
        RunShape.Values.NONE);
  }

  /** Returns a run of 30-byte entries that point to values of 970 bytes. */
  static RunShape pointers(long id, int smallest, int largest, long entries, long deadEntries) {
    return new RunShape(
        new RunShape.TableFile(id, 30 * entries),
        IntKeys.span(smallest, largest),
        30 * entries,
        new RunShape.Counts(entries, 0, deadEntries),
        new SeqnoRange(id, id),
        new RunShape.Values(entries, 970 * entries));
  }

  static PartitionShape partition(int smallest, int largest, RunShape... runs) {
    return new PartitionShape(IntKeys.span(smallest, largest), List.of(runs));
  }

  static LevelShape level(List<RunShape> l0, PartitionShape... l1) {
    return new LevelShape(l0, List.of(l1));
  }

  static List<Long> ids(List<RunShape> runs) {
    return runs.stream().map(RunShape::id).toList();
  }
}
