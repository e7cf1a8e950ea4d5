// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard.worker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ShardRouterTest {

  /** From the published values of XXH3: "a" e6c632b61e964e1f, "abc" 78af5f94892f3950. */
  @ParameterizedTest
  @CsvSource({
    "a, 1, 0", "a, 2, 1", "a, 3, 1", "a, 8, 7", "a, 1024, 543",
    "abc, 1, 0", "abc, 2, 0", "abc, 3, 1", "abc, 8, 0", "abc, 1024, 336"
  })
  void routingOfKeysIsFrozen(String key, int shards, int shard) {
    byte[] bytes = ("x" + key + "yz").getBytes(UTF_8);
    assertThat(new ShardRouter(shards).shardOf(bytes, 1, key.length())).isEqualTo(shard);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 8})
  void keysAreDistributedEvenly(int shards) {
    int[] counts = new int[shards];
    ShardRouter router = new ShardRouter(shards);
    for (int i = 0; i < 10_000; i++) {
      byte[] key = ("user" + i).getBytes(UTF_8);
      counts[router.shardOf(key, 0, key.length)]++;
    }
    assertThat(IntStream.of(counts)).allMatch(count -> Math.abs(count * shards - 10_000) < 1_000);
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 1025})
  void otherNumbersAreRefused(int shards) {
    assertThatThrownBy(() -> new ShardRouter(shards))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("" + shards);
  }

  @Test
  void theMostShardsAreAllowed() {
    assertThat(new ShardRouter(ShardRouter.SHARDS_MAX).shards()).isEqualTo(1024);
  }
}
