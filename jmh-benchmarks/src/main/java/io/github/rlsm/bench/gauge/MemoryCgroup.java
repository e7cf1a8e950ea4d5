// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.gauge;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A memory control group for one child process. It limits all memory that the kernel charges to the
 * process, including page cache. It is created below the group of this process, so the limits of
 * this process apply to the child too.
 *
 * <p>Threads: one thread at a time.
 */
public final class MemoryCgroup {

  /**
   * Runs a command inside the group, then removes the group. The removal fails while a process that
   * the command left behind is still exiting, so it is retried.
   */
  private static final String ENTER = """
      group=$1; shift
      trap : INT TERM
      sh -c 'echo $$ > "$0/cgroup.procs" && exec "$@"' "$group" "$@"
      code=$?
      for try in 1 2 3 4 5 6 7 8 9; do
        rmdir "$group" 2>/dev/null && exit $code
        sleep 0.2
      done
      rmdir "$group"
      exit $code
      """;

  private static final String PREFIX = "rlsm-bench-";

  private final Path group;
  private final boolean isUnified;

  private MemoryCgroup(Path group, boolean isUnified) {
    this.group = group;
    this.isUnified = isUnified;
  }

  /** The group in which {@link #enter} started this process. */
  static Optional<MemoryCgroup> ofThisProcess() {
    return CgroupHierarchy.mountedNow()
        .filter(at -> at.directory().getFileName().toString().startsWith(PREFIX))
        .map(at -> new MemoryCgroup(at.directory(), at.isUnified()));
  }

  /**
   * Creates a group with a limit.
   *
   * @param name distinguishes the groups created by this process
   * @throws IOException if the system or the rights of this process do not allow it; the message
   *     has the reason
   */
  public static MemoryCgroup create(String name, long limitBytes) throws IOException {
    CgroupHierarchy hierarchy = CgroupHierarchy.ofThisProcess();
    if (hierarchy.isUnified()) {
      enableMemoryFor(hierarchy.directory());
    }
    Path group = hierarchy.directory().resolve(PREFIX + ProcessHandle.current().pid() + "-" + name);
    Files.createDirectory(group);
    try {
      String limit = Long.toString(limitBytes);
      if (hierarchy.isUnified()) {
        Files.writeString(group.resolve("memory.max"), limit);
        writeIfThere(group.resolve("memory.swap.max"), "0");
      } else {
        Files.writeString(group.resolve("memory.limit_in_bytes"), limit);
        writeIfThere(group.resolve("memory.memsw.limit_in_bytes"), limit);
      }
    } catch (IOException e) {
      Files.delete(group);
      throw e;
    }
    return new MemoryCgroup(group, hierarchy.isUnified());
  }

  /** Wraps a command: the result runs it in the group, then removes the group. */
  public List<String> enter(List<String> command) {
    List<String> entering = new ArrayList<>(List.of("sh", "-c", ENTER, "sh", group.toString()));
    entering.addAll(command);
    return entering;
  }

  /** Memory that the kernel charges to the group now, including page cache. */
  long chargedBytes() {
    String file = isUnified ? "memory.current" : "memory.usage_in_bytes";
    return Long.parseLong(new ProcFile(group.resolve(file).toString()).read().strip());
  }

  /** Removes the group if its process was never started. */
  public void removeUnused() throws IOException {
    Files.deleteIfExists(group);
  }

  private static void enableMemoryFor(Path directory) throws IOException {
    Path controllers = directory.resolve("cgroup.subtree_control");
    if (!Files.readString(controllers).contains("memory")) {
      Files.writeString(controllers, "+memory");
    }
  }

  private static void writeIfThere(Path file, String content) throws IOException {
    if (Files.exists(file)) {
      Files.writeString(file, content);
    }
  }
}
