// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.io;

import java.util.List;
import java.util.Set;

/**
 * A directory that its owner lends to another store. The owner keeps the lock and closes the
 * directory, and some of its files do not show.
 *
 * <p>Threads: as the interface says.
 */
public final class LentDirectory extends FilterDirectory {

  private final Set<String> hidden;

  /**
   * Lends a directory.
   *
   * @param owned locked and open for as long as this one is used
   * @param hidden names of files that are not there for the borrower
   */
  public LentDirectory(StoreDirectory owned, Set<String> hidden) {
    super(owned);
    this.hidden = Set.copyOf(hidden);
  }

  @Override
  public List<String> list() {
    return super.list().stream().filter(name -> !hidden.contains(name)).toList();
  }

  @Override
  public boolean exists(String name) {
    return !hidden.contains(name) && super.exists(name);
  }

  /** The owner has it. */
  @Override
  public DirectoryLock lock() {
    return () -> {};
  }

  /** The owner closes it. */
  @Override
  public void close() {
    // Nothing is held here.
  }
}
