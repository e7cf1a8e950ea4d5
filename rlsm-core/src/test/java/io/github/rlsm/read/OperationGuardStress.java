// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.read;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import io.github.rlsm.kv.StoreClosedException;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Users of a {@link OperationGuard} and the thread that closes it. */
public final class OperationGuardStress {

  private OperationGuardStress() {}

  /** No user is inside once the gate is closed. */
  @JCStressTest
  @Outcome(
      id = {"0, 0", "-1, 0"},
      expect = ACCEPTABLE)
  @State
  public static class EnterAndClose {

    private final OperationGuard guard = new OperationGuard();
    private int closed;

    @Actor
    public void actor1(II_Result r) {
      try {
        int stripe = guard.enter();
        r.r1 = closed;
        guard.leave(stripe);
      } catch (StoreClosedException e) {
        r.r1 = -1;
      }
    }

    @Actor
    public void actor2(II_Result r) {
      guard.closeAndAwait();
      closed = 1;
    }
  }

  /** A thread that has closed the gate sees the stores of its users. */
  @JCStressTest
  @Outcome(
      id = {"1, 1", "0, 0"},
      expect = ACCEPTABLE)
  @State
  public static class CloseSeesUsers {

    private final OperationGuard guard = new OperationGuard();
    private int data;

    @Actor
    public void actor1(II_Result r) {
      try {
        int stripe = guard.enter();
        data = 1;
        r.r1 = 1;
        guard.leave(stripe);
      } catch (StoreClosedException e) {
        r.r1 = 0;
      }
    }

    @Actor
    public void actor2(II_Result r) {
      guard.closeAndAwait();
      r.r2 = data;
    }
  }
}
