// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.CrashRun.Sampler;
import io.github.rlsm.io.CrashStyle;
import io.github.rlsm.proof.Proof;
import io.github.rlsm.shard.ShardCrashRun;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/**
 * T2 of the test plan: every sequence of up to {@value #LENGTH} operations, crashed before and
 * after every I/O event, and between the stores of its writes. One style is drawn for each crash.
 *
 * <p>The operations of one engine are the constants of {@link CrashStep.Kind}. A separate test
 * covers sequences with a batch over both shards of a store with two shards. The plan's
 * <i>checkpoint</i> is missing: the engine has none yet.
 *
 * <p>The system property {@code rlsm.t2.length} sets another length; the full run uses 3. The seed
 * selects the styles and the options.
 */
class RlsmSequencesCrashTest {

  private static final int LENGTH = 2;
  private static final int SHARDS = 2;
  private static final List<ShardCrashRun.Kind> OVER_SHARDS = List.of(
      ShardCrashRun.Kind.PUT,
      ShardCrashRun.Kind.CROSS_SHARD_BATCH,
      ShardCrashRun.Kind.FLUSH,
      ShardCrashRun.Kind.REOPEN,
      ShardCrashRun.Kind.SYNC);

  private static final Sampler EVERYWHERE = new Sampler() {
    @Override
    public List<CrashStyle> styles(SplittableRandom random) {
      return List.of(CrashStyle.values()[random.nextInt(CrashStyle.values().length)]);
    }

    @Override
    public boolean kills(SplittableRandom random) {
      return random.nextInt(8) == 0;
    }

    @Override
    public boolean tears(SplittableRandom random) {
      return true;
    }
  };

  private final long seed = Proof.seed("T2");
  private long sequences;
  private long points;

  @Test
  void everySequenceSurvivesEveryCrash() {
    int length = Proof.count("t2.length", LENGTH);
    extend(List.of(), length);
    assertThat(points).isGreaterThan(10 * sequences);
    report(length);
  }

  @Test
  void everySequenceOverShardsSurvivesEveryCrash() {
    int length = Proof.count("t2.length", LENGTH);
    extendOverShards(List.of(), length);
    assertThat(points).isGreaterThan(5 * sequences);
    report(length);
  }

  private void report(int length) {
    Proof.ran("T2", "sequences", sequences);
    Proof.ran("T2", "crash points of sequences of up to " + length, points);
  }

  private void extend(List<CrashStep> steps, int length) {
    if (steps.size() == length) {
      return;
    }
    for (CrashStep.Kind kind : CrashStep.Kind.values()) {
      List<CrashStep> longer = new ArrayList<>(steps);
      longer.add(new CrashStep(kind, seed + steps.size()));
      sequences++;
      points += crash(longer);
      extend(longer, length);
    }
  }

  /**
   * Crashes the last step and the close. The shorter sequences crashed the earlier steps under the
   * same options.
   */
  private long crash(List<CrashStep> steps) {
    TinyOptions options = options(steps.get(0).kind().ordinal());
    int crashedFrom = steps.size() == 1 ? CrashRun.OPENING : steps.size() - 1;
    String name = options + ", " + steps;
    return new CrashRun(
            options.directory(),
            options.options(),
            UnaryOperator.identity(),
            EVERYWHERE,
            crashedFrom,
            seed,
            name)
        .run(steps);
  }

  /**
   * Without a batch over both shards, the shards are two independent engines, which the other test
   * covers.
   */
  private void extendOverShards(List<ShardCrashRun.Kind> kinds, int length) {
    if (kinds.size() == length) {
      return;
    }
    for (ShardCrashRun.Kind kind : OVER_SHARDS) {
      List<ShardCrashRun.Kind> longer = new ArrayList<>(kinds);
      longer.add(kind);
      if (longer.contains(ShardCrashRun.Kind.CROSS_SHARD_BATCH)) {
        crashShards(longer);
      }
      extendOverShards(longer, length);
    }
  }

  private void crashShards(List<ShardCrashRun.Kind> kinds) {
    TinyOptions options = options(kinds.get(0).ordinal());
    String name = options + ", " + kinds + ", -Drlsm.seed=" + seed;
    EngineShards world = new EngineShards(options, SHARDS, true);
    sequences++;
    points += new ShardCrashRun(world, SHARDS, 1, seed, name).run(kinds);
  }

  private TinyOptions options(int first) {
    return TinyOptions.values()[Math.floorMod(seed + first, TinyOptions.values().length)];
  }
}
