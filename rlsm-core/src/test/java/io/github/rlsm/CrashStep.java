// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A step of a history that is to be crashed.
 *
 * @param kind what it does
 * @param seed of what is drawn in it: keys, values, durability
 */
record CrashStep(Kind kind, long seed) {

  /** What a step does. */
  enum Kind {
    /** A put of a fresh or known key. */
    PUT(30),
    /** A put of a value that goes to the value log. */
    LARGE_PUT(10),
    /** A put of a record that is longer than a log segment. */
    HUGE_PUT(1),
    /** A put of a key that is there. */
    OVERWRITE(10),
    /** A delete. */
    DELETE(10),
    /** A batch over the keyspaces there are. */
    BATCH(15),
    /** A conditional write that succeeds or, as often, does not. */
    CONDITIONAL(6),
    /** Makes a keyspace. */
    CREATE(3),
    /** Drops a keyspace. */
    DROP(1),
    /** Opens a snapshot, or closes the one that is open. */
    SNAPSHOT(3),
    /** A flush. */
    FLUSH(4),
    /** A flush, and all work that it brings about. */
    SETTLE(3),
    /** A flush, and all value segments collected that give space back. */
    COLLECT(4),
    /** Time goes by and nobody writes. */
    IDLE(4),
    /** A sync. */
    SYNC(3),
    /** Closes the store and opens it again. */
    REOPEN(2),
    /** Kills the process and opens the store again. */
    KILL(1),
    /** Cuts the power, loses something or not, and opens the store again. */
    POWER_LOSS(1);

    private final int weight;

    Kind(int weight) {
      this.weight = weight;
    }
  }

  /** Steps of random kinds. */
  static List<CrashStep> random(SplittableRandom random, int count) {
    List<CrashStep> steps = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      steps.add(random(random));
    }
    return steps;
  }

  /** A step of a random kind. */
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
