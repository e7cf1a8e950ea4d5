// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.it;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A small file system, mounted at a directory. The test is skipped if the process lacks the rights.
 *
 * <p>A ballast file takes the space that a test does not need. So a file system with a large
 * minimum size fills up quickly, too.
 *
 * <p>Threads: one.
 */
final class SmallDisk implements AutoCloseable {

  /** A kind of file system. */
  enum Kind {
    /** A file system in memory, without a device. */
    TMPFS(256, ""),
    /** Options: no blocks reserved for root, no background work. */
    EXT4(128, "-q -F -m 0 -E lazy_itable_init=0,lazy_journal_init=0"),
    /** The smallest size that newer versions of {@code mkfs.xfs} accept is 300 MiB. */
    XFS(320, "-q -f"),
    /** Copies on write, so that storing to a reserved page may find no space. */
    BTRFS(160, "-q -f");

    private final int mebibytes;
    private final String makeOptions;

    Kind(int mebibytes, String makeOptions) {
      this.mebibytes = mebibytes;
      this.makeOptions = makeOptions;
    }

    String fileSystem() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private static final long PIECE_BYTES = 64 << 20;

  private final Path path;

  private SmallDisk(Path path) {
    this.path = path;
  }

  /** Creates an empty file system and mounts it. Its image lies beside the mount point. */
  static SmallDisk mount(Path path, Kind kind) throws IOException, InterruptedException {
    Machine.needsRoot();
    Machine.needsFileSystem(kind.fileSystem());
    Machine.needsProgram("fallocate");
    Machine.needsProgram("mount");
    Files.createDirectories(path);
    if (kind == Kind.TMPFS) {
      Machine.run(
          "mount", "-t", "tmpfs", "-o", "size=" + kind.mebibytes + "m", "tmpfs", path.toString());
    } else {
      Path image = path.resolveSibling(path.getFileName() + ".image");
      make(image, kind);
      Machine.run(
          "mount", "-t", kind.fileSystem(), "-o", "loop", image.toString(), path.toString());
    }
    return new SmallDisk(path);
  }

  private static void make(Path image, Kind kind) throws IOException, InterruptedException {
    String program = "mkfs." + kind.fileSystem();
    Machine.needsProgram(program);
    Machine.needsLoopDevices();
    try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
      file.setLength((long) kind.mebibytes << 20);
    }
    List<String> command = new ArrayList<>(List.of(program));
    command.addAll(List.of(kind.makeOptions.split(" ", -1)));
    command.add(image.toString());
    Machine.run(command.toArray(String[]::new));
  }

  /** The mount point. */
  Path path() {
    return path;
  }

  /** Remounts with an option, for example {@code "ro"} or {@code "rw"}. */
  void remount(String option) throws IOException, InterruptedException {
    Machine.run("mount", "-o", "remount," + option, path.toString());
  }

  /** Free bytes for files. */
  long freeBytes() throws IOException {
    return Files.getFileStore(path).getUsableSpace();
  }

  /** Grows or shrinks the ballast until about that many bytes are free. */
  void leave(long bytes) throws IOException, InterruptedException {
    Path ballast = path.resolve("ballast");
    long length = Files.exists(ballast) ? Files.size(ballast) : 0;
    long wanted = Math.max(0, length + freeBytes() - bytes);
    try (RandomAccessFile file = new RandomAccessFile(ballast.toFile(), "rw")) {
      file.setLength(Math.min(length, wanted));
    }
    for (long size = length; size < wanted; size += PIECE_BYTES) {
      reserve(ballast, Math.min(PIECE_BYTES, wanted - size));
    }
  }

  /** Appends to a file in pieces, since a file system may not give out all free space. */
  private static void reserve(Path file, long bytes) throws IOException, InterruptedException {
    try {
      Machine.run(
          "fallocate",
          "-o",
          String.valueOf(Files.size(file)),
          "-l",
          String.valueOf(bytes),
          file.toString());
    } catch (IOException e) {
      if (!String.valueOf(e.getMessage()).contains("No space left")) {
        throw e;
      }
    }
  }

  @Override
  public void close() throws IOException, InterruptedException {
    Machine.run("umount", path.toString());
  }
}
