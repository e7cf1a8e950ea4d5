// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import java.nio.file.Path;

/** Opens stores for the tests of this package: one set of options of one implementation. */
@FunctionalInterface
public interface StoreFactory {

  /**
   * Opens the store in a directory, and creates it if it is missing.
   *
   * @param directory the directory of the store; may not exist yet, but its parent does
   */
  KvStore open(Path directory);

  /** The ways a process can end without closing its store. */
  enum Crash {
    /** The process dies and the operating system lives on. */
    KILL,
    /** The machine stops. */
    POWER_LOSS
  }

  /**
   * Describes an opening of the store in one line. A factory that varies the store, for example its
   * options, draws all choices from the seed alone, and names them in the line.
   */
  default String opening(long seed) {
    return Long.toString(seed);
  }

  /** Opens the store as {@link #open(Path)} does, with the choices of {@link #opening}. */
  default KvStore open(Path directory, String opening) {
    return open(directory);
  }

  /**
   * Crashes the open store in a directory, and opens it again from the surviving files.
   *
   * @param store the open store
   * @param opening the choices of {@link #opening}, for example the lost bytes and new options
   */
  default KvStore crash(Path directory, KvStore store, Crash crash, String opening) {
    throw new UnsupportedOperationException("this test cannot crash its store");
  }

  /**
   * Returns the number of parts of the store. Each part has a separate log: a crash leaves the
   * state after one write in each part.
   */
  default int parts() {
    return 1;
  }

  /** Returns the part of a key, counted from 0. */
  default int partOf(byte[] key) {
    return 0;
  }

  /** Whether a store keeps its content across a close and a reopening. */
  default boolean isPersistent() {
    return true;
  }

  /**
   * Called after a close of the store in a directory. An implementation checks here for damage in
   * its files and for leaked threads, files or memory, and throws if it finds any.
   */
  default void checkClosed(Path directory) {}
}
