// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A directory on the file system in memory that Linux machines have. A force takes no time there. A
 * SIGKILL leaves the same files as on a disk, because the kernel keeps every byte in its cache in
 * either case.
 *
 * <p>Threads: one.
 */
record MemoryDisk(@Nullable Path directory) {

  private static final Path SHARED_MEMORY = Path.of("/dev/shm");
  private static final long BYTES_MIN = 1 << 30;

  /** Creates a directory, if the machine has such a file system with enough space. */
  static MemoryDisk create() throws IOException {
    boolean exists = Files.isWritable(SHARED_MEMORY)
        && Files.getFileStore(SHARED_MEMORY).type().equals("tmpfs")
        && Files.getFileStore(SHARED_MEMORY).getUsableSpace() >= BYTES_MIN;
    return new MemoryDisk(exists ? Files.createTempDirectory(SHARED_MEMORY, "rlsm") : null);
  }

  /** The directory, or another one if the machine has no such file system. */
  Path or(Path other) {
    return directory == null ? other : directory;
  }

  /** Deletes the directory. After a failure it is kept instead, like any temporary directory. */
  void delete() throws IOException {
    if (directory != null) {
      CrashRun.deleteAll(directory);
    }
  }
}
