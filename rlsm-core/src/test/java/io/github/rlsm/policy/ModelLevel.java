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
import io.github.rlsm.policy.RunMetrics.SliceSize;
import io.github.rlsm.policy.SplitKeys.WeightedKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Both levels with their real contents. It executes plans, so that tests can compare the outcome
 * with the expected entries. Not thread-safe.
 */
final class ModelLevel implements RunMetrics {

  private final ModelSizes sizes;
  private final int pageEntries;
  private final Map<Long, ModelRun> tables = new HashMap<>();
  private final List<ModelRun> l0 = new ArrayList<>();
  private final List<ModelPartition> l1 = new ArrayList<>();
  private long lastId;
  private long flushedEntries;
  private long rewrittenEntries;

  /**
   * Creates a level whose entries all have one size, with one sample for each page of some length.
   */
  ModelLevel(long entryBytes, int pageEntries) {
    this(ModelSizes.exact(entryBytes), pageEntries);
  }

  /** Creates a level with the given table sizes, with one sample for each page of some length. */
  ModelLevel(ModelSizes sizes, int pageEntries) {
    this.sizes = sizes;
    this.pageEntries = pageEntries;
  }

  /** Adds the newest L0 run. */
  void flush(SortedMap<Integer, Long> contents) {
    tables.keySet().retainAll(runs().map(ModelRun::id).collect(Collectors.toSet()));
    l0.add(added(ModelRun.of(++lastId, contents)));
    flushedEntries += contents.size();
  }

  LevelShape shape() {
    return new LevelShape(
        l0.stream().map(run -> run.shape(sizes, 0)).toList(),
        l1.stream().map(ModelPartition::shape).toList());
  }

  List<ModelPartition> partitions() {
    return l1;
  }

  /** The ratio of all written entries to flushed entries. */
  double writeAmplification() {
    return (double) (flushedEntries + rewrittenEntries) / flushedEntries;
  }

  /** The entries of all table files of which at least one run still needs a part. */
  long entriesOnDisk() {
    return runs()
        .map(ModelRun::id)
        .distinct()
        .mapToLong(id -> tables.get(id).tableEntries())
        .sum();
  }

  private Stream<ModelRun> runs() {
    return Stream.concat(l0.stream(), l1.stream().flatMap(partition -> partition.runs().stream()));
  }

  @Override
  public SliceSize size(RunShape run, KeyRange range) {
    int entries = tables.get(run.id()).countIn(range);
    return new SliceSize(entries, sizes.slice(entries, tables.get(run.id()).tableEntries()));
  }

  @Override
  public List<WeightedKey> samples(RunShape run, KeyRange range) {
    ModelRun contents = tables.get(run.id());
    int from = contents.firstIndex(range.from(), 0);
    int to = contents.firstIndex(range.to(), contents.keys().length);
    List<WeightedKey> samples = new ArrayList<>();
    for (int i = from; i < to; i += pageEntries) {
      long bytes = sizes.entryBytes() * Math.min(pageEntries, to - i);
      samples.add(new WeightedKey(IntKeys.key(contents.keys()[i]), bytes));
    }
    return samples;
  }

  /** Returns the first version that a search finds, or {@link ModelRun#NOTHING}. */
  long find(int key) {
    for (int i = l0.size() - 1; i >= 0; i--) {
      long version = l0.get(i).version(key);
      if (version != ModelRun.NOTHING) {
        return version;
      }
    }
    byte[] bytes = IntKeys.key(key);
    for (ModelPartition partition : l1) {
      if (partition.range().contains(bytes)) {
        return newest(partition.runs(), key);
      }
    }
    return ModelRun.NOTHING;
  }

  private static long newest(List<ModelRun> runs, int key) {
    for (int i = runs.size() - 1; i >= 0; i--) {
      long version = runs.get(i).version(key);
      if (version != ModelRun.NOTHING) {
        return version;
      }
    }
    return ModelRun.NOTHING;
  }

