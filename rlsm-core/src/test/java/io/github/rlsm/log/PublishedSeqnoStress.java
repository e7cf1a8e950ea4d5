// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.log;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import io.github.rlsm.kv.StoreFailedException;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** Writers that publish records in any order. */
@SuppressWarnings("StaticAssignmentOfThrowable") // shared by millions of states
public final class PublishedSeqnoStress {

  private PublishedSeqnoStress() {}

  /** Two concurrent publishers leave no record unpublished. */
  @JCStressTest
  @Outcome(
      id = {"16"},
      expect = ACCEPTABLE)
  @State
  public static class TwoRecords {

    private final PublishedSeqno published = new PublishedSeqno(0);

    @Actor
    public void actor1(I_Result r) {
      published.publish(0, 8);
    }

    @Actor
    public void actor2(I_Result r) {
      published.publish(8, 16);
    }

    @Arbiter
    public void arbiter(I_Result r) {
      r.r1 = (int) published.get();
    }
  }

  /** As above, with two records each. */
  @JCStressTest
  @Outcome(
      id = {"32"},
      expect = ACCEPTABLE)
  @State
  public static class FourRecordsInterleaved {

    private final PublishedSeqno published = new PublishedSeqno(0);

    @Actor
    public void actor1(I_Result r) {
      published.publish(0, 8);
      published.publish(16, 24);
    }

    @Actor
    public void actor2(I_Result r) {
      published.publish(8, 16);
      published.publish(24, 32);
    }

    @Arbiter
    public void arbiter(I_Result r) {
      r.r1 = (int) published.get();
    }
  }

  /** As above, with the later record first. */
  @JCStressTest
  @Outcome(
      id = {"32"},
      expect = ACCEPTABLE)
  @State
  public static class FourRecordsBackwards {

    private final PublishedSeqno published = new PublishedSeqno(0);

    @Actor
    public void actor1(I_Result r) {
      published.publish(16, 24);
      published.publish(0, 8);
    }

    @Actor
    public void actor2(I_Result r) {
      published.publish(24, 32);
      published.publish(8, 16);
    }

    @Arbiter
    public void arbiter(I_Result r) {
      r.r1 = (int) published.get();
    }
  }

  /** Records of one seqno each. */
  @JCStressTest
  @Outcome(
      id = {"2"},
      expect = ACCEPTABLE)
  @State
  public static class RecordsOfOneSeqno {

    private final PublishedSeqno published = new PublishedSeqno(0);

    @Actor
    public void actor1(I_Result r) {
      published.publish(0, 1);
    }

    @Actor
    public void actor2(I_Result r) {
      published.publish(1, 2);
    }

    @Arbiter
    public void arbiter(I_Result r) {
      r.r1 = (int) published.get();
    }
  }

  /** Records on both sides of the end of the ring. */
  @JCStressTest
  @Outcome(
      id = {"32776"},
      expect = ACCEPTABLE)
  @State
  public static class RecordsAtTheRingsEnd {

    private final PublishedSeqno published = new PublishedSeqno((1 << 15) - 8);

    @Actor
    public void actor1(I_Result r) {
      published.publish((1 << 15) - 8, 1 << 15);
    }

    @Actor
    public void actor2(I_Result r) {
      published.publish(1 << 15, (1 << 15) + 8);
    }

    @Arbiter
    public void arbiter(I_Result r) {
      r.r1 = (int) published.get();
    }
  }

  /** A thread that sees the mark sees all earlier stores of the publisher. */
  @JCStressTest
  @Outcome(
      id = {"0, 0", "0, 1", "8, 1"},
      expect = ACCEPTABLE)
  @State
  public static class PublishedIsSeen {

    private final PublishedSeqno published = new PublishedSeqno(0);
    private int data;

    @Actor
    public void actor1(II_Result r) {
      data = 1;
      published.publish(0, 8);
    }

    @Actor
    public void actor2(II_Result r) {
      r.r1 = (int) published.get();
      r.r2 = data;
    }
  }

  /**
   * A thread that closes a gap and sees the mark behind it also sees the stores of the other
   * thread.
   */
  @JCStressTest
  @Outcome(
      id = {"0, 8", "1, 16"},
      expect = ACCEPTABLE)
  @State
  public static class ClosingTheGapShowsAll {

