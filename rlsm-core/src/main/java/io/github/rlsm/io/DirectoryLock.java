// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.io;

/** An exclusive lock on a directory, held until it is closed or the process dies. */
public interface DirectoryLock extends AutoCloseable {

  /** Releases the lock. Closing twice does nothing. */
  @Override
  void close();
}
