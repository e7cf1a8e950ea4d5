// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.io;

/** The lock of a {@link SimulatedDirectory}. */
final class SimulatedLock extends SimulatedHandle implements StoreDirectory.Lock {

  SimulatedLock(SimulatedDirectory directory, SimulatedFile file) {
    super(directory, StoreFileName.LOCK, file, "locked");
  }

  @Override
  void release() {
    directory.locked = false;
  }
}
