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

  /** Two snapshots get different places. */
  @JCStressTest
  @Outcome(
      id = {"1, 2"},
      expect = ACCEPTABLE)
  @State
  public static class TicketsDiffer {

    private final SnapshotRegistry registry = new SnapshotRegistry();
    private int first;
    private int second;

    @Actor
    public void actor1(II_Result r) {
      first = registry.enter();
    }

    @Actor
    public void actor2(II_Result r) {
      second = registry.enter();
    }

    @Arbiter
    public void arbiter(II_Result r) {
      r.r1 = first == second ? 0 : 1;
      r.r2 = registry.count();
    }
  }

  /** Snapshots that are opened and closed leave no entry. */
  @JCStressTest
  @Outcome(
      id = {"0, 0"},
      expect = ACCEPTABLE)
  @State
  public static class CountReturnsToZero {

    private final SnapshotRegistry registry = new SnapshotRegistry();

    @Actor
    public void actor1(II_Result r) {
      registry.leave(registry.enter());
    }

    @Actor
    public void actor2(II_Result r) {
      registry.leave(registry.enter());
    }

    @Arbiter
    public void arbiter(II_Result r) {
      r.r1 = registry.count();
      r.r2 = registry.isNeeded(0, 1) ? 1 : 0;
    }
  }

  /** The registry reports a version as needed if a snapshot needs it (invariant I-3). */
  @JCStressTest
  @Outcome(
      id = {"1, 1", "2, 0", "2, 1"},
      expect = ACCEPTABLE)
  @State
  public static class SnapshotAndReplacement {

    private final SnapshotRegistry registry = new SnapshotRegistry();

    /** The next seqno to draw. The version with seqno 0 exists. */
    private final AtomicLong next = new AtomicLong(1);

    @Actor
    public void actor1(II_Result r) {
      int ticket = registry.enter();
      long end = next.get();
      registry.set(ticket, end);
      r.r1 = (int) end;
    }

    @Actor
    public void actor2(II_Result r) {
      long newer = next.getAndIncrement();
      r.r2 = registry.isNeeded(0, newer) ? 1 : 0;
    }
  }

  /** As above, with a snapshot that needs no version. */
  @JCStressTest
  @Outcome(
      id = {"1, 1", "2, 0", "2, 1"},
      expect = ACCEPTABLE)
  @State
  public static class SnapshotBesideAnother {

    private final SnapshotRegistry registry = new SnapshotRegistry();

    /** The next seqno to draw. The version with seqno 0 exists. */
    private final AtomicLong next = new AtomicLong(1);

    /** Enters another snapshot. */
    public SnapshotBesideAnother() {
      registry.set(registry.enter(), 9);
    }

    @Actor
    public void actor1(II_Result r) {
      int ticket = registry.enter();
      long end = next.get();
      registry.set(ticket, end);
      r.r1 = (int) end;
    }

    @Actor
    public void actor2(II_Result r) {
      long newer = next.getAndIncrement();
      r.r2 = registry.isNeeded(0, newer) ? 1 : 0;
    }
  }

  /** As above, with all places taken. */
  @JCStressTest
  @Outcome(
      id = {"1, 1", "2, 0", "2, 1"},
      expect = ACCEPTABLE)
  @State
  public static class SnapshotBeyondThePlaces {

    private final SnapshotRegistry registry = new SnapshotRegistry();

    /** The next seqno to draw. The version with seqno 0 exists. */
    private final AtomicLong next = new AtomicLong(1);

    /** Takes all places. */
    public SnapshotBeyondThePlaces() {
      for (int i = 0; i < 256; i++) {
        registry.set(registry.enter(), 9);
      }
    }

    @Actor
    public void actor1(II_Result r) {
      int ticket = registry.enter();
      long end = next.get();
      registry.set(ticket, end);
      r.r1 = (int) end;
    }

    @Actor
    public void actor2(II_Result r) {
      long newer = next.getAndIncrement();
      r.r2 = registry.isNeeded(0, newer) ? 1 : 0;
    }
  }

  /** The registry knows a snapshot while another one leaves. */
  @JCStressTest
  @Outcome(
      id = {"1, 1", "2, 0", "2, 1"},
      expect = ACCEPTABLE)
  @State
  public static class SnapshotWhileAnotherLeaves {

    private final SnapshotRegistry registry = new SnapshotRegistry();

    /** The next seqno to draw. The version with seqno 0 exists. */
    private final AtomicLong next = new AtomicLong(1);

    private final int early = registry.enter();

    @Actor
    public void actor1(II_Result r) {
      registry.set(early, 9);
      int ticket = registry.enter();
      long end = next.get();
      registry.set(ticket, end);
      r.r1 = (int) end;
      registry.leave(early);
    }

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

    /** The next seqno to draw. The version with seqno 0 exists. */
    private final AtomicLong next = new AtomicLong(1);

    @Actor
    public void actor1(II_Result r) {
      int ticket = registry.enter();
      long end = next.get();
      registry.set(ticket, end);
      r.r1 = (int) end;
    }

    @Actor
    public void actor2(II_Result r) {
      long newer = next.getAndIncrement();
      boolean first = registry.isNeeded(0, newer);
      boolean second = registry.isNeeded(newer, next.getAndIncrement());
      r.r2 = first || second ? 1 : 0;
    }
  }
}
