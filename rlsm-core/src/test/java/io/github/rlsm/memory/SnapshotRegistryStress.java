// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.memory;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Snapshots that open while writers replace versions that the snapshots may need. */
public final class SnapshotRegistryStress {

  private SnapshotRegistryStress() {}

  /** Two snapshots get two places. */
  @JCStressTest
  @Outcome(
      id = {"1, 2"},
      expect = ACCEPTABLE)
  @State
  public static class TicketsDiffer {

    private final SnapshotRegistry registry = new SnapshotRegistry();
    private int first;
    private int second;

    /** An actor. */
    @Actor
    public void actor1(II_Result r) {
      first = registry.enter();
    }

    /** An actor. */
    @Actor
    public void actor2(II_Result r) {
      second = registry.enter();
    }

    /** After both. */
    @Arbiter
    public void arbiter(II_Result r) {
      r.r1 = first == second ? 0 : 1;
      r.r2 = registry.count();
    }
  }

  /** Snapshots that come and go leave nothing. */
  @JCStressTest
  @Outcome(
      id = {"0, 0"},
      expect = ACCEPTABLE)
  @State
  public static class CountReturnsToZero {

    private final SnapshotRegistry registry = new SnapshotRegistry();

    /** An actor. */
    @Actor
    public void actor1(II_Result r) {
      registry.leave(registry.enter());
    }

    /** An actor. */
    @Actor
    public void actor2(II_Result r) {
      registry.leave(registry.enter());
    }

    /** After both. */
    @Arbiter
    public void arbiter(II_Result r) {
      r.r1 = registry.count();
      r.r2 = registry.isNeeded(0, 1) ? 1 : 0;
    }
  }

  /** A version that a snapshot needs is known to be needed (invariant I-3). */
  @JCStressTest
  @Outcome(
      id = {"1, 1", "2, 0", "2, 1"},
      expect = ACCEPTABLE)
  @State
  public static class SnapshotAndReplacement {

    private final SnapshotRegistry registry = new SnapshotRegistry();

    /** The next seqno to be drawn. The version with seqno 0 is there. */
    private final AtomicLong next = new AtomicLong(1);

    /** An actor. */
    @Actor
    public void actor1(II_Result r) {
      int ticket = registry.enter();
      long end = next.get();
      registry.set(ticket, end);
      r.r1 = (int) end;
    }

    /** An actor. */
    @Actor
    public void actor2(II_Result r) {
      long newer = next.getAndIncrement();
      r.r2 = registry.isNeeded(0, newer) ? 1 : 0;
    }
  }

  /** The same with a snapshot that needs nothing. */
  @JCStressTest
  @Outcome(
      id = {"1, 1", "2, 0", "2, 1"},
      expect = ACCEPTABLE)
  @State
  public static class SnapshotBesideAnother {

    private final SnapshotRegistry registry = new SnapshotRegistry();

    /** The next seqno to be drawn. The version with seqno 0 is there. */
    private final AtomicLong next = new AtomicLong(1);

    /** A registry that is not empty. */
    public SnapshotBesideAnother() {
      registry.set(registry.enter(), 9);
    }

    /** An actor. */
    @Actor
    public void actor1(II_Result r) {
      int ticket = registry.enter();
      long end = next.get();
      registry.set(ticket, end);
      r.r1 = (int) end;
    }

    /** An actor. */
    @Actor
    public void actor2(II_Result r) {
      long newer = next.getAndIncrement();
      r.r2 = registry.isNeeded(0, newer) ? 1 : 0;
    }
  }

  /** The same once all places are taken. */
  @JCStressTest
  @Outcome(
      id = {"1, 1", "2, 0", "2, 1"},
      expect = ACCEPTABLE)
  @State
  public static class SnapshotBeyondThePlaces {

    private final SnapshotRegistry registry = new SnapshotRegistry();

    /** The next seqno to be drawn. The version with seqno 0 is there. */
    private final AtomicLong next = new AtomicLong(1);

    /** A registry without places. */
    public SnapshotBeyondThePlaces() {
      for (int i = 0; i < 256; i++) {
        registry.set(registry.enter(), 9);
      }
    }

    /** An actor. */
    @Actor
    public void actor1(II_Result r) {
      int ticket = registry.enter();
      long end = next.get();
      registry.set(ticket, end);
      r.r1 = (int) end;
    }

    /** An actor. */
    @Actor
    public void actor2(II_Result r) {
      long newer = next.getAndIncrement();
      r.r2 = registry.isNeeded(0, newer) ? 1 : 0;
    }
  }

  /** A snapshot is known while another one leaves. */
  @JCStressTest
  @Outcome(
      id = {"1, 1", "2, 0", "2, 1"},
      expect = ACCEPTABLE)
  @State
  public static class SnapshotWhileAnotherLeaves {

    private final SnapshotRegistry registry = new SnapshotRegistry();

    /** The next seqno to be drawn. The version with seqno 0 is there. */
    private final AtomicLong next = new AtomicLong(1);

    private final int early = registry.enter();

    /** An actor. */
    @Actor
    public void actor1(II_Result r) {
      registry.set(early, 9);
      int ticket = registry.enter();
      long end = next.get();
      registry.set(ticket, end);
      r.r1 = (int) end;
      registry.leave(early);
    }

    /** An actor. */
    @Actor
    public void actor2(II_Result r) {
      long newer = next.getAndIncrement();
      r.r2 = registry.isNeeded(0, newer) ? 1 : 0;
    }
  }

  /** A snapshot keeps the version that it sees while two writers replace it. */
  @JCStressTest
  @Outcome(
      id = {"1, 1", "2, 1", "3, 0", "3, 1"},
      expect = ACCEPTABLE)
  @State
  public static class TwoReplacements {

    private final SnapshotRegistry registry = new SnapshotRegistry();

    /** The next seqno to be drawn. The version with seqno 0 is there. */
    private final AtomicLong next = new AtomicLong(1);

    /** An actor. */
    @Actor
    public void actor1(II_Result r) {
      int ticket = registry.enter();
      long end = next.get();
      registry.set(ticket, end);
      r.r1 = (int) end;
    }

    /** An actor. */
    @Actor
    public void actor2(II_Result r) {
      long newer = next.getAndIncrement();
      boolean first = registry.isNeeded(0, newer);
      boolean second = registry.isNeeded(newer, next.getAndIncrement());
      r.r2 = first || second ? 1 : 0;
    }
  }
}
