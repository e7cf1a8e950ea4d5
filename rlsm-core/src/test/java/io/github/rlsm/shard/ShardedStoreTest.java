// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rlsm.io.Fault;
import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.kv.DiskFullException;
import io.github.rlsm.kv.ResourceExhaustedException;
import io.github.rlsm.kv.ResourceExhaustedException.Resource;
import io.github.rlsm.kv.StoreClosedException;
import io.github.rlsm.kv.StoreFailedException;
import io.github.rlsm.kv.StoreHealth;
import io.github.rlsm.kv.StoreHealth.State;
import io.github.rlsm.kv.StoreIoException;
import io.github.rlsm.kv.WriteBatch;
import io.github.rlsm.shard.admin.ShardOpening;
import io.github.rlsm.shard.worker.RecordingStore;
import io.github.rlsm.shard.worker.ShardSettings;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests the behavior that only a store of several shards has. */
class ShardedStoreTest {

  private final SimulatedDirectory directory = new SimulatedDirectory();
  private final RecordingStore first = new RecordingStore();
  private final RecordingStore second = new RecordingStore();
  private final CompletableFuture<Void> released = new CompletableFuture<>();
  private final List<Thread> threads = new CopyOnWriteArrayList<>();
  private final ShardedStore store = ShardOpening.open(
      directory,
      2,
      (set, shard) -> shard == 0 ? first : second,
      new ShardSettings(2, 32, 1_000, 1 << 20, 64, 8),
      new ShardOpening.Services(this::thread, new SplittableRandom(1), Runnable::run));

  /** The keys "a" and "abc" are in different shards; see ShardRouterTest. */
  private static final byte[] IN_FIRST = {'a', 'b', 'c'};

  private static final byte[] IN_SECOND = {'a'};
  private static final byte[] VALUE = {1};

  private Thread thread(Runnable task) {
    Thread thread = new Thread(task);
    thread.setDaemon(true);
    thread.setUncaughtExceptionHandler((dead, why) -> {});
    threads.add(thread);
    return thread;
  }

  private void start(Runnable task) {
    thread(task).start();
  }

