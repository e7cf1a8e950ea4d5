// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.compact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SharedTasksTest {

  private static void start(Runnable task) {
    Thread thread = new Thread(task, "helper");
    thread.setDaemon(true);
    thread.start();
  }

  @Test
  void jobRunsAllTasksWithoutHelpers() {
    List<Integer> done = new ArrayList<>();
    List<Runnable> late = new ArrayList<>();
    SharedTasks.run(5, done::add, late::add);
    assertThat(done).containsExactly(0, 1, 2, 3, 4);
    late.forEach(Runnable::run);
    assertThat(done).as("a late helper finds no task").hasSize(5);
  }

  @Test
  void fewerThanTwoTasksNeedNoHelper() {
    SharedTasks.run(0, i -> {}, task -> {
      throw new AssertionError("no helper is needed");
    });
    SharedTasks.run(1, i -> {}, task -> {
      throw new AssertionError("one task needs no helper");
    });
  }

  @Test
  void allFreeThreadsTakeTasks() {
    AtomicIntegerArray done = new AtomicIntegerArray(8);
    CyclicBarrier together = new CyclicBarrier(4);
    SharedTasks.run(
        8,
        i -> {
          await(together); // four threads, twice
          done.incrementAndGet(i);
        },
        SharedTasksTest::start);
    for (int i = 0; i < 8; i++) {
      assertThat(done.get(i)).as("task %s", i).isEqualTo(1);
    }
  }

  @Test
  void helpersExceptionIsThrownAfterAllTasksEnd() {
    CyclicBarrier together = new CyclicBarrier(2);
    CountDownLatch thrown = new CountDownLatch(1);
    AtomicIntegerArray done = new AtomicIntegerArray(50);
    // With a second helper, its failure could let the first one skip the task that the job awaits.
    AtomicBoolean helped = new AtomicBoolean();
    Thread job = Thread.currentThread();
    assertThatThrownBy(() -> SharedTasks.run(
            50,
            i -> {
              if (i < 2) {
                await(together);
              }
              if (!job.equals(Thread.currentThread())) {
                thrown.countDown();
                throw new IllegalStateException("no room");
              }
              await(thrown);
              done.incrementAndGet(i);
            },
            task -> {
              if (helped.compareAndSet(false, true)) {
                start(task);
              }
            }))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("no room");
    assertThat(done.get(0) + done.get(1)).as("the job's own task was completed").isEqualTo(1);
  }

  @Test
  void noTaskStartsAfterAFailure() {
    List<Integer> begun = new ArrayList<>();
    assertThatThrownBy(() -> SharedTasks.run(
            5,
            i -> {
              begun.add(i);
              if (i == 1) {
                throw new StackOverflowError("deep");
              }
            },
            task -> {}))
        .isInstanceOf(StackOverflowError.class);
    assertThat(begun).containsExactly(0, 1);
  }

  private static void await(CyclicBarrier barrier) {
    try {
      barrier.await();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
