// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.gauge;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The location of this process's memory control group.
 *
 * @param directory the group of this process
 * @param isUnified whether the hierarchy is of cgroup version 2
 */
record CgroupHierarchy(Path directory, boolean isUnified) {

  private static final ProcFile GROUPS = new ProcFile("/proc/self/cgroup");
  private static final ProcFile MOUNTS = new ProcFile("/proc/self/mountinfo");

  /** The memory controller's hierarchy. If none is mounted, mounts one until this process ends. */
  static CgroupHierarchy ofThisProcess() throws IOException {
    Optional<CgroupHierarchy> mounted = mountedNow();
    if (mounted.isPresent()) {
      return mounted.get();
    }
    if (!GROUPS.exists() || !MOUNTS.exists()) {
      throw new IOException("this system has no control groups (Linux is required)");
    }
    CgroupMount.mount(GROUPS.read().lines().anyMatch(CgroupHierarchy::isFirstVersionsMemory));
    return mountedNow()
        .orElseThrow(() -> new IOException("no control groups for memory are mounted"));
  }

  /** The mounted hierarchy with the memory controller, if any. */
  static Optional<CgroupHierarchy> mountedNow() {
    if (!GROUPS.exists() || !MOUNTS.exists()) {
      return Optional.empty();
    }
    return find(GROUPS.read().lines().toList(), MOUNTS.read().lines().toList());
  }

  /**
   * Finds the group from the lines of {@code /proc/self/cgroup} and {@code /proc/self/mountinfo}.
   */
  static Optional<CgroupHierarchy> find(List<String> groups, List<String> mounts) {
    for (String line : groups) {
      if (isFirstVersionsMemory(line)) {
        return mounted(mounts, "cgroup", line.split(":", 3)[2])
            .map(at -> new CgroupHierarchy(at, false));
      }
    }
    return groups.stream()
        .filter(line -> line.startsWith("0::"))
        .findFirst()
        .flatMap(line -> mounted(mounts, "cgroup2", line.substring(3)))
        .map(at -> new CgroupHierarchy(at, true));
  }

  /** A group line has a number, the controllers of a version 1 hierarchy, and the group. */
  private static boolean isFirstVersionsMemory(String line) {
    return List.of(line.split(":", 3)[1].split(",", -1)).contains("memory");
  }

  /**
   * The group's directory in the first mount of that type. A mount line has id, parent, device,
   * root, mount point, options, optional fields, a dash, type, source, file system options.
   */
  private static Optional<Path> mounted(List<String> mounts, String type, String group) {
    for (String line : mounts) {
      String[] halves = line.split(" - ", 2);
      String[] mount = halves[0].split(" ", -1);
      String[] fileSystem = halves[1].split(" ", -1);
      boolean fits = fileSystem[0].equals(type)
          && (type.equals("cgroup2") || List.of(fileSystem[2].split(",", -1)).contains("memory"));
      if (fits) {
        String root = mount[3];
        boolean partial = group.equals(root) || group.startsWith(root + "/");
        String below = partial ? group.substring(root.length()) : group;
        return Optional.of(Path.of(mount[4] + below).normalize());
      }
    }
    return Optional.empty();
  }
}
