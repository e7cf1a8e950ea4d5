// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rlsm.Waiting;
import io.github.rlsm.base.PartMark;
import io.github.rlsm.kv.StoreFailedException;
import io.github.rlsm.kv.WriteBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests which logs are forced before a shard promises durability. */
class AgreementTest {

  private static final int SHARDS = 5;

  private final List<Integer> forced = new ArrayList<>();
  private final List<Integer> failed = new ArrayList<>();
  private final Agreement agreement = new Agreement(SHARDS);

  AgreementTest() {
    agreement.begin(IntStream.range(0, SHARDS).mapToObj(this::log).toList());
  }

  private PartLog log(int shard) {
    return new PartLog() {
      @Override
      public void checkWrites() {}

      @Override
      public boolean write(WriteBatch part, PartMark mark, BooleanSupplier consent) {
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
    agreement.completed(1, new int[] {0, 1});
    agreement.completed(2, new int[] {1, 2});
    agreement.completed(3, new int[] {2, 3});
    agreement.force(0, 1);
    assertThat(forced).containsExactly(1, 2, 3);
  }

  @Test
  void forcesNothingThatIsNotShared() {
    agreement.completed(1, new int[] {0, 1});
    agreement.completed(2, new int[] {3, 4});
    agreement.force(2, 0);
    assertThat(forced).isEmpty();
    agreement.force(0, 1);
    assertThat(forced).containsExactly(1);
  }

  @Test
  void forcesNothingTwice() {
    agreement.completed(1, new int[] {0, 1});
    agreement.force(0, 1);
    agreement.force(0, 1);
    assertThat(forced).containsExactly(1);
    agreement.completed(2, new int[] {0, 1});
    agreement.force(0, 2);
    assertThat(forced).containsExactly(1, 1);
  }

  @Test
  void waitsUntilAllPartsAreWritten() throws Exception {
    Waiting force = Waiting.until(() -> agreement.force(0, 1));
    assertThat(force.hasEnded()).as("agreed on an incomplete batch").isFalse();
    agreement.completed(1, new int[] {0, 1});
    force.join();
    assertThat(forced).containsExactly(1);
  }

  @Test
  void promisesNothingAfterABatchWasTorn() {
    IllegalStateException cause = new IllegalStateException("torn");
    agreement.completed(1, new int[] {0, 1});
    agreement.tear(cause);
    assertThat(failed).containsExactly(0, 1, 2, 3, 4);
    assertThatThrownBy(() -> agreement.force(0, 1))
        .isInstanceOf(StoreFailedException.class)
        .hasCause(cause);
    assertThat(forced).isEmpty();
  }
}
