// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rlsm.kv.StoreFailedException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests bounds, back-pressure and the end of a worker's queue. */
@Tag("optimized")
class RequestQueueTest {

  private static final int CAPACITY = 4;

  private final RequestQueue queue = new RequestQueue(CAPACITY);

  private static Request.Call<Integer> request(int number) {
    return new Request.Call<>(Request.Access.READS, store -> number);
  }

  private static Thread start(Runnable task) {
    Thread thread = new Thread(task, "caller");
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  private static void awaitParked(Thread thread) {
    while (thread.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
  }

  @Test
  void callerWaitsWhileTheQueueIsFull() throws InterruptedException {
    List<Request> added = new ArrayList<>();
    for (int i = 0; i <= CAPACITY; i++) {
      added.add(request(i));
    }
    added.subList(0, CAPACITY).forEach(queue::add);
    Thread late = start(() -> queue.add(added.get(CAPACITY)));
    awaitParked(late);
    assertThat(queue.take()).isSameAs(added.get(0));
    late.join();
    for (Request next : added.subList(1, CAPACITY + 1)) {
      assertThat(queue.take()).isSameAs(next);
    }
    assertThat(queue.peek()).isNull();
  }

  @Test
  void waitingCallerIsRefusedAfterTheWorkersEnd() throws InterruptedException {
    List<Request> added = new CopyOnWriteArrayList<>();
    List<Thread> callers = new ArrayList<>();
    for (int i = 0; i < CAPACITY; i++) {
      added.add(request(i));
      queue.add(added.get(i));
    }
    for (int i = 0; i < 3 * CAPACITY; i++) {
      Request late = request(i);
      added.add(late);
      callers.add(start(() -> queue.add(late)));
    }
    callers.forEach(RequestQueueTest::awaitParked);
    queue.end(() -> new StoreFailedException(new AssertionError("broken")));
    for (Thread caller : callers) {
      caller.join();
    }
    for (Request request : added) {
      assertThatThrownBy(request::await)
          .isInstanceOf(StoreFailedException.class)
          .hasMessageContaining("broken");
    }
  }

  @Test
  void nothingIsLostOrServedTwice() throws InterruptedException {
    int threads = 6;
    int each = 5_000;
    AtomicInteger waiting = new AtomicInteger();
    List<Thread> callers = new ArrayList<>();
    for (int thread = 0; thread < threads; thread++) {
      int first = thread * each;
      callers.add(start(() -> {
        for (int i = 0; i < each; i++) {
          queue.add(request(first + i));
          waiting.incrementAndGet();
        }
      }));
    }
    int[] next = new int[threads];
    for (int i = 0; i < threads * each; i++) {
      Request.Call<?> request = (Request.Call<?>) queue.take();
      // Each caller may not have counted its last request yet, although it was taken.
      assertThat(waiting.decrementAndGet()).isBetween(-threads, CAPACITY + threads);
      request.run(new RecordingStore());
      int number = (Integer) request.result();
      assertThat(number % each).as("in the order of each caller").isEqualTo(next[number / each]++);
    }
    for (Thread caller : callers) {
      caller.join();
    }
    assertThat(queue.peek()).isNull();
  }
}
