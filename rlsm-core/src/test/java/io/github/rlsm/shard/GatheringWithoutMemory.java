// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard;

import io.github.rlsm.AllocationFaults;
import io.github.rlsm.kv.Durability;
import io.github.rlsm.kv.Keyspace;
import io.github.rlsm.kv.WriteBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Three batches gather while another is being written; then an allocation fails.
 * {@link io.github.rlsm.AllocationFaultLoader} loads this class.
 */
public final class GatheringWithoutMemory implements Function<long[], String> {

  private static final int FOLLOWERS = 3;

  /** The time limit. Only callers that hang exceed it. */
  private static final long HANGING_SECONDS = 20;

  /** The state of a run. */
  private static final class Run {
    final Set<Integer> written = ConcurrentHashMap.newKeySet();
    final CompletableFuture<Boolean> entered = new CompletableFuture<>();
    final CompletableFuture<Boolean> released = new CompletableFuture<>();
    final GroupCommit groupCommit = new GroupCommit(10, 1000, this::write);

    private void write(WriteBatch batch, Durability durability) {
      if (entered.complete(true)) {
        released.join();
      }
      batch.forEach(new WriteBatch.Visitor() {
        @Override
        public void put(
            @Nullable Keyspace keyspace,
            byte[] bytes,
            int keyOffset,
            int keyLength,
            int valueOffset,
            int valueLength) {
          written.add((int) bytes[keyOffset]);
        }

        @Override
        public void delete(
            @Nullable Keyspace keyspace, byte[] bytes, int keyOffset, int keyLength) {}
      });
    }

    /** Submits a batch. The result is whether it was acknowledged. */
    CompletableFuture<Boolean> come(int key) {
      WriteBatch batch = new WriteBatch().put(new byte[] {(byte) key}, new byte[100]);
      CompletableFuture<Boolean> end = new CompletableFuture<>();
      Thread caller = new Thread(
          () -> {
            try {
              groupCommit.write(batch, Durability.OS);
              end.complete(true);
            } catch (OutOfMemoryError e) {
              end.complete(false);
            } catch (RuntimeException | Error e) {
              end.completeExceptionally(e);
            }
          },
          "caller");
      caller.setDaemon(true);
      caller.start();
      return end;
    }
  }

  /**
   * Runs the scenario.
   *
   * @param arguments the number of the failing allocation
   * @return the problem found, or an empty text
   */
  @Override
  public String apply(long[] arguments) {
    Run run = new Run();
    List<CompletableFuture<Boolean>> ends = new ArrayList<>(List.of(run.come(0)));
    run.entered.join();
    for (int key = 1; key <= FOLLOWERS; key++) {
      ends.add(run.come(key));
      while (GroupCommitTest.waitingCount(run.groupCommit) < key) {
        Thread.onSpinWait();
      }
    }
    AllocationFaults.arm(arguments[0], 1);
    run.released.complete(true);
    try {
      for (int key = 0; key < ends.size(); key++) {
        boolean acknowledged = ends.get(key).get(HANGING_SECONDS, TimeUnit.SECONDS);
        if (acknowledged && !run.written.contains(key)) {
          return "batch " + key + " was acknowledged and never written";
        }
      }
      AllocationFaults.disarm();
      return run.come(9).get(HANGING_SECONDS, TimeUnit.SECONDS) ? "" : "the next batch failed";
    } catch (TimeoutException e) {
      return "a caller hangs";
    } catch (Exception e) {
      return e.toString();
    } finally {
      AllocationFaults.disarm();
    }
  }
}
