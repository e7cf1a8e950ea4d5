// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A step of a history with crashes.
 *
 * @param kind the operation
 * @param seed of all random choices of the step: keys, values, durability
 */
record CrashStep(Kind kind, long seed) {

  /** The kinds of steps. */
  enum Kind {
    /** A put of a new or existing key. */
    PUT(30),
    /** A put of a value that is large enough for the value log. */
    LARGE_PUT(10),
    /** A put of a record that is longer than a log segment. */
    HUGE_PUT(1),
    /** A put of a present key. */
    OVERWRITE(10),
    /** A delete. */
    DELETE(10),
    /** A batch over all keyspaces. */
    BATCH(15),
    /** A conditional write. Half of them succeed. */
    CONDITIONAL(6),
    /** Creates a keyspace. */
    CREATE(3),
    /** Drops a keyspace. */
    DROP(1),
    /** Opens a snapshot, or closes the open one. */
    SNAPSHOT(3),
    /** A flush. */
    FLUSH(4),
    /** A flush, and all work that follows from it. */
    SETTLE(3),
    /** A flush, and a collection of all value segments that give space back. */
    COLLECT(4),
    /** A pause without writes. */
    IDLE(4),
    /** A sync. */
    SYNC(3),
    /** Closes the store and opens it again. */
    REOPEN(2),
    /** Kills the process and opens the store again. */
    KILL(1),
    /** Cuts the power, with or without lost bytes, and opens the store again. */
    POWER_LOSS(1);

    private final int weight;

    Kind(int weight) {
      this.weight = weight;
    }
  }

  /** Returns steps of random kinds. */
  static List<CrashStep> random(SplittableRandom random, int count) {
    List<CrashStep> steps = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      steps.add(random(random));
    }
    return steps;
  }

  /** Returns a step of a random kind. */
  static CrashStep random(SplittableRandom random) {
    int total = 0;
    for (Kind kind : Kind.values()) {
      total += kind.weight;
    }
    int draw = random.nextInt(total);
    for (Kind kind : Kind.values()) {
      draw -= kind.weight;
      if (draw < 0) {
        return new CrashStep(kind, random.nextLong());
      }
    }
    throw new AssertionError("the weights do not add up");
  }
}
