// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.io;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The names of a simulated directory: <em>live</em> names, which processes see, <em>safe</em>
 * names, which survive a power loss, and the changes in between.
 *
 * <p>Threads: guarded by the directory's monitor.
 */
final class SimulatedNames {

  /** A change of names that was not forced. It is atomic. */
  private sealed interface Change {

    SimulatedFile file();

    void applyTo(Map<String, SimulatedFile> names);

    /** Returns the same change for a copy of the file in another directory. */
    Change with(SimulatedFile copy);
  }

  private record Linked(String name, SimulatedFile file) implements Change {
    @Override
    public void applyTo(Map<String, SimulatedFile> names) {
      names.put(name, file);
    }

    @Override
    public Change with(SimulatedFile copy) {
      return new Linked(name, copy);
    }
  }

  private record Renamed(String from, String to, SimulatedFile file) implements Change {
    @Override
    public void applyTo(Map<String, SimulatedFile> names) {
      names.remove(from, file);
      names.put(to, file);
    }

    @Override
    public Change with(SimulatedFile copy) {
      return new Renamed(from, to, copy);
    }
  }

  private record Removed(String name, SimulatedFile file) implements Change {
    @Override
    public void applyTo(Map<String, SimulatedFile> names) {
      names.remove(name, file);
    }

    @Override
    public Change with(SimulatedFile copy) {
      return new Removed(name, copy);
    }
  }

  private final NavigableMap<String, SimulatedFile> live = new TreeMap<>();
  private final NavigableMap<String, SimulatedFile> safe = new TreeMap<>();
  private final List<Change> changes = new ArrayList<>();

  @Nullable
  SimulatedFile find(String name) {
    return live.get(name);
  }

  /** The existing names, in their order. */
  List<String> names() {
    return new ArrayList<>(live.keySet());
  }

  /** The files with a name. */
  Iterable<SimulatedFile> files() {
    return live.values();
  }

  void link(String name, SimulatedFile file) {
    change(new Linked(name, file));
  }

  void rename(String from, String to, SimulatedFile file) {
    change(new Renamed(from, to, file));
  }

  /** The number of names of a file. */
  long countOf(SimulatedFile file) {
    return live.values().stream().filter(other -> other == file).count();
  }

  void remove(String name, SimulatedFile file) {
    change(new Removed(name, file));
  }

  private void change(Change change) {
    change.applyTo(live);
    changes.add(change);
  }

  /** Makes all changes so far safe. */
  void force() {
    changes.forEach(change -> change.applyTo(safe));
    changes.clear();
  }

  /** Fails to force the changes: processes still see them, and no later force writes them. */
  void failForce() {
    changes.clear();
  }

  /** Puts a file under a name, live and safe. */
  void replace(String name, SimulatedFile file) {
    force();
    live.put(name, file);
    safe.put(name, file);
  }

  /** Returns an independent copy of names and files for another directory. */
  SimulatedNames copy() {
    Map<SimulatedFile, SimulatedFile> copies = new HashMap<>();
    SimulatedNames copy = new SimulatedNames();
    live.forEach((name, file) -> copy.live.put(name, copyOf(file, copies)));
    safe.forEach((name, file) -> copy.safe.put(name, copyOf(file, copies)));
    changes.forEach(change -> copy.changes.add(change.with(copyOf(change.file(), copies))));
    return copy;
  }

  /** Reverts some stores into mapped files that an earlier copy lacks. */
  void takeBack(SimulatedNames earlier, RandomGenerator random) {
    live.forEach((name, file) -> {
      SimulatedFile before = earlier.live.get(name);
      if (before != null && before.length() == file.length()) {
        file.takeBack(before, random);
      }
    });
  }

  private static SimulatedFile copyOf(
      SimulatedFile file, Map<SimulatedFile, SimulatedFile> copies) {
    return copies.computeIfAbsent(file, SimulatedFile::copy);
  }

  /**
   * Returns the names and files that survive a power loss. Journaling file systems keep a prefix of
   * the unforced changes. POSIX lets a file system keep any of them, and some do, so both are
   * tried.
   */
  SimulatedNames afterCrash(CrashStyle style, RandomGenerator random) {
    NavigableMap<String, SimulatedFile> names = new TreeMap<>(safe);
    boolean inOrder = random.nextBoolean();
    int kept = random.nextInt(changes.size() + 1);
    for (int i = 0; i < changes.size(); i++) {
      boolean survives = switch (style) {
        case DROP_UNSYNCED -> false;
        case KEEP_UNSYNCED -> true;
        case RANDOM_PAGES, TORN_SECTORS, TORN_LINES -> inOrder ? i < kept : random.nextBoolean();
      };
      if (survives) {
        changes.get(i).applyTo(names);
      }
    }
    SimulatedNames survivor = new SimulatedNames();
    Map<SimulatedFile, SimulatedFile> files = new HashMap<>();
    names.forEach((name, file) -> survivor.live.put(
        name, files.computeIfAbsent(file, each -> each.afterCrash(style, random))));
    survivor.safe.putAll(survivor.live);
    return survivor;
  }
}
