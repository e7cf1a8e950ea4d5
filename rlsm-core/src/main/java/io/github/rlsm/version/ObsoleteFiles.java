// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.version;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.Predicate;

/**
 * Files that have left the current version and wait until no pinned version names them.
 *
 * <p>A file is freed when no version that is still alive names it, not when every older version is
 * dead: a snapshot held for hours keeps its own files only.
 *
 * <p>Threads: any; guarded by the object's monitor, which is held for no I/O.
 */
final class ObsoleteFiles {

  /**
   * The current version and those that are pinned, told apart by identity, each with the files that
   * wait for its death.
   */
  private final IdentityHashMap<Version, List<Waiting>> alive = new IdentityHashMap<>();

  private static final class Waiting {
    private final Runnable free;
    private int namedBy;

    Waiting(Runnable free) {
      this.free = free;
    }
  }

  synchronized void born(Version version) {
    alive.put(version, new ArrayList<>());
  }

  /**
   * A file left the current version. No version born later names it.
   *
   * @param namedBy whether a version names the file; true for one at least that is alive
   * @param free closes and deletes it
   */
  synchronized void dropped(Predicate<Version> namedBy, Runnable free) {
    Waiting file = new Waiting(free);
    alive.forEach((version, files) -> {
      if (namedBy.test(version)) {
        file.namedBy++;
        files.add(file);
      }
    });
    if (file.namedBy == 0) {
      throw new IllegalStateException("a file was dropped that no version alive names");
    }
  }

  /** A version is dead. Returns what is to be done for the files that nothing names any more. */
  synchronized List<Runnable> died(Version version) {
    List<Runnable> free = new ArrayList<>();
    List<Waiting> files = alive.remove(version);
    for (Waiting file : files == null ? List.<Waiting>of() : files) {
      if (--file.namedBy == 0) {
        free.add(file.free);
      }
    }
    return free;
  }
}
