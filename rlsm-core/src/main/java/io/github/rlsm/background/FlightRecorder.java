// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.background;

import java.util.function.LongSupplier;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/**
 * Records engine events for the JDK Flight Recorder: flushes, compactions, collections, forces,
 * stalls and recoveries, each with its duration. Costs next to nothing without a recording. No
 * other class uses the recorder.
 *
 * <p>Threads: any.
 */
@SuppressWarnings("UnusedVariable") // the recorder reads the events' fields
public final class FlightRecorder {

  private FlightRecorder() {}

  /** Runs the flush of a component. */
  static void flush(int generation, long logBytes, Runnable work) {
    Flush event = new Flush();
    event.begin();
    work.run();
    event.generation = generation;
    event.logBytes = logBytes;
    event.commit();
  }

  /** Runs a plan, which returns the number of value bytes that it relocated. */
  static void compaction(String plan, long rewrittenBytes, LongSupplier work) {
    Compaction event = new Compaction();
    event.begin();
    event.movedBytes = work.getAsLong();
    event.plan = plan;
    event.rewrittenBytes = rewrittenBytes;
    event.commit();
  }

  /** Records that value segments were retired. */
  static void freed(int segments, long freedBytes) {
    Freed event = new Freed();
    event.segments = segments;
    event.freedBytes = freedBytes;
    event.commit();
  }

  /** Runs a log force, which returns the seqno that it reached. */
  public static long force(LongSupplier work) {
    Force event = new Force();
    event.begin();
    long reached = work.getAsLong();
    event.commit();
    return reached;
  }

  /** Runs the wait of a stalled writer. */
  public static void stall(String reason, Runnable work) {
    Stall event = new Stall();
    event.begin();
    work.run();
    event.reason = reason;
    event.commit();
  }

  /** Records the recovery of a store. */
  public static void recovery(int generations, long replayedBytes, long droppedBytes) {
    Recovery event = new Recovery();
    event.generations = generations;
    event.replayedBytes = replayedBytes;
    event.droppedBytes = droppedBytes;
    event.commit();
  }

  @Name("rlsm.Flush")
  @Label("Flush")
  @Category("RLSM")
  @StackTrace(false)
  private static final class Flush extends Event {
    @Label("Generation")
    int generation;

    @Label("Log bytes")
    @DataAmount
    long logBytes;
  }

  @Name("rlsm.Compaction")
  @Label("Compaction")
  @Category("RLSM")
  @StackTrace(false)
  private static final class Compaction extends Event {
    @Label("Plan")
    String plan = "";

    @Label("Bytes rewritten, estimated")
    @DataAmount
    long rewrittenBytes;

    @Label("Value bytes relocated")
    @DataAmount
    long movedBytes;
  }

  @Name("rlsm.Freed")
  @Label("Value segments freed")
  @Category("RLSM")
  @StackTrace(false)
  private static final class Freed extends Event {
    @Label("Segments")
    int segments;

    @Label("Bytes freed")
    @DataAmount
    long freedBytes;
  }

  @Name("rlsm.Force")
  @Label("Log force")
  @Category("RLSM")
  @StackTrace(false)
  private static final class Force extends Event {}

  @Name("rlsm.Stall")
  @Label("Writer stall")
  @Category("RLSM")
  private static final class Stall extends Event {
    @Label("Reason")
    String reason = "";
  }

  @Name("rlsm.Recovery")
  @Label("Recovery")
  @Category("RLSM")
  @StackTrace(false)
  private static final class Recovery extends Event {
    @Label("Generations replayed")
    int generations;

    @Label("Log bytes replayed")
    @DataAmount
    long replayedBytes;

    @Label("Log bytes after the end of the history")
    @DataAmount
    long droppedBytes;
  }
}
