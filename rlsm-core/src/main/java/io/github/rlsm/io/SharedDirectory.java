// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.io;

import java.util.List;
import java.util.Set;

/**
 * A directory that its owner shares with another store. The owner keeps the lock, closes the
 * directory, and hides some of its files.
 *
 * <p>Threads: see {@link StoreDirectory}.
 */
public final class SharedDirectory extends FilterDirectory {

  private final Set<String> hidden;

  /**
   * Shares a directory.
   *
   * @param owned locked and open for as long as this object is used
   * @param hidden names of files that the other store does not see
   */
  public SharedDirectory(StoreDirectory owned, Set<String> hidden) {
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

  /** Returns a lock without effect. The owner holds the real lock. */
  @Override
  public StoreDirectory.Lock lock() {
    return () -> {};
  }

  /** Does nothing. The owner closes the directory. */
  @Override
  public void close() {
    // Holds no resources.
  }
}
