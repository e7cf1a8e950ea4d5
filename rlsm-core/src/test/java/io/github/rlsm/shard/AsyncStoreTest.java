// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.kv.AsyncStore;
import io.github.rlsm.kv.AsyncWrite;
import io.github.rlsm.kv.Durability;
import io.github.rlsm.kv.Keyspace;
import io.github.rlsm.kv.StoreClosedException;
import io.github.rlsm.kv.StoreFailedException;
import io.github.rlsm.kv.StoreIoException;
import io.github.rlsm.kv.WriteBatch;
import io.github.rlsm.shard.admin.ShardOpening;
import io.github.rlsm.shard.worker.RecordingStore;
import io.github.rlsm.shard.worker.ShardSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests asynchronous calls. */
class AsyncStoreTest {

  private static final byte[] IN_FIRST = {'a', 'b', 'c'};
  private static final byte[] IN_SECOND = {'a'};

  private final RecordingStore first = new RecordingStore();
  private final RecordingStore second = new RecordingStore();
  private final CompletableFuture<Void> released = new CompletableFuture<>();
  private final ExecutorService completions =
      Executors.newSingleThreadExecutor(task -> daemon(task, "completions"));
  private final ShardedStore store = ShardOpening.open(
      new SimulatedDirectory(),
      2,
      (set, shard) -> shard == 0 ? first : second,
      new ShardSettings(64, 32, 100_000, 1 << 20, 4, 8),
      new ShardOpening.Services(
          task -> daemon(task, "worker"), new SplittableRandom(1), completions));
  private final AsyncStore async = store.async();

