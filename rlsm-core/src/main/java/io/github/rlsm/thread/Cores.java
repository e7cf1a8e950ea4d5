// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.thread;

import java.lang.System.Logger.Level;
import java.lang.reflect.Method;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Pins threads to cores with OpenHFT's affinity library, if the library is present and supports the
 * operating system. Otherwise threads are not pinned, which costs only speed.
 *
 * <p>A new thread inherits the cores of its creator. So a pool whose threads a pinned thread may
 * create must unpin them, see {@link #anywhere}.
 *
 * <p>Threads: any.
 */
final class Cores {

  private static final @Nullable Library LIBRARY = Library.find();

  /** The cores available to the thread that loaded this class; empty without the library. */
  private static final BitSet ALLOWED = LIBRARY == null ? new BitSet() : LIBRARY.allowed();

  /** Whether any thread was ever pinned. */
  private static volatile boolean used;

  private Cores() {}

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
      keepOn(one);
      task.run();
    };
  }

  /** Wraps the task of a thread that may run on any core, even if a pinned thread creates it. */
  static Runnable anywhere(Runnable task) {
    if (!used) {
      return task;
    }
    return () -> {
      keepOn(ALLOWED);
      task.run();
    };
  }

  private static void keepOn(BitSet cores) {
    if (LIBRARY != null) {
      LIBRARY.keepOn(cores);
    }
  }

  /**
   * The calls of the library, found by name. A module descriptor must not require the library,
   * because its jar declares no module name, and the name of the file would have to serve as one.
   */
  private record Library(Method getAffinity, Method setAffinity) {

    /** Returns null if the library, or one that it needs, is missing. */
    static @Nullable Library find() {
      try {
        Class<?> affinity = Class.forName("net.openhft.affinity.Affinity");
        return new Library(
            affinity.getMethod("getAffinity"), affinity.getMethod("setAffinity", BitSet.class));
      } catch (ReflectiveOperationException | LinkageError e) {
        return null;
      }
    }

    BitSet allowed() {
      try {
        return (BitSet) ((BitSet) getAffinity.invoke(null)).clone();
      } catch (ReflectiveOperationException e) {
        return new BitSet();
      }
    }

    void keepOn(BitSet cores) {
      try {
        setAffinity.invoke(null, cores);
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException(
            "net.openhft:affinity cannot set the cores of a thread; set pinShards to false", e);
      }
    }
  }
}
