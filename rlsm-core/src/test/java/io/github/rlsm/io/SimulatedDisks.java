// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.io;

import io.github.rlsm.kv.StoreIoException;
import io.github.rlsm.kv.StoreLockedException;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * The devices of a simulated directory, by path.
 *
 * <p>Threads: guarded by the directory's monitor.
 */
final class SimulatedDisks {

  private final Map<String, SimulatedDisk> disks = new HashMap<>();
  private final Set<String> inUse = new HashSet<>();

  void add(String path, int blocks) {
    disks.put(path, new SimulatedDisk(new byte[blocks * BlockDevice.BLOCK_BYTES]));
  }

  void remove(String path) {
    disks.remove(path);
  }

  SimulatedDisk find(String path) {
    SimulatedDisk disk = disks.get(path);
    if (disk == null) {
      throw new StoreIoException("open", path, new IOException("no such file or directory"));
    }
    return disk;
  }

  /** Assigns a device to one store. */
  SimulatedDisk take(String path) {
    SimulatedDisk disk = find(path);
    if (!inUse.add(path)) {
      throw new StoreLockedException(path, "another store of this process");
    }
    return disk;
  }

  void giveBack(String path) {
    inUse.remove(path);
  }

  SimulatedDisks copy() {
    SimulatedDisks copy = new SimulatedDisks();
    disks.forEach((path, disk) -> copy.disks.put(path, disk.copy()));
    return copy;
  }

  /** Returns the disks that survive a power loss. */
  SimulatedDisks afterCrash(CrashStyle style, RandomGenerator random) {
    SimulatedDisks survivors = new SimulatedDisks();
    disks.forEach((path, disk) -> survivors.disks.put(path, disk.afterCrash(style, random)));
    return survivors;
  }
}