  private static Thread daemon(Runnable task, String name) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    thread.setUncaughtExceptionHandler((dead, why) -> {});
    return thread;
  }

  private static byte[] value(int number) {
    return new byte[] {(byte) number};
  }

  @AfterEach
  void close() {
    released.complete(null);
    store.close();
    completions.shutdown();
  }

  /** Blocks the first worker in a batch, and returns when it is blocked. */
  private AsyncWrite holdFirst() {
    CompletableFuture<Void> entered = new CompletableFuture<>();
    first.beforeWrite(() -> {
      entered.complete(null);
      released.join();
    });
    AsyncWrite held = async.write(new WriteBatch().put(IN_FIRST, value(0)), Durability.OS);
    entered.join();
    return held;
  }

  /** Without a completion thread, the worker completes the calls itself and continues. */
  @Test
  void callsCompleteWithoutACompletionThread() {
    store.close();
    try (ShardedStore lacking = ShardOpening.open(
        new SimulatedDirectory(),
        2,
        (set, shard) -> new RecordingStore(),
        new ShardSettings(64, 32, 100_000, 1 << 20, 4, 8),
        new ShardOpening.Services(task -> daemon(task, "worker"), new SplittableRandom(1), task -> {
          throw new OutOfMemoryError("unable to create native thread");
        }))) {
      for (int i = 0; i < 100; i++) {
        AsyncWrite write = lacking.async().put(IN_FIRST, value(i), Durability.SYNC);
        write.visible().join();
        write.durable().join();
        assertThat(lacking.async().get(IN_FIRST).join()).isEqualTo(value(i));
      }
      WriteBatch both = new WriteBatch().put(IN_FIRST, value(1)).put(IN_SECOND, value(2));
      lacking.async().write(both, Durability.OS).durable().join();
      assertThat(lacking.get(IN_SECOND)).isEqualTo(value(2));
    }
  }

  @Test
  void callsHappenInTheirOrder() {
    holdFirst();
    AsyncWrite put = async.put(IN_FIRST, value(1), Durability.OS);
    CompletableFuture<byte[]> read = async.get(IN_FIRST);
    released.complete(null);
    assertThat(read.join()).isEqualTo(value(1));
    put.durable().join();
    AsyncWrite delete = async.delete(IN_FIRST, Durability.OS);
    CompletableFuture<byte[]> gone = async.get(IN_FIRST);
    delete.durable().join();
    assertThat(gone.join()).isNull();
  }

  @Test
  void keyspacesAndConditionsWork() {
    Keyspace named = store.keyspace("named");
    async.put(named, IN_FIRST, value(1), Durability.OS).durable().join();
    assertThat(async.get(IN_FIRST).join()).isNull();
    assertThat(async.get(named, IN_FIRST).join()).isEqualTo(value(1));
    assertThat(async
            .compareAndSet(named, IN_FIRST, value(1), value(2), Durability.SYNC)
            .join())
        .isTrue();
    assertThat(
            async.compareAndSet(named, IN_FIRST, value(1), null, Durability.OS).join())
        .isFalse();
    async.delete(named, IN_FIRST, Durability.OS).durable().join();
    assertThat(async.get(named, IN_FIRST).join()).isNull();
  }

  @Test
  void batchesOverSeveralOneAndNoShardsComplete() {
    WriteBatch batch = new WriteBatch().put(IN_FIRST, value(1)).put(IN_SECOND, value(2));
    AsyncWrite both = async.write(batch, Durability.SYNC);
    batch.clear();
    both.visible().join();
    both.durable().join();
    assertThat(both.durable().cancel(true)).isFalse();
    async.write(new WriteBatch().delete(IN_FIRST), Durability.OS).durable().join();
    async.write(new WriteBatch(), Durability.OS).durable().join();
    assertThat(store.get(IN_FIRST)).isNull();
    assertThat(store.get(IN_SECOND)).isEqualTo(value(2));
  }

  @Test
  void aWriteIsVisibleBeforeItIsDurable() {
    CompletableFuture<Void> forcing = new CompletableFuture<>();
    first.beforeSync(() -> {
      forcing.complete(null);
      released.join();
    });
    AsyncWrite put = async.put(IN_FIRST, value(1), Durability.SYNC);
    put.visible().join();
    forcing.join();
    assertThat(first.getDirectly(IN_FIRST)).isEqualTo(value(1));
    assertThat(put.durable()).isNotDone();
    released.complete(null);
    put.durable().join();
  }

  @Test
  void aWriteThatCannotBeForcedFailsItsSecondStage() {
    first.failSyncWith(new StoreIoException("force", "a file", null));
    AsyncWrite put = async.put(IN_FIRST, value(1), Durability.SYNC);
    put.visible().join();
    assertThatThrownBy(() -> put.durable().join()).hasCauseInstanceOf(StoreIoException.class);
  }

  @Test
  void adjacentWritesAreBatched() {
    holdFirst();
    AsyncWrite one = async.put(IN_FIRST, value(1), Durability.SYNC);
    AsyncWrite two = async.put(IN_FIRST, value(2), Durability.OS);
    released.complete(null);
    one.durable().join();
    two.durable().join();
    assertThat(first.calls()).contains("write 2 OS");
    assertThat(store.get(IN_FIRST)).isEqualTo(value(2));
  }

  @Test
  void cancelledCallHasNoEffect() {
    AsyncWrite held = holdFirst();
    AsyncWrite put = async.put(IN_FIRST, value(1), Durability.OS);
    CompletableFuture<byte[]> read = async.get(IN_FIRST);
    assertThat(held.durable().cancel(true)).isFalse();
    assertThat(put.visible().cancel(true)).isTrue();
    assertThat(put.durable()).isCancelled();
    released.complete(null);
    assertThat(read.join()).isEqualTo(value(0));
    held.durable().join();
  }

  @Test
  void callsAreBoundedAndCancelledOnesMakeRoom() {
    holdFirst();
    List<AsyncWrite> writes = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      writes.add(async.put(IN_FIRST, value(i), Durability.OS));
    }
    Thread fifth = daemon(() -> writes.add(async.put(IN_SECOND, value(9), Durability.OS)), "5");
    fifth.start();
    while (fifth.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    assertThat(second.getDirectly(IN_SECOND)).isNull();
    assertThat(writes.get(0).durable().cancel(false)).isTrue();
    released.complete(null);
    while (fifth.isAlive()) {
      Thread.onSpinWait();
    }
    writes.get(3).durable().join();
  }

  @Test
  void completionsMakeFurtherCallsWithoutWaitingForEachOther() {
    CompletableFuture<Void> last = CompletableFuture.completedFuture(null);
    List<CompletableFuture<Void>> chains = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      byte[] key = i % 2 == 0 ? IN_FIRST : IN_SECOND;
      chains.add(async.put(key, value(i), Durability.OS).durable().thenRun(() -> {
        async.put(IN_FIRST, value(100), Durability.OS);
        async.put(IN_SECOND, value(100), Durability.OS);
      }));
    }
    for (CompletableFuture<Void> chain : chains) {
      last = last.thenCombine(chain, (a, b) -> null);
    }
    last.join();
  }

  @Test
  void completionsRunOutsideOfTheWorkers() {
    assertThat(async.get(IN_FIRST).thenApply(value -> "").join()).isEmpty();
    holdFirst();
    CompletableFuture<String> thread =
        async.get(IN_FIRST).thenApply(value -> Thread.currentThread().getName());
    released.complete(null);
    assertThat(thread.join()).isEqualTo("completions");
  }

  @Test
  void rejectingExecutorHangsNoCall() {
    completions.shutdown();
    assertThat(async.get(IN_FIRST).join()).isNull();
    assertThatThrownBy(() -> completions.execute(() -> {}))
        .isInstanceOf(RejectedExecutionException.class);
  }

  @Test
  void closeServesEarlierCallsAndRefusesLaterOnes() {
    AsyncWrite held = holdFirst();
    AsyncWrite put = async.put(IN_FIRST, value(1), Durability.OS);
    Thread closing = daemon(store::close, "closing");
    closing.start();
    while (!store.isClosed()) {
      Thread.onSpinWait();
    }
    assertThatThrownBy(() -> async.get(IN_FIRST)).isInstanceOf(StoreClosedException.class);
    released.complete(null);
    held.durable().join();
    put.durable().join();
  }

  @Test
  void deadWorkerFailsWaitingCalls() {
    holdFirst();
    AsyncWrite put = async.put(IN_FIRST, value(1), Durability.OS);
    WriteBatch both = new WriteBatch().put(IN_FIRST, value(1)).put(IN_SECOND, value(2));
    AsyncWrite batch = async.write(both, Durability.OS);
    first.failWith(new AssertionError("broken"));
    released.complete(null);
    for (CompletableFuture<?> future : List.of(put.durable(), batch.visible())) {
      assertThatThrownBy(future::join)
          .isInstanceOf(CompletionException.class)
          .hasCauseInstanceOf(StoreFailedException.class);
    }
    assertThatThrownBy(async.get(IN_FIRST)::join).hasCauseInstanceOf(StoreFailedException.class);
    assertThat(async.get(IN_SECOND).join()).isNull();
    assertThatThrownBy(store::close).isInstanceOf(StoreFailedException.class);
  }
}