  /** Returns when the thread is asleep. */
  private void awaitParked(int number) {
    while (threads.get(number).getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
  }

  @BeforeEach
  void forgetHowItWasMade() {
    first.forgetCalls();
    second.forgetCalls();
  }

  @AfterEach
  void workersEnd() throws InterruptedException {
    released.complete(null);
    try {
      store.close();
    } catch (StoreFailedException e) {
      assertThat(e).hasMessageContaining("broken");
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(first.isClosed()).isTrue();
    assertThat(second.isClosed()).isTrue();
  }

  @Test
  void threadsHaveNames() {
    assertThat(threads).extracting(Thread::getName).containsExactly("rlsm-shard-0", "rlsm-shard-1");
  }

  @Test
  void aShardThatHasDoneItsPartOfABatchWaitsForTheOther() {
    CompletableFuture<Void> entered = new CompletableFuture<>();
    second.beforeWrite(() -> {
      entered.complete(null);
      released.join();
    });
    start(() -> store.write(new WriteBatch().put(IN_FIRST, VALUE).put(IN_SECOND, VALUE)));
    entered.join();
    while (!first.calls().contains("write 2 OS")) {
      Thread.onSpinWait();
    }
    CompletableFuture<byte[]> read = new CompletableFuture<>();
    start(() -> read.complete(store.get(IN_FIRST)));
    awaitParked(3);
    awaitParked(0);
    assertThat(first.calls()).doesNotContain("get");
    released.complete(null);
    assertThat(read.join()).isEqualTo(VALUE);
    assertThat(store.get(IN_SECOND)).isEqualTo(VALUE);
  }

  @Test
  void fullQueueBlocksCallers() {
    first.beforeWrite(released::join);
    for (int i = 0; i < 6; i++) {
      start(() -> store.write(new WriteBatch().put(IN_FIRST, VALUE)));
    }
    for (int i = 2; i < 8; i++) {
      awaitParked(i);
    }
    assertThat(first.calls()).isEmpty();
    released.complete(null);
    store.put(IN_FIRST, VALUE);
    store.put(IN_SECOND, VALUE);
  }

  @Test
  void healthIsThatOfTheWorstShard() {
    assertThat(store.health()).isEqualTo(StoreHealth.HEALTHY);
    StoreHealth degraded = health(State.DEGRADED);
    StoreHealth readOnly = health(State.READ_ONLY);
    second.healthIs(degraded);
    assertThat(store.health()).isEqualTo(degraded.ofShard(1));
    first.healthIs(readOnly);
    assertThat(store.health()).isEqualTo(readOnly.ofShard(0));
    store.resume();
    assertThat(first.calls()).contains("resume");
    assertThat(second.calls()).contains("resume");
  }

  private static StoreHealth health(State state) {
    StoreIoException cause = new StoreIoException("write", "a file", null);
    Duration second = Duration.ofSeconds(1);
    StoreHealth.Retry retry = new StoreHealth.Retry(List.of("flush"), second);
    return new StoreHealth(state, cause, retry, second, "fix it", -1);
  }

  @Test
  void tornBatchIsInvisible() {
    second.failWith(new StoreIoException("write", "a file", null));
    WriteBatch batch = new WriteBatch().put(IN_FIRST, VALUE).put(IN_SECOND, VALUE);
    assertThatThrownBy(() -> store.write(batch)).isInstanceOf(StoreIoException.class);
    assertThatThrownBy(() -> store.get(IN_FIRST)).isInstanceOf(StoreFailedException.class);
    assertThatThrownBy(() -> store.put(IN_FIRST, VALUE)).isInstanceOf(StoreFailedException.class);
    assertThatThrownBy(store::snapshot).isInstanceOf(StoreFailedException.class);
    assertThat(store.health().state()).isEqualTo(State.FAILED);
    assertThat(store.health().remedy()).contains("open the store again");
  }

  @Test
  void batchThatFailsInAllShardsFailsTheStore() {
    first.failWith(new StoreIoException("write", "a file", null));
    second.failWith(new StoreIoException("write", "a file", null));
    WriteBatch batch = new WriteBatch().put(IN_FIRST, VALUE).put(IN_SECOND, VALUE);
    assertThatThrownBy(() -> store.write(batch)).isInstanceOf(StoreIoException.class);
    assertThatThrownBy(() -> store.get(IN_FIRST)).isInstanceOf(StoreFailedException.class);
  }

  @Test
  void batchThatCannotBeginChangesNothing() {
    second.failSyncWith(new StoreIoException("force", "a file", null));
    WriteBatch batch = new WriteBatch().put(IN_FIRST, VALUE).put(IN_SECOND, VALUE);
    assertThatThrownBy(() -> store.write(batch)).isInstanceOf(StoreIoException.class);
    assertThat(store.get(IN_FIRST)).isNull();
    assertThat(store.get(IN_SECOND)).isNull();
    store.put(IN_FIRST, VALUE);
    assertThat(store.get(IN_FIRST)).isEqualTo(VALUE);
  }

  @Test
  void unwritableLogStopsWritesButNoReads() {
    store.put(IN_FIRST, VALUE);
    directory.failAt(directory.eventCount(), Fault.NO_SPACE, true);
    WriteBatch batch = new WriteBatch().delete(IN_FIRST).put(IN_SECOND, VALUE);
    assertThatThrownBy(() -> store.write(batch)).isInstanceOf(DiskFullException.class);
    directory.mend();
    assertThatThrownBy(() -> store.put(IN_FIRST, VALUE)).isInstanceOf(StoreFailedException.class);
    assertThatThrownBy(() -> store.write(batch)).isInstanceOf(StoreFailedException.class);
    assertThat(store.get(IN_FIRST)).isEqualTo(VALUE);
    assertThat(store.get(IN_SECOND)).isNull();
    assertThat(first.calls()).doesNotContain("write 2 OS");
  }

  @Test
  void failedThreadStartClosesAllShards() {
    SimulatedDirectory other = new SimulatedDirectory();
    List<RecordingStore> stores =
        List.of(new RecordingStore(), new RecordingStore(), new RecordingStore());
    List<Thread> made = new CopyOnWriteArrayList<>();
    ShardOpening.Services poor = new ShardOpening.Services(
        task -> {
          if (made.size() == 1) {
            throw new OutOfMemoryError("no more threads");
          }
          Thread thread = thread(task);
          made.add(thread);
          return thread;
        },
        new SplittableRandom(1),
        Runnable::run);
    assertThatThrownBy(() -> ShardOpening.open(
            other, 3, (set, shard) -> stores.get(shard), ShardSettings.DEFAULT, poor))
        .isInstanceOfSatisfying(
            ResourceExhaustedException.class,
            e -> assertThat(e.resource()).isEqualTo(Resource.THREADS));
    assertThat(stores).allMatch(RecordingStore::isClosed);
    assertThat(other.openHandles()).isEmpty();
  }

  @Test
  void closeServesWaitingCallsAndRefusesLaterOnes() {
    first.beforeWrite(released::join);
    List<CompletableFuture<String>> ends = new CopyOnWriteArrayList<>();
    for (int i = 0; i < 8; i++) {
      CompletableFuture<String> end = new CompletableFuture<>();
      ends.add(end);
      start(() -> {
        try {
          store.write(new WriteBatch().put(IN_FIRST, VALUE).put(IN_SECOND, VALUE));
          end.complete("served");
        } catch (StoreClosedException e) {
          end.complete("refused");
        }
      });
    }
    for (int i = 2; i < 10; i++) {
      awaitParked(i);
    }
    start(store::close);
    released.complete(null);
    assertThat(ends).allMatch(end -> List.of("served", "refused").contains(end.join()));
    while (!store.isClosed()) {
      Thread.onSpinWait();
    }
    assertThatThrownBy(() -> store.get(IN_FIRST)).isInstanceOf(StoreClosedException.class);
  }

  @Test
  void oneDeadWorkerDoesNotHangTheOthers() {
    first.failWith(new AssertionError("broken"));
    assertThatThrownBy(() -> store.put(IN_FIRST, VALUE))
        .isInstanceOf(StoreFailedException.class)
        .hasRootCauseMessage("broken");
    WriteBatch batch = new WriteBatch().put(IN_FIRST, VALUE).put(IN_SECOND, VALUE);
    assertThatThrownBy(() -> store.write(batch)).isInstanceOf(StoreFailedException.class);
    store.put(IN_SECOND, VALUE);
    assertThat(store.get(IN_SECOND)).isEqualTo(VALUE);
    assertThatThrownBy(store::snapshot).isInstanceOf(StoreFailedException.class);
    assertThatThrownBy(() -> store.keyspace("new")).isInstanceOf(StoreFailedException.class);
    assertThatThrownBy(store::sync).isInstanceOf(StoreFailedException.class);
  }

  @Test
  void failureOfAPartLeavesNoCallerWaiting() {
    second.failWith(new AssertionError("broken"));
    WriteBatch batch = new WriteBatch().put(IN_FIRST, VALUE).put(IN_SECOND, VALUE);
    assertThatThrownBy(() -> store.write(batch)).isInstanceOf(StoreFailedException.class);
    assertThatThrownBy(() -> store.get(IN_FIRST)).isInstanceOf(StoreFailedException.class);
  }
}
