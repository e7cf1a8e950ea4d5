// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard.parts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rlsm.Waiting;
import io.github.rlsm.base.PartHeader;
import io.github.rlsm.kv.StoreFailedException;
import io.github.rlsm.kv.WriteBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests which logs are forced before a shard promises durability. */
class CrossShardDurabilityTest {

  private static final int SHARDS = 5;

  private final List<Integer> forced = new ArrayList<>();
  private final List<Integer> failed = new ArrayList<>();
  private final CrossShardDurability crossShard = new CrossShardDurability(SHARDS);

  CrossShardDurabilityTest() {
    crossShard.begin(IntStream.range(0, SHARDS).mapToObj(this::log).toList());
  }

  private PartLog log(int shard) {
    return new PartLog() {
      @Override
      public void checkWrites() {}

      @Override
      public boolean write(WriteBatch part, PartHeader header, BooleanSupplier consent) {
        return true;
      }

      @Override
      public void force() {
        forced.add(shard);
      }

      @Override
      public void fail(Throwable cause) {
        failed.add(shard);
      }
    };
  }

  @Test
  void forcesThePartnersOfAllPartners() {
    crossShard.completed(1, new int[] {0, 1});
    crossShard.completed(2, new int[] {1, 2});
    crossShard.completed(3, new int[] {2, 3});
    crossShard.force(0, 1);
    assertThat(forced).containsExactly(1, 2, 3);
  }

  @Test
  void forcesNothingThatIsNotShared() {
    crossShard.completed(1, new int[] {0, 1});
    crossShard.completed(2, new int[] {3, 4});
    crossShard.force(2, 0);
    assertThat(forced).isEmpty();
    crossShard.force(0, 1);
    assertThat(forced).containsExactly(1);
  }

  @Test
  void forcesNothingTwice() {
    crossShard.completed(1, new int[] {0, 1});
    crossShard.force(0, 1);
    crossShard.force(0, 1);
    assertThat(forced).containsExactly(1);
    crossShard.completed(2, new int[] {0, 1});
    crossShard.force(0, 2);
    assertThat(forced).containsExactly(1, 1);
  }

  @Test
  void waitsUntilAllPartsAreWritten() throws Exception {
    Waiting force = Waiting.until(() -> crossShard.force(0, 1));
    assertThat(force.hasEnded()).as("agreed on an incomplete batch").isFalse();
    crossShard.completed(1, new int[] {0, 1});
    force.join();
    assertThat(forced).containsExactly(1);
  }

  @Test
  void promisesNothingAfterABatchWasTorn() {
    IllegalStateException cause = new IllegalStateException("torn");
    crossShard.completed(1, new int[] {0, 1});
    crossShard.tear(cause);
    assertThat(failed).containsExactly(0, 1, 2, 3, 4);
    assertThatThrownBy(() -> crossShard.force(0, 1))
        .isInstanceOf(StoreFailedException.class)
        .hasCause(cause);
    assertThat(forced).isEmpty();
  }
}
