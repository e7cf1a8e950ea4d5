// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * The algorithms of the engine, each without one memory ordering. Every one of these tests must
 * fail, which shows that such a mistake is found on this machine.
 */
@SuppressWarnings("NonAtomicVolatileUpdate") // a planted race
public final class PlantedRacesStress {

  private PlantedRacesStress() {}

  /**
   * {@code PublishedSeqno}: the deposit is a release store and not volatile, so the mark may miss
   * it.
   */
  @JCStressTest
  @Outcome(
      id = {"2"},
      expect = ACCEPTABLE)
  @State
  public static class ReleasedDeposit {

    private final AtomicLongArray ring = new AtomicLongArray(4);
    private final AtomicInteger mark = new AtomicInteger();

    private void publish(int seqno) {
      ring.lazySet(seqno, 1);
      for (int front = mark.getAcquire(); ring.getAcquire(front) != 0; front = mark.getAcquire()) {
        mark.compareAndSet(front, front + 1);
      }
    }

    @Actor
    public void first() {
      publish(0);
    }

    @Actor
    public void second() {
      publish(1);
    }

    @Arbiter
    public void arbiter(I_Result r) {
      r.r1 = mark.get();
    }
  }

  /**
   * {@code SnapshotRegistry}: the snapshot registers with a plain store, so writer and snapshot
   * miss each other.
   */
  @JCStressTest
  @Outcome(
      id = {"1, 1", "2, 0", "2, 1"},
      expect = ACCEPTABLE)
  @State
  public static class PlainEnter {

    private int open;
    private int next = 1;

    /** A snapshot. */
    @Actor
    public void snapshot(II_Result r) {
      open = 1;
      r.r1 = next;
    }

    /** A writer. */
    @Actor
    public void writer(II_Result r) {
      next = 2;
      r.r2 = open;
    }
  }

  /** {@code RequestQueue}: without the full fences the worker sleeps although a request waits. */
  @JCStressTest
  @Outcome(
      id = {"0, 1", "1, 0", "1, 1"},
      expect = ACCEPTABLE)
  @State
  public static class NoFenceBeforeSleep {

    private final AtomicInteger requests = new AtomicInteger();
    private final AtomicInteger sleeper = new AtomicInteger();

    /** A caller: adds a request, and then checks whether the worker sleeps. */
    @Actor
    public void add(II_Result r) {
      requests.lazySet(1);
      r.r1 = sleeper.getAcquire();
    }

    /** The worker: announces that it sleeps, and then checks for requests. */
    @Actor
    public void take(II_Result r) {
      sleeper.lazySet(1);
      r.r2 = requests.getAcquire();
    }
  }

  /**
   * {@code PinCount}: the flag and the count are two words, so both threads or neither may be the
   * last.
   */
  @JCStressTest
  @Outcome(
      id = {"true, false", "false, true"},
      expect = ACCEPTABLE)
  @State
  public static class RetiredBesideTheCount {

    private final AtomicInteger users = new AtomicInteger(1);
    private volatile boolean retired;

    /** The retiring thread. */
    @Actor
    public void retire(ZZ_Result r) {
      retired = true;
      r.r1 = users.get() == 0;
    }

    /** The last user. */
    @Actor
    public void unpin(ZZ_Result r) {
      r.r2 = users.decrementAndGet() == 0 && retired;
    }
  }

  /** {@code Membuffer}: the slot is published before the reference that it points to. */
  @JCStressTest
  @Outcome(
      id = {"0", "1"},
      expect = ACCEPTABLE)
  @State
  public static class SlotBeforeReference {

    private final AtomicInteger slot = new AtomicInteger();
    private final AtomicInteger reference = new AtomicInteger();

    /** A writer. */
    @Actor
    public void insert() {
      slot.setRelease(1);
      reference.setRelease(1);
    }

    /** A reader. */
    @Actor
    public void find(I_Result r) {
      r.r1 = slot.getAcquire() == 0 ? 0 : reference.getAcquire() == 0 ? 2 : 1;
    }
  }

  /** {@code Membuffer}: entry numbers are claimed by a read and a write. */
  @JCStressTest
  @Outcome(
      id = {"2"},
      expect = ACCEPTABLE)
  @State
  public static class ClaimInTwoSteps {

    private volatile int claimed;

    /** A writer. */
    @Actor
    public void first() {
      claimed = claimed + 1;
    }

    /** A writer. */
    @Actor
    public void second() {
      claimed = claimed + 1;
    }

    @Arbiter
    public void arbiter(I_Result r) {
      r.r1 = claimed;
    }
  }
}
