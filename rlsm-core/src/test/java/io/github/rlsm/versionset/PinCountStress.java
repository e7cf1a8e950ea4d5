// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.versionset;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.LL_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** Users of a {@link PinCount} and the thread that retires it. */
public final class PinCountStress {

  private PinCountStress() {}

  /** Exactly one of the retirement and the last unpin returns true. */
  @JCStressTest
  @Outcome(
      id = {"true, false", "false, true"},
      expect = ACCEPTABLE)
  @State
  public static class RetireAndUnpin {

    private final PinCount pins = new PinCount();

    /** A count with users. */
    public RetireAndUnpin() {
      pins.tryPin(0);
    }

    @Actor
    public void actor1(ZZ_Result r) {
      r.r1 = pins.retire();
    }

    @Actor
    public void actor2(ZZ_Result r) {
      r.r2 = pins.unpin(0);
    }
  }

  /** The same on the stripe that is retired last. */
  @JCStressTest
  @Outcome(
      id = {"true, false", "false, true"},
      expect = ACCEPTABLE)
  @State
  public static class RetireAndUnpinLastStripe {

    private final PinCount pins = new PinCount();

    /** A count with users. */
    public RetireAndUnpinLastStripe() {
      pins.tryPin(31);
    }

    @Actor
    public void actor1(ZZ_Result r) {
      r.r1 = pins.retire();
    }

    @Actor
    public void actor2(ZZ_Result r) {
      r.r2 = pins.unpin(PinCount.STRIPES - 1);
    }
  }

  /** Either the retirement returns true, or the unpin of an admitted user does. */
  @JCStressTest
  @Outcome(
      id = {"true, 0", "true, 1", "false, 2"},
      expect = ACCEPTABLE)
  @State
  public static class RetireAndPin {

    private final PinCount pins = new PinCount();

    @Actor
    public void actor1(LL_Result r) {
      r.r1 = pins.retire() ? "true" : "false";
    }

    @Actor
    public void actor2(LL_Result r) {
      r.r2 = pins.tryPin(0) ? pins.unpin(0) ? "2" : "1" : "0";
    }
  }

  /** The same on the last stripe. */
  @JCStressTest
  @Outcome(
      id = {"true, 0", "true, 1", "false, 2"},
      expect = ACCEPTABLE)
  @State
  public static class RetireAndPinLastStripe {

    private final PinCount pins = new PinCount();

    @Actor
    public void actor1(LL_Result r) {
      r.r1 = pins.retire() ? "true" : "false";
    }

    @Actor
    public void actor2(LL_Result r) {
      r.r2 = pins.tryPin(31) ? pins.unpin(31) ? "2" : "1" : "0";
    }
  }

  /** After retiring, exactly one of two users of a stripe is the last. */
  @JCStressTest
  @Outcome(
      id = {"true, false", "false, true"},
      expect = ACCEPTABLE)
  @State
  public static class TwoUnpinsOfOneStripe {

    private final PinCount pins = new PinCount();

    /** A count with users. */
    public TwoUnpinsOfOneStripe() {
      pins.tryPin(3);
      pins.tryPin(3);
      pins.retire();
    }

    @Actor
    public void actor1(ZZ_Result r) {
      r.r1 = pins.unpin(3);
    }

    @Actor
    public void actor2(ZZ_Result r) {
      r.r2 = pins.unpin(3);
    }
  }

  /** After retiring, exactly one of two users of two stripes is the last. */
  @JCStressTest
  @Outcome(
      id = {"true, false", "false, true"},
      expect = ACCEPTABLE)
  @State
  public static class TwoUnpinsOfTwoStripes {

    private final PinCount pins = new PinCount();

    /** A count with users. */
    public TwoUnpinsOfTwoStripes() {
      pins.tryPin(3);
      pins.tryPin(9);
      pins.retire();
    }

    @Actor
    public void actor1(ZZ_Result r) {
      r.r1 = pins.unpin(3);
    }

    @Actor
    public void actor2(ZZ_Result r) {
      r.r2 = pins.unpin(9);
    }
  }

  /** A retiring thread that comes last sees the stores of a user before it left. */
  @JCStressTest
  @Outcome(
      id = {"1, 0", "0, -1"},
      expect = ACCEPTABLE)
  @State
  public static class SeenByWhoRetires {

    private final PinCount pins = new PinCount();
    private int data;

    /** A count with users. */
    public SeenByWhoRetires() {
      pins.tryPin(0);
    }

    @Actor
    public void actor1(II_Result r) {
      data = 1;
      r.r1 = pins.unpin(0) ? 0 : 1;
    }

    @Actor
    public void actor2(II_Result r) {
      r.r2 = pins.retire() ? 1 - data : -1;
    }
  }

  /** The last user sees the earlier stores of the retiring thread. */
  @JCStressTest
  @Outcome(
      id = {"1, 0", "0, -1"},
      expect = ACCEPTABLE)
  @State
  public static class SeenByLastUser {

    private final PinCount pins = new PinCount();
    private int data;

    /** A count with users. */
    public SeenByLastUser() {
      pins.tryPin(0);
    }

    @Actor
    public void actor1(II_Result r) {
      data = 1;
      r.r1 = pins.retire() ? 0 : 1;
    }

    @Actor
    public void actor2(II_Result r) {
      r.r2 = pins.unpin(0) ? 1 - data : -1;
    }
  }

  /** The last user sees the stores of another user before it left. */
  @JCStressTest
  @Outcome(
      id = {"1, 0", "0, -1"},
      expect = ACCEPTABLE)
  @State
  public static class SeenByOtherUser {

    private final PinCount pins = new PinCount();
    private int data;

    /** A count with users. */
    public SeenByOtherUser() {
      pins.tryPin(0);
      pins.tryPin(1);
      pins.retire();
    }

    @Actor
    public void actor1(II_Result r) {
      data = 1;
      r.r1 = pins.unpin(0) ? 0 : 1;
    }

    @Actor
    public void actor2(II_Result r) {
      r.r2 = pins.unpin(1) ? 1 - data : -1;
    }
  }

  /** No pin of one stripe is lost. */
  @JCStressTest
  @Outcome(
      id = {"false, true"},
      expect = ACCEPTABLE)
  @State
  public static class TwoPins {

    private final PinCount pins = new PinCount();

    @Actor
    public void actor1(ZZ_Result r) {
      pins.tryPin(5);
    }

    @Actor
    public void actor2(ZZ_Result r) {
      pins.tryPin(5);
    }

    @Arbiter
    public void arbiter(ZZ_Result r) {
      r.r1 = pins.unpin(5);
      pins.retire();
      r.r2 = pins.unpin(5);
    }
  }

  /** A thread that knows that the count is retired is refused. */
  @JCStressTest
  @Outcome(
      id = {"0, 0", "1, 0", "0, 1"},
      expect = ACCEPTABLE)
  @State
  public static class NoPinAfterRetiring {

    private final PinCount pins = new PinCount();
    private volatile boolean retired;

    @Actor
    public void actor1(II_Result r) {
      pins.retire();
      retired = true;
    }

    @Actor
    public void actor2(II_Result r) {
      r.r1 = retired ? 1 : 0;
      r.r2 = pins.tryPin(31) ? 1 : 0;
    }
  }
}
