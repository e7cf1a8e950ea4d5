// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.compact;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** A caller and a helper of {@link SharedTasks}. */
public final class SharedTasksStress {

  private SharedTasksStress() {}

  /** Each task is done once, and the caller sees the stores of a helper. */
  @JCStressTest
  @Outcome(
      id = {"3, 3"},
      expect = ACCEPTABLE)
  @State
  public static class HelperAndCaller {

    private final BlockingQueue<Runnable> offered = new ArrayBlockingQueue<>(4);
    private final int[] done = new int[2];

    @Actor
    public void actor1(II_Result r) {
      SharedTasks tasks = new SharedTasks(offered::add);
      tasks.add(() -> done[0] += 1);
      tasks.add(() -> done[1] += 2);
      tasks.runUntil(() -> false);
      r.r1 = done[0] + done[1];
    }

    @Actor
    public void actor2(II_Result r) {
      Runnable task = offered.poll();
      if (task != null) {
        task.run();
      }
    }

    @Arbiter
    public void arbiter(II_Result r) {
      r.r2 = done[0] + done[1];
    }
  }

  /** An exception of a helper reaches the caller. */
  @JCStressTest
  @Outcome(
      id = {"1"},
      expect = ACCEPTABLE)
  @State
  public static class HelperFails {

    private final BlockingQueue<Runnable> offered = new ArrayBlockingQueue<>(4);

    private static void fail() {
      throw new IllegalStateException("planned");
    }

    @Actor
    public void actor1(I_Result r) {
      try {
        SharedTasks tasks = new SharedTasks(offered::add);
        tasks.add(() -> {});
        tasks.add(HelperFails::fail);
        tasks.runUntil(() -> false);
      } catch (IllegalStateException e) {
        r.r1 = 1;
      }
    }

    @Actor
    public void actor2(I_Result r) {
      Runnable task = offered.poll();
      if (task != null) {
        task.run();
      }
    }
  }
}
