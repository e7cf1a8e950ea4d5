// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import java.util.function.LongSupplier;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/**
 * What the engine tells the JDK's flight recorder: flushes, compactions, collections, forces,
 * stalls, recoveries, each with its duration. Costs next to nothing while nobody records. No other
 * class knows the recorder.
 *
 * <p>Threads: any.
 */
@SuppressWarnings("UnusedVariable") // the recorder reads the events' fields
final class FlightRecorder {

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

  /** Runs a plan, which says how many bytes of values it has moved. */
  static void compaction(String plan, long rewrittenBytes, LongSupplier work) {
    Compaction event = new Compaction();
    event.begin();
    event.movedBytes = work.getAsLong();
    event.plan = plan;
    event.rewrittenBytes = rewrittenBytes;
    event.commit();
  }

  /** Value segments were let go. */
  static void freed(int segments, long freedBytes) {
    Freed event = new Freed();
    event.segments = segments;
    event.freedBytes = freedBytes;
    event.commit();
  }

  /** Runs a force of the log, which says how far it got. */
  static long force(LongSupplier work) {
    Force event = new Force();
    event.begin();
    long reached = work.getAsLong();
    event.commit();
    return reached;
  }

  /** Runs what holds a writer up. */
  static void stall(String reason, Runnable work) {
    Stall event = new Stall();
    event.begin();
    work.run();
    event.reason = reason;
    event.commit();
  }

  /** A store was opened. */
  static void recovery(int generations, long replayedBytes, long droppedBytes) {
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

    @Label("Bytes of values moved")
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
  @Label("Force of the log")
  @Category("RLSM")
  @StackTrace(false)
  private static final class Force extends Event {}

  @Name("rlsm.Stall")
  @Label("Writer held up")
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

    @Label("Log bytes past the end of the history")
    @DataAmount
    long droppedBytes;
  }
}
