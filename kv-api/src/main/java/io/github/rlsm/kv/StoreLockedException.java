// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

/** Another process, or another store in this process, has the directory open. */
public final class StoreLockedException extends KvException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates the error for a directory in use.
   *
   * @param directory the store's directory
   * @param owner the holder of the lock, if it could be determined, for example "process 4711"
   */
  public StoreLockedException(String directory, String owner) {
    super(directory + " is in use by " + owner + "; close that store first", null);
  }
}
