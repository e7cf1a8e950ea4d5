// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import io.github.rlsm.kv.StoreClosedException;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Users of a {@link Gate} and the thread that closes it. */
public final class GateStress {

  private GateStress() {}

  /** No user is inside once the gate is closed. */
  @JCStressTest
  @Outcome(
      id = {"0, 0", "-1, 0"},
      expect = ACCEPTABLE)
  @State
  public static class EnterAndClose {

    private final Gate gate = new Gate();
    private int closed;

    @Actor
    public void actor1(II_Result r) {
      try {
        int stripe = gate.enter();
        r.r1 = closed;
        gate.leave(stripe);
      } catch (StoreClosedException e) {
        r.r1 = -1;
      }
    }

    @Actor
    public void actor2(II_Result r) {
      gate.closeAndAwait();
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

    private final Gate gate = new Gate();
    private int data;

    @Actor
    public void actor1(II_Result r) {
      try {
        int stripe = gate.enter();
        data = 1;
        r.r1 = 1;
        gate.leave(stripe);
      } catch (StoreClosedException e) {
        r.r1 = 0;
      }
    }

    @Actor
    public void actor2(II_Result r) {
      gate.closeAndAwait();
      r.r2 = data;
    }
  }
}
