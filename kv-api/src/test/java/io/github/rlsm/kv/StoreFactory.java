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
