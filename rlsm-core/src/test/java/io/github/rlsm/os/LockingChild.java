// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.os;

import io.github.rlsm.io.StoreDirectory;
import io.github.rlsm.kv.StoreLockedException;
import java.io.IOException;
import java.nio.file.Path;

/** Tries to lock a directory, prints the outcome, and keeps the lock until its input ends. */
final class LockingChild {

  static final String LOCKED = "locked";

  private LockingChild() {}

  public static void main(String[] arguments) throws IOException {
    try (StoreDirectory.Lock lock = OsDirectoryLock.acquire(Path.of(arguments[0]))) {
      System.out.println(LOCKED + " by " + lock.getClass().getSimpleName());
      System.in.transferTo(System.out);
    } catch (StoreLockedException e) {
      System.out.println(e.getMessage());
    }
  }
}