  /** Executes and installs a plan. Other plans may have been installed since it was made. */
  void install(Plan plan) {
    if (plan instanceof Plan.Compaction compact) {
      install(compact);
    } else if (plan instanceof Plan.Clean clean) {
      install(clean);
    } else if (plan instanceof Plan.Split split) {
      install(split);
    } else if (plan instanceof Plan.Merge merge) {
      install(merge);
    }
  }

  private void install(Plan.Compaction plan) {
    for (Target target : plan.targets()) {
      List<ModelRun> runs = new ArrayList<>();
      int at = 0;
      if (target.partition() == null) {
        while (at < l1.size() && l1.get(at).range().isBefore(target.range())) {
          at++;
        }
      } else {
        at = indexOf(target.partition().range());
        runs.addAll(l1.remove(at).runs());
      }
      target.runs().forEach(run -> runs.add(make(run)));
      l1.add(at, new ModelPartition(target.range(), runs, sizes));
    }
    for (RunShape victim : plan.victims()) {
      assertThat(l0.removeIf(run -> run.id() == victim.id())).isTrue();
    }
  }

  private ModelRun make(NewRun planned) {
    if (planned instanceof Link link) {
      return slice(link.slice());
    }
    Rewrite rewrite = (Rewrite) planned;
    List<ModelRun> slices = rewrite.slices().stream().map(this::slice).toList();
    return merge(slices, rewrite.dropsTombstones());
  }

  private ModelRun slice(Slice slice) {
    return tables.get(slice.run().id()).slice(slice.range());
  }

  private ModelRun merge(List<ModelRun> runs, boolean dropsTombstones) {
    ModelRun merged = added(ModelRun.merge(++lastId, runs, dropsTombstones));
    rewrittenEntries += merged.keys().length;
    return merged;
  }

  private ModelRun added(ModelRun run) {
    tables.put(run.id(), run);
    return run;
  }

  private void install(Plan.Clean plan) {
    int at = indexOf(plan.partition().range());
    ModelPartition partition = l1.get(at);
    List<ModelRun> runs = new ArrayList<>(partition.runs());
    List<ModelRun> old = runs.subList(plan.fromRun(), plan.toRun());
    assertThat(old.stream().map(ModelRun::id))
        .isEqualTo(plan.runs().stream().map(RunShape::id).toList());
    ModelRun merged = merge(old, plan.dropsTombstones());
    old.clear();
    runs.add(plan.fromRun(), merged);
    l1.set(at, new ModelPartition(partition.range(), runs, sizes));
  }

  private void install(Plan.Split plan) {
    int at = indexOf(plan.partition().range());
    ModelPartition partition = l1.remove(at);
    assertThat(plan.pieces().get(0).from()).isEqualTo(partition.range().from());
    for (KeyRange piece : plan.pieces()) {
      List<ModelRun> runs =
          partition.runs().stream().map(run -> run.slice(piece)).toList();
      l1.add(at++, new ModelPartition(piece, runs, sizes));
    }
    assertThat(l1.get(at - 1).range().to()).isEqualTo(partition.range().to());
  }

  private void install(Plan.Merge plan) {
    int at = indexOf(plan.left().range());
    List<ModelRun> runs = new ArrayList<>(l1.get(at).runs());
    runs.addAll(l1.remove(at + 1).runs());
    assertThat(plan.order())
        .containsExactlyInAnyOrderElementsOf(
            IntStream.range(0, runs.size()).boxed().toList());
    List<ModelRun> ordered = plan.order().stream().map(runs::get).toList();
    l1.set(at, new ModelPartition(plan.range(), ordered, sizes));
  }

  private int indexOf(KeyRange planned) {
    for (int i = 0; i < l1.size(); i++) {
      if (l1.get(i).range().equals(planned)) {
        return i;
      }
    }
    throw new AssertionError("no partition has the range " + IntKeys.text(planned));
  }
}
