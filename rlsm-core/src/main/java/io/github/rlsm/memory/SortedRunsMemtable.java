// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.memory;

import java.util.ArrayList;
import java.util.List;

/**
 * A Memtable of sorted arrays, oldest and largest first. A new batch is merged with the runs before
 * it while they are less than twice as large, up to a maximum size. So many small drains, which
 * scans cause, leave few runs. Each entry is merged a logarithmic number of times.
 */
final class SortedRunsMemtable implements Memtable {

  private static final int MERGED_MAX = 1 << 17;

  private final KeySource keys;
  private volatile List<SortedRun> runs = List.of();

  SortedRunsMemtable(KeySource keys) {
    this.keys = keys;
  }

  @Override
  public void insert(SortedRun batch) {
    List<SortedRun> next = new ArrayList<>(runs);
    SortedRun last = batch;
    while (!next.isEmpty() && isMerged(next.get(next.size() - 1), last)) {
      last = SortedRun.merge(next.remove(next.size() - 1), last, keys);
    }
    next.add(last);
    runs = List.copyOf(next);
  }

  private static boolean isMerged(SortedRun older, SortedRun newer) {
    return older.size() < 2 * newer.size() && older.size() + newer.size() <= MERGED_MAX;
  }

  @Override
  public List<Memtable.Sequence> sequences(boolean descending) {
    List<Memtable.Sequence> sequences = new ArrayList<>();
    for (SortedRun run : runs) {
      sequences.add(new RunSequence(run, keys, descending));
    }
    return sequences;
  }

  @Override
  public Memtable.Sequence inOrder() {
    List<SortedRun> rest = new ArrayList<>(runs);
    if (rest.isEmpty()) {
      rest.add(new SortedRun(new byte[0], new long[0], new int[0], 0));
    }
    while (rest.size() > 1) {
      List<SortedRun> merged = new ArrayList<>();
      for (int i = 0; i + 1 < rest.size(); i += 2) {
        merged.add(SortedRun.merge(rest.get(i), rest.get(i + 1), keys));
      }
      if (rest.size() % 2 == 1) {
        merged.add(rest.get(rest.size() - 1));
      }
      rest = merged;
    }
    return new RunSequence(rest.get(0), keys, false);
  }

  @Override
  public long heapBytes() {
    return runs.stream().mapToLong(SortedRun::heapBytes).sum();
  }

  private static final class RunSequence implements Memtable.Sequence {

    private final SortedRun run;
    private final KeySource keys;
    private final int step;
    private int rank;

    RunSequence(SortedRun run, KeySource keys, boolean descending) {
      this.run = run;
      this.keys = keys;
      this.step = descending ? -1 : 1;
    }

    @Override
    public boolean seekFirst() {
      rank = step > 0 ? 0 : run.size() - 1;
      return isInside();
    }

    @Override
    public boolean seek(byte[] key, int offset, int length) {
      rank = run.lowerBound(keys, key, offset, length);
      if (step < 0) {
        while (isInside() && keys.compare(key, offset, length, entry()) == 0) {
          rank++;
        }
        rank--;
      }
      return isInside();
    }

    @Override
    public boolean next() {
      rank += step;
      return isInside();
    }

    private boolean isInside() {
      return rank >= 0 && rank < run.size();
    }

    @Override
    public int entry() {
      return run.entries()[rank];
    }

    @Override
    public long keyPrefix() {
      return run.keyPrefix(rank);
    }
  }
}
