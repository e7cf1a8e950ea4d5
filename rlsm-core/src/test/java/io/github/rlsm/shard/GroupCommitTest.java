// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rlsm.AllocationFaultLoader;
import io.github.rlsm.AllocationFaults;
import io.github.rlsm.kv.Durability;
import io.github.rlsm.kv.Keyspace;
import io.github.rlsm.kv.NoSuchKeyspaceException;
import io.github.rlsm.kv.StoreIoException;
import io.github.rlsm.kv.WriteBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests which batches are written together, and which callers get which result. */
@Tag("optimized")
class GroupCommitTest {

  private static final int COUNT_MAX = 4;
  private static final int BYTES_MAX = 100;

  private final List<String> written = new CopyOnWriteArrayList<>();
  private final CompletableFuture<Boolean> entered = new CompletableFuture<>();
  private final CompletableFuture<Boolean> released = new CompletableFuture<>();
  private final List<CompletableFuture<Void>> ends = new ArrayList<>();
  private volatile @Nullable RuntimeException failure;
  private final GroupCommit groupCommit =
      new GroupCommit(COUNT_MAX, BYTES_MAX, this::writeAndRecord);

  /** Blocks the first batch until it is released, and refuses batches with a delete. */
  private void writeAndRecord(WriteBatch batch, Durability durability) {
    if (entered.complete(true)) {
      released.join();
    }
    List<String> keys = new ArrayList<>();
    batch.forEach(new WriteBatch.Visitor() {
      @Override
      public void put(
          @Nullable Keyspace keyspace,
          byte[] bytes,
          int keyOffset,
          int keyLength,
          int valueOffset,
          int valueLength) {
        keys.add(String.valueOf(bytes[keyOffset]));
      }

      @Override
      public void delete(@Nullable Keyspace keyspace, byte[] bytes, int keyOffset, int keyLength) {
        throw new NoSuchKeyspaceException("gone");
      }
    });
    if (failure != null && keys.size() > 1) {
      throw failure;
    }
    written.add(String.join(" ", keys) + " " + durability);
  }

  private static WriteBatch put(int key, int bytes) {
    return new WriteBatch().put(new byte[] {(byte) key}, new byte[bytes]);
  }

  /** Returns the number of callers in the queue, including a leader that has not gathered yet. */
  static int waitingCount(GroupCommit groupCommit) {
    int count = 0;
    synchronized (groupCommit) {
      for (GroupCommit.Waiting one = groupCommit.first; one != null; one = one.next) {
        count++;
      }
    }
    return count;
  }

  /** Submits a batch, and waits until it is gathered or being written. */
  private void come(WriteBatch batch, Durability durability) {
    CompletableFuture<Void> end = new CompletableFuture<>();
    int before = waitingCount(groupCommit);
    Thread caller = new Thread(
        () -> {
          try {
            groupCommit.write(batch, durability);
            end.complete(null);
          } catch (RuntimeException e) {
            end.completeExceptionally(e);
          }
        },
        "caller");
    caller.start();
    if (ends.isEmpty()) {
      entered.join();
    } else {
      while (waitingCount(groupCommit) == before) {
        Thread.onSpinWait();
      }
    }
    ends.add(end);
  }

  private void come(int key) {
    come(put(key, 1), Durability.OS);
  }

  @Test
  void batchesThatArriveDuringAWriteAreWrittenTogether() {
    come(1);
    come(2);
    come(put(3, 1), Durability.SYNC);
    come(4);
    released.complete(true);
    ends.forEach(CompletableFuture::join);
    assertThat(written).containsExactly("1 OS", "2 3 4 SYNC");
    assertThat(waitingCount(groupCommit)).isZero();
    groupCommit.write(put(5, 1), Durability.BUFFERED);
    assertThat(written).endsWith("5 BUFFERED");
  }

  @Test
  void numberOfGatheredBatchesIsLimited() {
    for (int key = 1; key <= 10; key++) {
      come(key);
    }
    released.complete(true);
    ends.forEach(CompletableFuture::join);
    assertThat(written).containsExactly("1 OS", "2 3 4 5 OS", "6 7 8 9 OS", "10 OS");
  }

  @Test
  void bytesOfGatheredBatchesAreLimited() {
    come(1);
    come(put(2, 60), Durability.OS);
    come(put(3, 60), Durability.OS);
    come(put(4, 500), Durability.OS);
    come(put(5, 30), Durability.OS);
    released.complete(true);
    ends.forEach(CompletableFuture::join);
    assertThat(written).containsExactly("1 OS", "2 OS", "3 OS", "4 OS", "5 OS");
  }

  @Test
  void refusedBatchFailsNoOther() {
    come(1);
    come(2);
    come(new WriteBatch().delete(new byte[] {3}), Durability.OS);
    come(4);
    released.complete(true);
    assertThatThrownBy(ends.get(2)::join)
        .isInstanceOf(CompletionException.class)
        .hasCauseInstanceOf(NoSuchKeyspaceException.class);
    ends.remove(2);
    ends.forEach(CompletableFuture::join);
    assertThat(written).containsExactly("1 OS", "2 OS", "4 OS");
  }

  @Test
  void failureFailsAllBatchesWrittenTogetherAndNoOther() {
    failure = new StoreIoException("force", "a file", null);
    come(1);
    come(2);
    come(3);
    released.complete(true);
    ends.get(0).join();
    for (CompletableFuture<Void> end : ends.subList(1, 3)) {
      assertThatThrownBy(end::join).hasCause(failure);
    }
    groupCommit.write(put(5, 1), Durability.OS);
    assertThat(written).containsExactly("1 OS", "5 OS");
  }

  /**
   * If any allocation fails, each acknowledged batch was written, the other callers get the
   * failure, and the next caller can lead.
   */
  @Test
  void aLeaderWithoutMemoryFailsItsFollowersAndHandsTheLeadOn() throws Exception {
    Function<long[], String> run = AllocationFaultLoader.scenario(GatheringWithoutMemory.class);
    assertThat(run.apply(new long[] {Long.MAX_VALUE - 1})).isEmpty();
    long allocations = AllocationFaults.count();
    assertThat(allocations).isPositive();
    for (long n = 0; n < allocations; n++) {
      assertThat(run.apply(new long[] {n})).as("allocation %d fails", n).isEmpty();
    }
  }
}
