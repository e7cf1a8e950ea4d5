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
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** Writers that reserve, and the thread that seals. */
public final class LogGenerationStress {

  private LogGenerationStress() {}

  /** Two records get different places of one stream, and different seqnos. */
  @JCStressTest
  @Outcome(
      id = {"8, 1"},
      expect = ACCEPTABLE)
  @State
  public static class TwoReservations {

    private final LogGeneration log = Generations.fresh();
    private long first;
    private long second;

    @Actor
    public void actor1(II_Result r) {
      first = log.reserve(false, 1);
    }

    @Actor
    public void actor2(II_Result r) {
      second = log.reserve(false, 1);
    }

    @Arbiter
    public void arbiter(II_Result r) {
      r.r1 = Math.abs(LogGeneration.offset(first, false) - LogGeneration.offset(second, false));
      r.r2 = (int) (log.seqno(first) + log.seqno(second));
    }
  }

  /** Records of two streams get different seqnos. */
  @JCStressTest
  @Outcome(
      id = {"3, 5"},
      expect = ACCEPTABLE)
  @State
  public static class OneReservationInEachStream {

    private final LogGeneration log = Generations.fresh();
    private long first;
    private long second;

    @Actor
    public void actor1(II_Result r) {
      first = log.reserve(false, 3);
    }

    @Actor
    public void actor2(II_Result r) {
      second = log.reserve(true, 5);
    }

    @Arbiter
    public void arbiter(II_Result r) {
      boolean walFirst = log.seqno(first) == 0;
      r.r1 = walFirst ? (int) log.seqno(second) : 3;
      r.r2 = walFirst ? 5 : (int) log.seqno(first);
    }
  }

  /** Two records compete for the last place, and one gets it. */
  @JCStressTest
  @Outcome(
      id = {"true, false", "false, true"},
      expect = ACCEPTABLE)
  @State
  public static class TheLastPlace {

    private final LogGeneration log = Generations.fresh();

    /** Fills a generation up to the place of one record. */
    public TheLastPlace() {
      log.reserve(false, Generations.ROOM_UNITS - 2);
    }

    @Actor
    public void actor1(ZZ_Result r) {
      r.r1 = log.reserve(false, 2) == LogGeneration.FULL;
    }

    @Actor
    public void actor2(ZZ_Result r) {
      r.r2 = log.reserve(false, 2) == LogGeneration.FULL;
    }
  }

  /** A record is reserved before the seal and counts, or it is refused. */
  @JCStressTest
  @Outcome(
      id = {"1, 4", "0, 0"},
      expect = ACCEPTABLE)
  @State
  public static class SealAndReserve {

    private final LogGeneration log = Generations.fresh();

    @Actor
    public void actor1(II_Result r) {
      log.seal();
    }

    @Actor
    public void actor2(II_Result r) {
      r.r1 = log.reserve(false, 4) == LogGeneration.FULL ? 0 : 1;
    }

    @Arbiter
    public void arbiter(II_Result r) {
      r.r2 = (int) log.endSeqno();
    }
  }

  /** Exactly one of two threads seals. */
  @JCStressTest
  @Outcome(
      id = {"true, false", "false, true"},
      expect = ACCEPTABLE)
  @State
  public static class TwoSeals {

    private final LogGeneration log = Generations.fresh();

    @Actor
    public void actor1(ZZ_Result r) {
      r.r1 = log.seal();
    }

    @Actor
    public void actor2(ZZ_Result r) {
      r.r2 = log.seal();
    }
  }

  /** A reservation by a thread that has seen the seal is refused. */
  @JCStressTest
  @Outcome(
      id = {"0, 0", "0, 1", "1, 0"},
      expect = ACCEPTABLE)
  @State
  public static class NothingAfterTheSeal {

    private final LogGeneration log = Generations.fresh();

    @Actor
    public void actor1(II_Result r) {
      log.seal();
    }

    @Actor
    public void actor2(II_Result r) {
      r.r1 = log.isSealed() ? 1 : 0;
      r.r2 = log.reserve(true, 1) == LogGeneration.FULL ? 0 : 1;
    }
  }
}
