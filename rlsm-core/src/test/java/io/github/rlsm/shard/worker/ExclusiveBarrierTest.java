// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard.worker;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** Tests the result of an assembly for its caller. */
class ExclusiveBarrierTest {

  private static void fail(Throwable cause) {
    Shards.ExclusiveBarrier barrier = new Shards.ExclusiveBarrier(1, () -> {
      throw Request.rethrown(cause);
    });
    assertThatCode(() -> barrier.part().run(new RecordingStore())).doesNotThrowAnyException();
    assertThatThrownBy(barrier::await).isSameAs(cause);
  }

  @Test
  void anExceptionOfTheActionReachesTheCaller() {
    fail(new IllegalStateException("refused"));
  }

  /** Otherwise a keyspace whose creation failed would seem to exist. */
  @Test
  void anErrorOfTheActionReachesTheCaller() {
    fail(new OutOfMemoryError("no memory for the action"));
  }
}
