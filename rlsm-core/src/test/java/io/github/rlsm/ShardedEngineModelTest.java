// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import io.github.rlsm.io.CrashStyle;
import io.github.rlsm.kv.KvException;
import io.github.rlsm.kv.KvStore;
import io.github.rlsm.kv.ModelCheck;
import io.github.rlsm.kv.OpKind;
import io.github.rlsm.kv.OpMix;
import io.github.rlsm.kv.StoreFactory;
import io.github.rlsm.proof.Proof;
import io.github.rlsm.shard.TestShards;
import io.github.rlsm.shard.admin.ShardOpening;
import io.github.rlsm.shard.worker.ShardRouter;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random histories over shards of the engine, compared with the model. Every opening draws new
 * options for the shards. Processes are killed and machines lose power.
 *
 * <p>The system property {@code rlsm.t9.seeds} sets the number of histories of
 * {@link RlsmModelTest} in one thread. For each {@value #SHARE} of them there is one for each
 * number of shards.
 */
class ShardedEngineModelTest {

  private static final int SEEDS = 200;
  private static final int SHARE = 50;
  private static final int OPERATIONS = 2_000;

  @TempDir
  Path directory;

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 8})
  void agreesWithTheModel(int shards) {
    int histories = (Proof.count("t9.seeds", SEEDS) + SHARE - 1) / SHARE;
    OpMix mix = OpMix.usual()
        .operations(OPERATIONS)
        .keys(200)
        .largeValueBytes(2_000)
        .weight(OpKind.KILL, 2)
        .weight(OpKind.POWER_LOSS, 3);
    Proof.seed("T9");
    new ModelCheck(shards + " shards", new Engines(shards), mix).run(directory, histories);
    Proof.ran("T9", "histories", histories);
  }

  /** Opens shards in simulated directories. */
  private static final class Engines implements StoreFactory {

    private final int shards;
    private final ShardRouter router;
    private EngineShards files;
    private Path opened = Path.of("");

    Engines(int shards) {
      this.shards = shards;
      this.router = new ShardRouter(shards);
      this.files = new EngineShards(TinyOptions.ROOMY, shards, true);
    }

    @Override
    public int parts() {
      return shards;
    }

    @Override
    public int partOf(byte[] key) {
      return router.shardOf(key, 0, key.length);
    }

    @Override
    public KvStore open(Path path) {
      return open(path, opening(0));
    }

    @Override
    public KvStore open(Path path, String opening) {
      SplittableRandom random = new SplittableRandom(Long.parseLong(opening));
      if (!opened.equals(path)) {
        opened = path;
        boolean keepsParts = random.nextInt(4) > 0;
        files = EngineShards.empty(
            RandomOptions.draw(random), shards, keepsParts, () -> RandomOptions.directory(random));
      }
      return open(random);
    }

    private KvStore open(SplittableRandom random) {
      files = files.withOptions(RandomOptions.draw(random));
      return ShardOpening.open(
          files.directory(),
          shards,
          files.opener(),
          TestShards.SETTINGS,
          TestShards.environment(random.nextLong()));
    }

    @Override
    public KvStore crash(Path path, KvStore store, Crash crash, String opening) {
      long seed = Long.parseLong(opening);
      SplittableRandom random = new SplittableRandom(seed);
      CrashStyle style = CrashStyle.values()[random.nextInt(CrashStyle.values().length)];
      EngineShards left = crash == Crash.KILL
          ? files.afterKill(seed)
          : files.afterPowerLoss(style, random.nextLong());
      files.die();
      try {
        store.close(); // Ends the threads of the dead process.
      } catch (KvException e) {
        // The directories of a dead process do nothing.
      }
      files = left;
      return open(random);
    }

    @Override
    public void checkClosed(Path path) {
      files.checkClosed();
    }
  }
}
