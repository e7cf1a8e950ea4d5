// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.version;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
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

  /** The current version and those that are pinned, a handful; told apart by identity. */
  private final Set<Version> alive = Collections.newSetFromMap(new IdentityHashMap<>());

  private final List<Waiting> waiting = new ArrayList<>();

  private record Waiting(Predicate<Version> namedBy, Runnable free) {}

  synchronized void born(Version version) {
    alive.add(version);
  }

  /**
   * A file left the current version.
   *
   * @param namedBy whether a version names the file
   * @param free closes and deletes it
   */
  synchronized void dropped(Predicate<Version> namedBy, Runnable free) {
    waiting.add(new Waiting(namedBy, free));
  }

  /** A version is dead. Returns what is to be done for the files that nothing names any more. */
  synchronized List<Runnable> died(Version version) {
    alive.remove(version);
    List<Runnable> free = new ArrayList<>();
    for (Iterator<Waiting> files = waiting.iterator(); files.hasNext(); ) {
      Waiting file = files.next();
      if (alive.stream().noneMatch(file.namedBy())) {
        files.remove();
        free.add(file.free());
      }
    }
    return free;
  }
}
