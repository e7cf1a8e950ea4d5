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

    /** An actor. */
    @Actor
    public void actor1(II_Result r) {
      Records.insert(buffer, Records.EARLY);
    }

    /** An actor. */
    @Actor
    public void actor2(II_Result r) {
      Records.insert(buffer, Records.LATE);
    }

    /** After both. */
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

    /** An actor. */
    @Actor
    public void actor1(II_Result r) {
      Records.insert(buffer, Records.EARLY);
    }

    /** An actor. */
    @Actor
    public void actor2(II_Result r) {
      Records.insert(buffer, Records.OTHER);
    }

    /** After both. */
    @Arbiter
    public void arbiter(II_Result r) {
      r.r1 = Records.newest(buffer, Records.EARLY);
      r.r2 = Records.newest(buffer, Records.OTHER);
    }
  }

  /** The same where they meet while probing. */
  @JCStressTest
  @Outcome(
      id = {"1, 1"},
      expect = ACCEPTABLE)
  @State
  public static class TwoKeysInATinyTable {

    private final Membuffer buffer = Records.membuffer(2, new SnapshotRegistry());

    /** An actor. */
    @Actor
    public void actor1(II_Result r) {
      Records.insert(buffer, Records.EARLY);
    }

    /** An actor. */
    @Actor
    public void actor2(II_Result r) {
      Records.insert(buffer, Records.OTHER);
    }

    /** After both. */
    @Arbiter
    public void arbiter(II_Result r) {
      r.r1 = Records.newest(buffer, Records.EARLY);
      r.r2 = Records.newest(buffer, Records.OTHER);
    }
  }

  /** A reader that finds a slot finds the version that the slot was published for. */
  @JCStressTest
  @Outcome(
      id = {"0", "1"},
      expect = ACCEPTABLE)
  @State
  public static class InsertAndFind {

    private final Membuffer buffer = Records.membuffer(4, new SnapshotRegistry());

    /** An actor. */
    @Actor
    public void actor1(I_Result r) {
      Records.insert(buffer, Records.EARLY);
    }

    /** An actor. */
    @Actor
    public void actor2(I_Result r) {
      r.r1 = Records.newest(buffer, Records.EARLY);
    }
  }

  /** A reader finds a whole version, and never an older one after a newer. */
  @JCStressTest
  @Outcome(
      id = {"0, 0", "0, 1", "1, 1"},
      expect = ACCEPTABLE)
  @State
  public static class OverwriteAndFind {

    private final Membuffer buffer = Records.membuffer(4, new SnapshotRegistry());

    /** The key is there. */
    public OverwriteAndFind() {
      Records.insert(buffer, Records.EARLY);
    }

    /** An actor. */
    @Actor
    public void actor1(II_Result r) {
      Records.insert(buffer, Records.LATE);
    }

    /** An actor. */
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

    /** The later version is there. */
    public LateWriterLoses() {
      Records.insert(buffer, Records.LATE);
    }

    /** An actor. */
    @Actor
    public void actor1(I_Result r) {
      Records.insert(buffer, Records.EARLY);
    }

    /** An actor. */
    @Actor
    public void actor2(I_Result r) {
      Records.newest(buffer, Records.EARLY);
    }

    /** After both. */
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

    /** An actor. */
    @Actor
    public void actor1(II_Result r) {
      first = buffer.claim(1);
    }

    /** An actor. */
    @Actor
    public void actor2(II_Result r) {
      second = buffer.claim(1);
    }

    /** After both. */
    @Arbiter
    public void arbiter(II_Result r) {
      r.r1 = first == second ? 0 : 1;
      r.r2 = buffer.claimed();
    }
  }

  /** Of two claims of the last number one gets it. */
  @JCStressTest
  @Outcome(
      id = {"true, false", "false, true"},
      expect = ACCEPTABLE)
  @State
  public static class TheLastNumber {

    private final Membuffer buffer = Records.membuffer(4, new SnapshotRegistry());

    /** One number is left. */
    public TheLastNumber() {
      buffer.claim(3);
    }

    /** An actor. */
    @Actor
    public void actor1(ZZ_Result r) {
      r.r1 = buffer.claim(1) >= 0;
    }

    /** An actor. */
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

    /** The key is there. */
    public SnapshotAndOverwrite() {
      Records.insert(buffer, Records.EARLY);
    }

    /** An actor. */
    @Actor
    public void actor1(II_Result r) {
      drawn = true;
      Records.insert(buffer, Records.LATE);
    }

    /** An actor. */
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
