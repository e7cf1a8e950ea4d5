// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.Waiting;
import io.github.rlsm.base.PartMark;
import io.github.rlsm.kv.WriteBatch;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

/** How workers write the parts of a batch. */
class PartedTransactionTest {

  private static final int SHARDS = 2;

  private final ConcurrentLinkedQueue<Integer> written = new ConcurrentLinkedQueue<>();
  private final List<PartLog> logs = List.of(log(0), log(1));
  private final Agreement agreement = new Agreement(SHARDS);

  private PartLog log(int shard) {
    return new PartLog() {
      @Override
      public void checkWrites() {}

      @Override
      public void write(WriteBatch part, PartMark mark) {
        written.add(shard);
      }

      @Override
      public void force() {}

      @Override
      public void fail(Throwable cause) {
        throw new AssertionError(cause);
      }
    };
  }

  /** Otherwise the next record would follow a part while another part may be missing. */
  @Test
  void aWorkerThatHasWrittenItsPartWaitsForTheOthers() throws Exception {
    WriteBatch batch = new WriteBatch();
    for (int i = 0; i < 20; i++) {
      batch.put(("key" + i).getBytes(UTF_8), new byte[1]);
    }
    SplitBatch split = new SplitBatch(null, new ShardRouter(SHARDS), batch);
    PartedTransaction transaction =
        new PartedTransaction(split, false, logs, agreement, new Health(), () -> 7);
    transaction.admit();
    Waiting first = Waiting.until(() -> transaction.part(0).run(null));
    boolean goesOn = first.hasEnded();
    assertThat(written).containsExactly(0);
    transaction.part(1).run(null);
    first.join();
    assertThat(goesOn).as("serves the next request").isFalse();
    assertThat(written).containsExactly(0, 1);
  }
}
