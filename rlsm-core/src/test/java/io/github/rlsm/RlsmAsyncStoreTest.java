// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rlsm.kv.AsyncWrite;
import io.github.rlsm.kv.Durability;
import io.github.rlsm.kv.KvStore;
import io.github.rlsm.kv.ModelStore;
import io.github.rlsm.kv.StoreIoException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

/** Tests when asynchronous writes of a store without shards are forced, and by which thread. */
class RlsmAsyncStoreTest {

  private static final byte[] KEY = {1};
  private static final byte[] VALUE = {2};

  private final KvStore store = new ModelStore();
  private final Deque<Runnable> tasks = new ArrayDeque<>();
  private int forces;
  private RuntimeException failure;

  private final RlsmAsyncStore async = new RlsmAsyncStore(store.async(), this::force, tasks::add);

  private void force() {
    forces++;
    if (failure != null) {
      throw failure;
    }
  }

  @Test
  void oneForceServesAllWaitingWrites() {
    List<AsyncWrite> writes = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      writes.add(async.put(KEY, VALUE, Durability.SYNC));
    }
    CompletableFuture<Boolean> exchanged =
        async.compareAndSet(store, KEY, VALUE, KEY, Durability.SYNC);
    assertThat(store.get(KEY)).isEqualTo(KEY);
    assertThat(writes).allMatch(write -> write.visible().isDone());
    assertThat(writes).noneMatch(write -> write.durable().isDone());
    assertThat(exchanged).isNotDone();
    assertThat(tasks).hasSize(1);
    tasks.remove().run();
    assertThat(forces).isEqualTo(1);
    assertThat(writes).allMatch(write -> write.durable().isDone());
    assertThat(exchanged.join()).isTrue();
    async.put(KEY, VALUE, Durability.SYNC);
    assertThat(tasks).hasSize(1);
  }

  @Test
  void writesOfLowerDurabilityNeedNoForce() {
    assertThat(async.put(KEY, VALUE, Durability.OS).durable()).isDone();
    assertThat(async.delete(KEY, Durability.BUFFERED).durable()).isDone();
    assertThat(async.get(KEY).join()).isNull();
    assertThat(tasks).isEmpty();
    assertThat(forces).isZero();
  }

  @Test
  void failedForceFailsTheWritesThatWaitForIt() {
    AsyncWrite write = async.put(KEY, VALUE, Durability.SYNC);
    failure = new StoreIoException("force", "a file", null);
    tasks.remove().run();
    write.visible().join();
    assertThatThrownBy(() -> write.durable().join()).hasCause(failure);
  }

  @Test
  void callingThreadForcesIfTooManyWritesWait() {
    AsyncWrite first = async.put(KEY, VALUE, Durability.SYNC);
    int writes = 1;
    while (forces == 0) {
      async.put(KEY, VALUE, Durability.SYNC);
      writes++;
    }
    assertThat(first.durable()).isDone();
    assertThat(writes).isEqualTo(4096);
    tasks.remove().run();
    assertThat(forces).isEqualTo(1);
  }

  @Test
  void callingThreadForcesIfNoThreadIsThere() {
    RlsmAsyncStore alone = new RlsmAsyncStore(store.async(), this::force, task -> {
      throw new RejectedExecutionException();
    });
    assertThat(alone.put(KEY, VALUE, Durability.SYNC).durable()).isDone();
    assertThat(forces).isEqualTo(1);
  }

  @Test
  void waitingWriteCannotBeCancelled() {
    AsyncWrite write = async.put(KEY, VALUE, Durability.SYNC);
    assertThat(write.durable().cancel(true)).isFalse();
    assertThat(write.durable()).isNotDone();
    async.close();
    assertThat(write.durable()).isCompletedWithValue(null);
    assertThat(forces).isEqualTo(1);
  }
}
