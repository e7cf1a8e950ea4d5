// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard.parts;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rlsm.Waiting;
import io.github.rlsm.base.PartHeader;
import io.github.rlsm.kv.DiskFullException;
import io.github.rlsm.kv.StoreFailedException;
import io.github.rlsm.kv.WriteBatch;
import io.github.rlsm.shard.SplitBatch;
import io.github.rlsm.shard.parts.PartsProtocol.PartedTransaction;
import io.github.rlsm.shard.worker.Health;
import io.github.rlsm.shard.worker.ShardRouter;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** Tests how workers write the parts of a batch. */
class PartedTransactionTest {

  private static final int SHARDS = 2;

  private final ConcurrentLinkedQueue<Integer> written = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<Integer> failed = new ConcurrentLinkedQueue<>();
  private final CrossShardDurability crossShard = new CrossShardDurability(SHARDS);
  private final Health health = new Health();

  private class Log implements PartLog {

    private final int shard;

    Log(int shard) {
      this.shard = shard;
    }

    /** Reserves memory and space for the part. */
    void reserve() {}

    /** Writes the part. */
    void store() {}

    @Override
    public void checkWrites() {}

    @Override
    public boolean write(WriteBatch part, PartHeader header, BooleanSupplier consent) {
      reserve();
      if (!consent.getAsBoolean()) {
        return false;
      }
      store();
      written.add(shard);
      return true;
    }

    @Override
    public void force() {}

    @Override
    public void fail(Throwable cause) {
      failed.add(shard);
    }
  }

  private PartedTransaction transaction(Log first, Log second) {
    WriteBatch batch = new WriteBatch();
    for (int i = 0; i < 20; i++) {
      batch.put(("key" + i).getBytes(UTF_8), new byte[1]);
    }
    SplitBatch split = new SplitBatch(batch, new ShardRouter(SHARDS), null);
    List<PartLog> logs = List.of(first, second);
    crossShard.begin(logs);
    PartedTransaction transaction =
        new PartedTransaction(split, false, logs, crossShard, health, () -> 7);
    transaction.admit();
    return transaction;
  }

  /** Otherwise the next record would follow a part while another part may be missing. */
  @Test
  void aWorkerThatHasWrittenItsPartWaitsForTheOthers() throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    Log slow = new Log(1) {
      @Override
      void store() {
        awaitQuietly(release);
      }
    };
    PartedTransaction transaction = transaction(new Log(0), slow);
    Waiting second = Waiting.until(() -> transaction.part(1).run(null));
    Waiting first = Waiting.until(() -> transaction.part(0).run(null));
    while (written.isEmpty()) {
      Thread.onSpinWait();
    }
    boolean goesOn = first.hasEnded();
    assertThat(written).containsExactly(0);
    release.countDown();
    first.join();
    second.join();
    assertThat(goesOn).as("serves the next request").isFalse();
    assertThat(written).containsExactly(0, 1);
    transaction.await();
  }

  @Test
  void noPartIsWrittenBeforeAllShardsHaveRoom() throws Exception {
    PartedTransaction transaction = transaction(new Log(0), new Log(1));
    Waiting first = Waiting.until(() -> transaction.part(0).run(null));
    assertThat(written).isEmpty();
    transaction.part(1).run(null);
    first.join();
    assertThat(written).containsExactlyInAnyOrder(0, 1);
  }

  /** A full disk of one shard must fail only the batch, not the store. */
  @Test
  void aBatchThatOneShardRefusesIsWrittenNowhere() throws Exception {
    Log full = new Log(1) {
      @Override
      void reserve() {
        throw new DiskFullException("make a log segment", "shard 1", null);
      }
    };
    PartedTransaction transaction = transaction(new Log(0), full);
    Waiting first = Waiting.until(() -> transaction.part(0).run(null));
    transaction.part(1).run(null);
    first.join();
    assertThatThrownBy(transaction::await).isInstanceOf(DiskFullException.class);
    assertThat(written).isEmpty();
    assertThat(failed).isEmpty();
    health.checkReads();
    health.checkWrites();
  }

  /** After the vote no part can be withdrawn. */
  @Test
  void anErrorAfterTheVoteStopsTheStore() throws Exception {
    Log broken = new Log(1) {
      @Override
      void store() {
        throw new IllegalStateException("broken");
      }
    };
    PartedTransaction transaction = transaction(new Log(0), broken);
    Waiting first = Waiting.until(() -> transaction.part(0).run(null));
    transaction.part(1).run(null);
    first.join();
    assertThatThrownBy(transaction::await).hasMessage("broken");
    assertThat(failed).containsExactly(0, 1);
    assertThatThrownBy(health::checkReads).isInstanceOf(StoreFailedException.class);
  }

  @Test
  void partOfADeadWorkerRefusesTheBatch() throws Exception {
    PartedTransaction transaction = transaction(new Log(0), new Log(1));
    Waiting first = Waiting.until(() -> transaction.part(0).run(null));
    transaction.part(1).fail(new IllegalStateException("the worker is gone"));
    first.join();
    assertThatThrownBy(transaction::await).hasMessage("the worker is gone");
    assertThat(written).isEmpty();
    health.checkWrites();
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
