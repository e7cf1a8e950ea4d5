// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.thread;

import java.lang.System.Logger.Level;
import java.util.BitSet;
import net.openhft.affinity.Affinity;

/**
 * Pins threads to cores with OpenHFT's affinity library, if it is on the class path and supports
 * the operating system. Otherwise threads are not pinned, which costs only speed.
 *
 * <p>A new thread inherits the cores of its creator. So a pool whose threads a pinned thread may
 * create must unpin them, see {@link #anywhere}.
 *
 * <p>Threads: any.
 */
final class Cores {

  /** The cores available to the thread that loaded this class; empty without the library. */
  private static final BitSet ALLOWED = allowed();

  /** Whether any thread was ever pinned. */
  private static volatile boolean used;

  private Cores() {}

  private static BitSet allowed() {
    try {
      return Library.allowed();
    } catch (LinkageError e) {
      // The library is optional, and so are the libraries that it needs.
      return new BitSet();
    }
  }

  /**
   * Returns a core for each thread. Returns an empty array, and logs why, if there are fewer cores
   * than threads or the library does not report the cores.
   */
  static int[] forEach(int threads) {
    int known = ALLOWED.cardinality();
    if (known < threads) {
      String reason = known == 0
          ? "the library net.openhft:affinity is missing or failed to load"
          : "there are " + threads + " shards but only " + known + " available cores";
      System.getLogger(Cores.class.getName())
          .log(Level.WARNING, "pinShards has no effect: " + reason);
      return new int[0];
    }
    return ALLOWED.stream().limit(threads).toArray();
  }

  /** Wraps the task of a thread that is pinned to a core. */
  static Runnable on(int core, Runnable task) {
    used = true;
    BitSet one = new BitSet();
    one.set(core);
    return () -> {
      Library.keepOn(one);
      task.run();
    };
  }

  /** Wraps the task of a thread that may run on any core, even if a pinned thread creates it. */
  static Runnable anywhere(Runnable task) {
    if (!used) {
      return task;
    }
    return () -> {
      Library.keepOn(ALLOWED);
      task.run();
    };
  }

  /** Calls the library. A separate class, so that the library is loaded only when it is used. */
  private static final class Library {

    static BitSet allowed() {
      return (BitSet) Affinity.getAffinity().clone();
    }

    static void keepOn(BitSet cores) {
      Affinity.setAffinity(cores);
    }
  }
}
