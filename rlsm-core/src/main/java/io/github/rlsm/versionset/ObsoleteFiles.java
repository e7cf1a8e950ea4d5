// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.versionset;

import io.github.rlsm.version.Version;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.Predicate;

/**
 * Files that have left the current version, until no pinned version names them.
 *
 * <p>A file is freed when no live version names it. It does not wait for the death of all older
 * versions, so a snapshot held for hours keeps only its own files.
 *
 * <p>Threads: any; guarded by the object's monitor, which is never held during I/O.
 */
final class ObsoleteFiles {

  /**
   * The current version and the pinned versions, by identity. Each has the files that wait for its
   * death.
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
   * Registers a file that has left the current version. No version added later names it.
   *
   * @param namedBy whether a version names the file; true for at least one live version
   * @param free closes and deletes the file
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
      throw new IllegalStateException("no live version names the dropped file");
    }
  }

  /** Removes a dead version. Returns the actions that free the files that no live version names. */
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