    private final PublishedSeqno published = new PublishedSeqno(0);
    private int data;

    @Actor
    public void actor1(II_Result r) {
      data = 1;
      published.publish(8, 16);
    }

    @Actor
    public void actor2(II_Result r) {
      published.publish(0, 8);
      int seen = (int) published.get();
      r.r2 = seen;
      r.r1 = seen == 16 ? data : 0;
    }
  }

  /** The mark never goes back. */
  @JCStressTest
  @Outcome(
      id = {"0, 0", "0, 8", "0, 16", "8, 8", "8, 16", "16, 16"},
      expect = ACCEPTABLE)
  @State
  public static class MarkOnlyGrows {

    private final PublishedSeqno published = new PublishedSeqno(0);

    @Actor
    public void actor1(II_Result r) {
      published.publish(8, 16);
      published.publish(0, 8);
    }

    @Actor
    public void actor2(II_Result r) {
      r.r1 = (int) published.get();
      r.r2 = (int) published.get();
    }
  }

  /** The mark never gets past a hole at its start. */
  @JCStressTest
  @Outcome(
      id = {"0, 0"},
      expect = ACCEPTABLE)
  @State
  public static class HoleFirst {

    private final PublishedSeqno published = new PublishedSeqno(0);
    private static final IllegalStateException CAUSE = new IllegalStateException("planned");

    @Actor
    public void actor1(II_Result r) {
      published.fail(CAUSE, 0, 8);
    }

    @Actor
    public void actor2(II_Result r) {
      published.publish(8, 16);
      r.r1 = (int) published.get();
    }

    @Arbiter
    public void arbiter(II_Result r) {
      r.r2 = (int) published.get();
    }
  }

  /** The mark stops at a hole behind a record. */
  @JCStressTest
  @Outcome(
      id = {"0, 8", "8, 8"},
      expect = ACCEPTABLE)
  @State
  public static class HoleSecond {

    private final PublishedSeqno published = new PublishedSeqno(0);
    private static final IllegalStateException CAUSE = new IllegalStateException("planned");

    @Actor
    public void actor1(II_Result r) {
      published.fail(CAUSE, 8, 16);
    }

    @Actor
    public void actor2(II_Result r) {
      r.r1 = (int) published.get();
      published.publish(0, 8);
    }

    @Arbiter
    public void arbiter(II_Result r) {
      r.r2 = (int) published.get();
    }
  }

  /** A waiting thread returns, and sees the stores of the publisher. */
  @JCStressTest
  @Outcome(
      id = {"1, 8"},
      expect = ACCEPTABLE)
  @State
  public static class WaiterIsServed {

    private final PublishedSeqno published = new PublishedSeqno(0);
    private int data;

    @Actor
    public void actor1(II_Result r) {
      data = 1;
      published.publish(0, 8);
    }

    @Actor
    public void actor2(II_Result r) {
      published.awaitAtLeast(8);
      r.r1 = data;
      r.r2 = (int) published.get();
    }
  }

  /** A thread that waits for a seqno behind a hole gets an exception. */
  @JCStressTest
  @Outcome(
      id = {"1"},
      expect = ACCEPTABLE)
  @State
  public static class WaiterIsToldOfAHole {

    private final PublishedSeqno published = new PublishedSeqno(0);
    private static final IllegalStateException CAUSE = new IllegalStateException("planned");

    @Actor
    public void actor1(I_Result r) {
      published.fail(CAUSE, 0, 8);
    }

    @Actor
    public void actor2(I_Result r) {
      try {
        published.awaitAtLeast(8);
      } catch (StoreFailedException e) {
        r.r1 = 1;
      }
    }
  }

  /** A known hole counts as settled. */
  @JCStressTest
  @Outcome(
      id = {"1, 0"},
      expect = ACCEPTABLE)
  @State
  public static class SettledPassesAHole {

    private final PublishedSeqno published = new PublishedSeqno(0);
    private int data;
    private static final IllegalStateException CAUSE = new IllegalStateException("planned");

    @Actor
    public void actor1(II_Result r) {
      data = 1;
      published.fail(CAUSE, 0, 8);
    }

    @Actor
    public void actor2(II_Result r) {
      published.awaitSettled(8);
      r.r1 = data;
      r.r2 = (int) published.get();
    }
  }
}
