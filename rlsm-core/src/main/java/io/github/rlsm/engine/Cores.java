// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import java.lang.System.Logger.Level;
import java.util.BitSet;
import net.openhft.affinity.Affinity;

/**
 * Keeps threads on cores, by OpenHFT's affinity library if that is on the class path and knows the
 * system. Otherwise nothing is kept anywhere, which costs speed at most.
 *
 * <p>A system hands a thread's cores on to the threads it makes. So whatever pool may be filled by
 * a thread that is kept on one core has to let its own threads go, see {@link #anywhere}.
 *
 * <p>Threads: any.
 */
final class Cores {

  /** Where the thread may run that asked first; empty without the library. */
  private static final BitSet ALLOWED = allowed();

  /** Whether any thread was ever kept on a core. */
  private static volatile boolean used;

  private Cores() {}

  private static BitSet allowed() {
    try {
      return Library.allowed();
    } catch (LinkageError e) {
      // The library is optional, and so is what it stands on.
      return new BitSet();
    }
  }

  /**
   * Returns a core for each of so many threads. Returns none, and logs why, if there are fewer
   * cores or the library does not say which ones.
   */
  static int[] forEach(int threads) {
    int known = ALLOWED.cardinality();
    if (known < threads) {
      String reason = known == 0
          ? "the library net.openhft:affinity is missing or does not work"
          : threads + " shards cannot have a core each of " + known;
      System.getLogger(Cores.class.getName())
          .log(Level.WARNING, "pinShards has no effect: " + reason);
      return new int[0];
    }
    return ALLOWED.stream().limit(threads).toArray();
  }

  /** The task of a thread that is kept on a core. */
  static Runnable on(int core, Runnable task) {
    used = true;
    BitSet one = new BitSet();
    one.set(core);
    return () -> {
      Library.keepOn(one);
      task.run();
    };
  }

  /** The task of a thread that may run anywhere, whoever makes it. */
  static Runnable anywhere(Runnable task) {
    if (!used) {
      return task;
    }
    return () -> {
      Library.keepOn(ALLOWED);
      task.run();
    };
  }

  /** Loaded only when it is asked for. */
  private static final class Library {

    static BitSet allowed() {
      return (BitSet) Affinity.getAffinity().clone();
    }

    static void keepOn(BitSet cores) {
      Affinity.setAffinity(cores);
    }
  }
}
