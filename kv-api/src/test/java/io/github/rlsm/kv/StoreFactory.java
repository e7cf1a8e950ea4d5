// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import java.nio.file.Path;

/**
 * How the tests of this package open the store they test: one set of options of one implementation.
 */
@FunctionalInterface
public interface StoreFactory {

  /**
   * Opens the store in a directory, and makes it there if there is none.
   *
   * @param directory where the store lives; may not exist yet, but its parent does
   */
  KvStore open(Path directory);

  /** How a process ends without closing its store. */
  enum Crash {
    /** The process dies and the operating system lives on. */
    KILL,
    /** The machine stops. */
    POWER_LOSS
  }

  /**
   * Opens as {@link #open(Path)} does. A factory that opens a store differently each time, for
   * example with other options, draws them from the seed alone.
   */
  default KvStore open(Path directory, long seed) {
    return open(directory);
  }

  /**
   * Ends the life of the open store in a directory by a crash, and opens the store again from the
   * files that survive.
   *
   * @param store the open store
   * @param seed of all that is drawn, for example the bytes that are lost and new options
   */
  default KvStore crash(Path directory, KvStore store, Crash crash, long seed) {
    throw new UnsupportedOperationException("this test cannot crash its store");
  }

  /**
   * How many parts the store has. Each part has a separate log: a crash leaves the state after one
   * write in each part.
   */
  default int parts() {
    return 1;
  }

  /** The part, from 0, that a key belongs to. */
  default int partOf(byte[] key) {
    return 0;
  }

  /** Whether a store that was closed and opened again holds what it held. */
  default boolean isPersistent() {
    return true;
  }

  /**
   * Called after the store in a directory was closed. An implementation looks here for damage in
   * its files and for threads, files or memory left behind, and throws if it finds any.
   */
  default void checkClosed(Path directory) {}
}
