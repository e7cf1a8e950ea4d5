// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.compact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rlsm.base.Pause;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
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

  /** Never enough, so all tasks run. */
  private static boolean allEnded() {
    return false;
  }

  @Test
  void jobRunsAllTasksWithoutHelpers() {
    List<Integer> done = new ArrayList<>();
    List<Runnable> late = new ArrayList<>();
    SharedTasks tasks = new SharedTasks(late::add);
    for (int i = 0; i < 5; i++) {
      int number = i;
      tasks.add(() -> done.add(number));
    }
    assertThat(done).as("adding a task does not run it").isEmpty();
    tasks.runUntil(SharedTasksTest::allEnded);
    assertThat(done).containsExactly(0, 1, 2, 3, 4);
    late.forEach(Runnable::run);
    assertThat(done).as("a late helper finds no task").hasSize(5);
    tasks.runUntil(SharedTasksTest::allEnded);
  }

  @Test
  void jobRunsNoMoreTasksThanNecessary() {
    List<Integer> done = new ArrayList<>();
    SharedTasks tasks = new SharedTasks(task -> {});
    for (int i = 0; i < 5; i++) {
      int number = i;
      tasks.add(() -> done.add(number));
    }
    tasks.runUntil(() -> done.size() >= 2);
    assertThat(done).containsExactly(0, 1);
    tasks.runUntil(() -> done.size() >= 2);
    assertThat(done).hasSize(2);
    tasks.close();
    tasks.runUntil(SharedTasksTest::allEnded);
    assertThat(done).as("closed tasks never begin").hasSize(2);
  }

  @Test
  void allFreeThreadsTakeTasks() {
    AtomicIntegerArray done = new AtomicIntegerArray(8);
    CyclicBarrier together = new CyclicBarrier(4);
    AtomicInteger invitations = new AtomicInteger();
    SharedTasks tasks = new SharedTasks(task -> {
      if (invitations.getAndIncrement() < 7) {
        start(task); // one task is left for the job
      }
    });
    for (int i = 0; i < 8; i++) {
      int number = i;
      tasks.add(() -> {
        await(together);
        done.incrementAndGet(number);
      });
    }
    tasks.runUntil(SharedTasksTest::allEnded);
    for (int i = 0; i < 8; i++) {
      assertThat(done.get(i)).as("task %s", i).isEqualTo(1);
    }
  }

  @Test
  void helpersExceptionIsThrownAfterAllTasksEnd() {
    CyclicBarrier together = new CyclicBarrier(2);
    CountDownLatch thrown = new CountDownLatch(1);
    AtomicInteger done = new AtomicInteger();
    Thread job = Thread.currentThread();
    AtomicBoolean helped = new AtomicBoolean();
    SharedTasks tasks = new SharedTasks(task -> {
      if (helped.compareAndSet(false, true)) {
        start(task);
      }
    });
    for (int i = 0; i < 2; i++) {
      tasks.add(() -> {
        await(together);
        if (!job.equals(Thread.currentThread())) {
          thrown.countDown();
          throw new IllegalStateException("no room");
        }
        await(thrown);
        done.incrementAndGet();
      });
    }
    assertThatThrownBy(() -> tasks.runUntil(SharedTasksTest::allEnded))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("no room");
    assertThat(done).as("the job's own task was completed").hasValue(1);
  }

  @Test
  void noTaskStartsAfterAFailure() {
    List<Integer> begun = new ArrayList<>();
    SharedTasks tasks = new SharedTasks(task -> {});
    for (int i = 0; i < 5; i++) {
      int number = i;
      tasks.add(() -> {
        begun.add(number);
        if (number == 1) {
          throw new StackOverflowError("deep");
        }
      });
    }
    assertThatThrownBy(() -> tasks.runUntil(SharedTasksTest::allEnded))
        .isInstanceOf(StackOverflowError.class);
    assertThat(begun).containsExactly(0, 1);
    tasks.add(() -> begun.add(5));
    assertThatThrownBy(() -> tasks.runUntil(() -> true)).isInstanceOf(StackOverflowError.class);
    assertThat(begun).containsExactly(0, 1);
  }

  @Test
  void closingWaitsForTasksOfHelpers() {
    CountDownLatch begun = new CountDownLatch(1);
    AtomicBoolean ended = new AtomicBoolean();
    SharedTasks tasks = new SharedTasks(SharedTasksTest::start);
    tasks.add(() -> {
      begun.countDown();
      Pause.nanos(tasks, 20_000_000);
      ended.set(true);
    });
    await(begun);
    tasks.close();
    assertThat(ended).isTrue();
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
