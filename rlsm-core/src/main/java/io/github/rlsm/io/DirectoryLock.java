// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.io;

/** The right to use a directory alone, held until closed or until the process dies. */
public interface DirectoryLock extends AutoCloseable {

  /** Gives the right back. Closing twice does nothing. */
  @Override
  void close();
}
