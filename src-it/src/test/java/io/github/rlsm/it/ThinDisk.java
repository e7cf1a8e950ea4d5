// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.it;

import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A file system on a loop device whose image is a sparse file in a small memory disk. Once the
 * memory disk is full, the device fails each write to a block that it has not written before. The
 * file system reported the space as free, so a force is the first call to fail. The test is skipped
 * if the process lacks the rights or the programs.
 *
 * <p>Threads: one.
 */
final class ThinDisk implements AutoCloseable {

  /**
   * A kind of file system. The blocks that mkfs writes must be on the device, so that only data
   * fails.
   */
  enum Kind {
    /** Overwrites in place; a journal for metadata. */
    EXT4("-q", "-F", "-b", "4096", "-E", "nodiscard,lazy_itable_init=0,lazy_journal_init=0"),
    /** Overwrites in place; a log for metadata. */
    XFS("-q", "-f", "-K"),
    /** Copies on write. */
    BTRFS("-q", "-f", "-K");

    @SuppressWarnings("ImmutableEnumChecker") // the list is made by List.of
    private final List<String> makeOptions;

    Kind(String... makeOptions) {
      this.makeOptions = List.of(makeOptions);
    }

    String fileSystem() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private static final long IMAGE_BYTES = 400L << 20;
  private static final String MEMORY_SIZE = "160m";

  private final Path memory;
  private final Path path;
  private final String device;

  private ThinDisk(Path memory, Path path, String device) {
    this.memory = memory;
    this.path = path;
    this.device = device;
  }

  /** Creates an empty file system below a directory, and mounts it. */
  static ThinDisk mount(Path below, Kind kind) throws IOException, InterruptedException {
    Machine.needsRoot();
    Machine.needsFileSystem(kind.fileSystem());
    Machine.needsProgram("losetup");
    Machine.needsLoopDevices();
    Machine.needsProgram("mkfs." + kind.fileSystem());
    Path memory = Files.createDirectories(below.resolve("memory"));
    Path path = Files.createDirectories(below.resolve("disk"));
    Machine.run("mount", "-t", "tmpfs", "-o", "size=" + MEMORY_SIZE, "tmpfs", memory.toString());
    String device = "";
    try {
      Path image = memory.resolve("image");
      try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
        file.setLength(IMAGE_BYTES);
      }
      device = Machine.run("losetup", "--show", "-f", image.toString());
      limitRequests(device);
      List<String> make = new ArrayList<>(List.of("mkfs." + kind.fileSystem()));
      make.addAll(kind.makeOptions);
      make.add(device);
      Machine.run(make.toArray(String[]::new));
      Machine.run("mount", device, path.toString());
      return new ThinDisk(memory, path, device);
    } catch (IOException | RuntimeException e) {
      if (!device.isEmpty()) {
        Machine.run("losetup", "-d", device);
      }
      Machine.run("umount", memory.toString());
      throw e;
    }
  }

  /**
   * Limits requests to one block, which is one page of the image. The loop driver reports success
   * for a partial write of the image's file system. So if the first page of a longer request has
   * memory and the next page has none, data would be lost without an error.
   */
  private static void limitRequests(String device) throws IOException {
    Path name = Path.of(device).getFileName();
    Files.writeString(Path.of("/sys/block/" + name + "/queue/max_sectors_kb"), "4");
  }

  /** The mount point. */
  Path path() {
    return path;
  }

  /** Takes all memory for blocks that the device has not written before. */
  void fill() throws IOException {
    byte[] zeros = new byte[1 << 20];
    try (OutputStream out = Files.newOutputStream(ballast())) {
      while (true) {
        out.write(zeros);
      }
    } catch (IOException e) {
      if (!String.valueOf(e.getMessage()).contains("No space left")) {
        throw e;
      }
    }
  }

  /** Frees memory for the device. */
  void drain() throws IOException {
    Files.deleteIfExists(ballast());
  }

  private Path ballast() {
    return memory.resolve("ballast");
  }

  /** Unmounts and mounts the file system. Files then have the content of the device. */
  void remount() throws IOException, InterruptedException {
    Machine.run("umount", path.toString());
    Machine.run("mount", device, path.toString());
  }

  @Override
  public void close() throws IOException, InterruptedException {
    Machine.run("umount", path.toString());
    Machine.run("losetup", "-d", device);
    Machine.run("umount", memory.toString());
  }
}
