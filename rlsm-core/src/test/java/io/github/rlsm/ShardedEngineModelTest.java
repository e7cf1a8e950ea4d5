// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import io.github.rlsm.kv.ModelCheck;
import io.github.rlsm.kv.OpMix;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random histories over shards of the engine, compared with the model.
 *
 * <p>The system property {@code rlsm.model.seeds} says how many histories each number of shards
 * gets, {@value #SEEDS} unless it is set.
 */
class ShardedEngineModelTest {

  private static final int SEEDS = 2;
  private static final int OPERATIONS = 400;

  @TempDir
  Path directory;

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 8})
  void agreesWithTheModel(int shards) {
    OpMix mix = OpMix.usual().operations(OPERATIONS).keys(200).largeValueBytes(5_000);
    new ModelCheck(shards + " shards", new ShardedEngineContractTest.Engines(shards), mix)
        .run(directory, Integer.getInteger("rlsm.model.seeds", SEEDS));
  }
}
