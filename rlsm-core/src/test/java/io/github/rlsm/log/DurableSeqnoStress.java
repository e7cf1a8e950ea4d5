// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.log;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Writers that wait for one force of the log. */
public final class DurableSeqnoStress {

  private DurableSeqnoStress() {}

  /** Both threads return when the seqno that they wait for is durable. */
  @JCStressTest
  @Outcome(
      id = {"8, 8"},
      expect = ACCEPTABLE)
  @State
  public static class OneForceServesTwo {

    private int forces;
    private final DurableSeqno durable = new DurableSeqno(0, () -> 8L * ++forces, () -> 0);

    @Actor
    public void actor1(II_Result r) {
      durable.awaitAtLeast(4);
      r.r1 = (int) durable.get();
    }

    @Actor
    public void actor2(II_Result r) {
      durable.awaitAtLeast(8);
      r.r2 = (int) durable.get();
    }
  }

  /** Forces run one after another, so a counter without a lock loses no force. */
  @JCStressTest
  @Outcome(
      id = {"16, 2"},
      expect = ACCEPTABLE)
  @State
  public static class ForcesDoNotOverlap {

    private int forces;
    private final DurableSeqno durable = new DurableSeqno(0, () -> 8L * ++forces, () -> 0);

    @Actor
    public void actor1(II_Result r) {
      durable.awaitAtLeast(8);
    }

    @Actor
    public void actor2(II_Result r) {
      durable.awaitAtLeast(16);
    }

    @Arbiter
    public void arbiter(II_Result r) {
      r.r1 = (int) durable.get();
      r.r2 = forces;
    }
  }

  /** A thread that is served sees the stores of the force. */
  @JCStressTest
  @Outcome(
      id = {"1, 1"},
      expect = ACCEPTABLE)
  @State
  public static class ServedSeeTheForce {

    private int data;
    private final DurableSeqno durable = new DurableSeqno(
        0,
        () -> {
          data = 1;
          return 8;
        },
        () -> 0);

    @Actor
    public void actor1(II_Result r) {
      durable.awaitAtLeast(8);
      r.r1 = data;
    }

    @Actor
    public void actor2(II_Result r) {
      durable.awaitAtLeast(8);
      r.r2 = data;
    }
  }
}
