// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.memory;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** Writers and readers of a {@link Membuffer}. */
public final class MembufferStress {

  private MembufferStress() {}

  /** The later version wins, in either order of arrival. */
  @JCStressTest
  @Outcome(
      id = {"1, 1"},
      expect = ACCEPTABLE)
  @State
  public static class TwoVersionsOfAKey {

    private final Membuffer buffer = Records.membuffer(4, new SnapshotRegistry());

    @Actor
    public void actor1(II_Result r) {
      Records.insert(buffer, Records.EARLY);
    }

    @Actor
    public void actor2(II_Result r) {
      Records.insert(buffer, Records.LATE);
    }

    @Arbiter
    public void arbiter(II_Result r) {
      r.r1 = Records.newest(buffer, Records.LATE);
      r.r2 = Records.seqnoIs(buffer, Records.LATE) ? 1 : 0;
    }
  }

  /** Two keys are both found. */
  @JCStressTest
  @Outcome(
      id = {"1, 1"},
      expect = ACCEPTABLE)
  @State
  public static class TwoKeys {

    private final Membuffer buffer = Records.membuffer(4, new SnapshotRegistry());

    @Actor
    public void actor1(II_Result r) {
      Records.insert(buffer, Records.EARLY);
    }

    @Actor
    public void actor2(II_Result r) {
      Records.insert(buffer, Records.OTHER);
    }

    @Arbiter
    public void arbiter(II_Result r) {
      r.r1 = Records.newest(buffer, Records.EARLY);
      r.r2 = Records.newest(buffer, Records.OTHER);
    }
  }

  /** As above, with two keys that collide while probing. */
  @JCStressTest
  @Outcome(
      id = {"1, 1"},
      expect = ACCEPTABLE)
  @State
  public static class TwoKeysInATinyTable {

    private final Membuffer buffer = Records.membuffer(2, new SnapshotRegistry());

    @Actor
    public void actor1(II_Result r) {
      Records.insert(buffer, Records.EARLY);
    }

    @Actor
    public void actor2(II_Result r) {
      Records.insert(buffer, Records.OTHER);
    }

    @Arbiter
    public void arbiter(II_Result r) {
      r.r1 = Records.newest(buffer, Records.EARLY);
      r.r2 = Records.newest(buffer, Records.OTHER);
    }
  }

  /** A reader that finds a slot also finds the version for which the slot was published. */
  @JCStressTest
  @Outcome(
      id = {"0", "1"},
      expect = ACCEPTABLE)
  @State
  public static class InsertAndFind {

    private final Membuffer buffer = Records.membuffer(4, new SnapshotRegistry());

    @Actor
    public void actor1(I_Result r) {
      Records.insert(buffer, Records.EARLY);
    }

    @Actor
    public void actor2(I_Result r) {
      r.r1 = Records.newest(buffer, Records.EARLY);
    }
  }

  /** A reader finds a complete version, and never an older one after a newer one. */
  @JCStressTest
  @Outcome(
      id = {"0, 0", "0, 1", "1, 1"},
      expect = ACCEPTABLE)
  @State
  public static class OverwriteAndFind {

    private final Membuffer buffer = Records.membuffer(4, new SnapshotRegistry());

    /** Inserts the key. */
    public OverwriteAndFind() {
      Records.insert(buffer, Records.EARLY);
    }

    @Actor
    public void actor1(II_Result r) {
      Records.insert(buffer, Records.LATE);
    }

    @Actor
    public void actor2(II_Result r) {
      r.r1 = Records.seqnoIs(buffer, Records.LATE) ? 1 : 0;
      r.r2 = Records.seqnoIs(buffer, Records.LATE) ? 1 : 0;
    }
  }

  /** A version that arrives after a later one changes nothing. */
  @JCStressTest
  @Outcome(
      id = {"1"},
      expect = ACCEPTABLE)
  @State
  public static class LateWriterLoses {

    private final Membuffer buffer = Records.membuffer(4, new SnapshotRegistry());

    /** Inserts the later version. */
    public LateWriterLoses() {
      Records.insert(buffer, Records.LATE);
    }

    @Actor
    public void actor1(I_Result r) {
      Records.insert(buffer, Records.EARLY);
    }

    @Actor
    public void actor2(I_Result r) {
      Records.newest(buffer, Records.EARLY);
    }

    @Arbiter
    public void arbiter(I_Result r) {
      r.r1 = Records.seqnoIs(buffer, Records.LATE) ? 1 : 0;
    }
  }

  /** Two claims take different numbers. */
  @JCStressTest
  @Outcome(
      id = {"1, 2"},
      expect = ACCEPTABLE)
  @State
  public static class TwoClaims {

    private final Membuffer buffer = Records.membuffer(4, new SnapshotRegistry());
    private int first;
    private int second;

    @Actor
    public void actor1(II_Result r) {
      first = buffer.claim(1);
    }

    @Actor
    public void actor2(II_Result r) {
      second = buffer.claim(1);
    }

    @Arbiter
    public void arbiter(II_Result r) {
      r.r1 = first == second ? 0 : 1;
      r.r2 = buffer.claimed();
    }
  }

  /** Two claims compete for the last number, and one gets it. */
  @JCStressTest
  @Outcome(
      id = {"true, false", "false, true"},
      expect = ACCEPTABLE)
  @State
  public static class TheLastNumber {

    private final Membuffer buffer = Records.membuffer(4, new SnapshotRegistry());

    /** Claims all numbers but one. */
    public TheLastNumber() {
      buffer.claim(3);
    }

    @Actor
    public void actor1(ZZ_Result r) {
      r.r1 = buffer.claim(1) >= 0;
    }

    @Actor
    public void actor2(ZZ_Result r) {
      r.r2 = buffer.claim(1) >= 0;
    }
  }

  /**
   * A snapshot finds the version that it sees, even while another thread overwrites it (invariant
   * I-3).
   */
  @JCStressTest
  @Outcome(
      id = {"0, 1", "1, 1"},
      expect = ACCEPTABLE)
  @State
  public static class SnapshotAndOverwrite {

    private final SnapshotRegistry registry = new SnapshotRegistry();
    private final Membuffer buffer = Records.membuffer(4, registry);
    private volatile boolean drawn;

    /** Inserts the key. */
    public SnapshotAndOverwrite() {
      Records.insert(buffer, Records.EARLY);
    }

    @Actor
    public void actor1(II_Result r) {
      drawn = true;
      Records.insert(buffer, Records.LATE);
    }

    @Actor
    public void actor2(II_Result r) {
      int ticket = registry.enter();
      boolean late = drawn;
      long end = late ? Records.LATE.end() : Records.LATE.seqno();
      registry.set(ticket, end);
      r.r1 = late ? 1 : 0;
      r.r2 = Records.sees(buffer, Records.EARLY, end) ? 1 : 0;
    }
  }
}
