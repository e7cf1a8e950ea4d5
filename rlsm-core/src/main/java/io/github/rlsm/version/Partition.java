// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.version;

import io.github.rlsm.base.KeyRange;
import java.util.List;
import java.util.Locale;

/**
 * A key range of level 1 and the runs with its entries. Immutable: a change replaces the partition.
 *
 * @param range the keys of the partition; not empty, disjoint from all other partitions
 * @param runs from the oldest to the newest, each inside the range; of two entries with one key,
 *     the entry in the later run is live
 */
public record Partition(KeyRange range, List<Run> runs) {

  /** Copies the list and checks that every run lies inside the range. */
  public Partition {
    runs = List.copyOf(runs);
    if (range.isEmpty()) {
      throw new IllegalArgumentException("a partition cannot have the empty range " + range);
    }
    for (Run run : runs) {
      if (!range.covers(run.range())) {
        throw new IllegalArgumentException(String.format(
            Locale.ROOT, "a run over %s is not inside a partition over %s", run.range(), range));
      }
    }
  }

  /** The approximate bytes of the runs in their tables. */
  public long bytes() {
    return runs.stream().mapToLong(Run::bytes).sum();
  }

  /** The entries of the runs, shadowed entries included. */
  public long entries() {
    return runs.stream().mapToLong(Run::entries).sum();
  }
}
