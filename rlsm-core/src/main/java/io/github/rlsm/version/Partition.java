// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.version;

import io.github.rlsm.base.KeyRange;
import java.util.List;
import java.util.Locale;

/**
 * A key range of level 1 and the runs that hold its entries. Immutable: what changes a partition
 * puts another in its place.
 *
 * @param range the keys that belong here; not empty, disjoint from every other partition's
 * @param runs from the oldest to the newest, each inside the range: of two entries of one key, the
 *     one in the later run counts
 */
public record Partition(KeyRange range, List<Run> runs) {

  /** Copies the list and checks that every run lies inside the range. */
  public Partition {
    runs = List.copyOf(runs);
    if (range.isEmpty()) {
      throw new IllegalArgumentException("a partition over the empty range " + range);
    }
    for (Run run : runs) {
      if (!range.covers(run.range())) {
        throw new IllegalArgumentException(
            String.format(Locale.ROOT, "a run over %s in a partition over %s", run.range(), range));
      }
    }
  }

  /** About how many bytes of tables the runs stand for. */
  public long bytes() {
    return runs.stream().mapToLong(Run::bytes).sum();
  }

  /** About how many entries the runs hold, shadowed ones and tombstones among them. */
  public long entries() {
    return runs.stream().mapToLong(Run::entries).sum();
  }
}
