// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.os;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Finds the users of a block device in {@code /proc} and {@code /sys} of Linux, and a stable name
 * for the device.
 *
 * <p>Threads: safe; it has no state.
 */
public final class DeviceUse {

  private static final int TYPE_MASK = 0170000;
  private static final int BLOCK_DEVICE = 0060000;

  private final Path proc;
  private final Path sys;
  private final Path names;

  /** Uses the files of this system. */
  public DeviceUse() {
    this(Path.of("/proc"), Path.of("/sys"), Path.of("/dev/disk/by-id"));
  }

  DeviceUse(Path proc, Path sys, Path names) {
    this.proc = proc;
    this.sys = sys;
    this.names = names;
  }

  /** Whether a path names a block device. */
  public static boolean isBlockDevice(Path path) {
    try {
      return ((int) Files.getAttribute(path, "unix:mode") & TYPE_MASK) == BLOCK_DEVICE;
    } catch (IOException e) {
      throw IoFailure.of("look up", path, e);
    } catch (UnsupportedOperationException e) {
      return false; // no such devices on this system
    }
  }

  /**
   * Returns a name of the device that does not depend on the order of detection; if there is none,
   * the given name.
   */
  public Path stableName(Path device) {
    if (!isBlockDevice(device) || !Files.isDirectory(names)) {
      return device;
    }
    try (DirectoryStream<Path> all = Files.newDirectoryStream(names)) {
      Path real = device.toRealPath();
      List<Path> found = new ArrayList<>();
      for (Path name : all) {
        if (name.toRealPath().equals(real)) {
          found.add(name);
        }
      }
      return found.stream().sorted().findFirst().orElse(device);
    } catch (IOException e) {
      return device; // without a stable name, use the given one
    }
  }

  /**
   * Describes the user of a block device or of one of its partitions; empty if it is not in use.
   *
   * @throws io.github.rlsm.kv.StoreIoException if the use cannot be determined
   */
  public Optional<String> of(Path device) {
    try {
      return of(device, number((long) Files.getAttribute(device, "unix:rdev")));
    } catch (IOException e) {
      throw IoFailure.of("find out who uses", device, e);
    }
  }

  /** Like {@link #of(Path)}, for a device with the number {@code major:minor}. */
  Optional<String> of(Path device, String number) throws IOException {
    Path known = sys.resolve("dev/block").resolve(number);
    List<Path> parts = new ArrayList<>(List.of(known));
    if (Files.isDirectory(known)) {
      parts.addAll(partitions(known));
    }
    for (Path part : parts) {
      String partNumber = part.equals(known)
          ? number
          : Files.readString(part.resolve("dev"), UTF_8).strip();
      Optional<String> user = mount(partNumber).or(() -> holder(part));
      if (user.isPresent()) {
        String which = part.equals(known) ? "" : "its partition " + part.getFileName() + " is ";
        return Optional.of(which + user.get());
      }
    }
    return swap(device);
  }

  private static List<Path> partitions(Path known) throws IOException {
    List<Path> found = new ArrayList<>();
    try (DirectoryStream<Path> below = Files.newDirectoryStream(known)) {
      for (Path each : below) {
        if (Files.exists(each.resolve("partition"))) {
          found.add(each);
        }
      }
    }
    return found;
  }

  private Optional<String> mount(String number) {
    Path mounts = proc.resolve("self/mountinfo");
    try {
      return Files.readAllLines(mounts, UTF_8).stream()
          .map(line -> line.split(" ", -1))
          .filter(fields -> fields.length > 4 && fields[2].equals(number))
          .map(fields -> "mounted at " + fields[4])
          .findFirst();
    } catch (IOException e) {
      throw IoFailure.of("read", mounts, e);
    }
  }

  /** Finds the volume manager or RAID device that holds the device. */
  private static Optional<String> holder(Path known) {
    Path holders = known.resolve("holders");
    if (!Files.isDirectory(holders)) {
      return Optional.empty();
    }
    try (DirectoryStream<Path> all = Files.newDirectoryStream(holders)) {
      for (Path holder : all) {
        return Optional.of("held by " + holder.getFileName());
      }
      return Optional.empty();
    } catch (IOException e) {
      throw IoFailure.of("list", holders, e);
    }
  }

  private Optional<String> swap(Path device) throws IOException {
    Path swaps = proc.resolve("swaps");
    if (!Files.exists(swaps) || !Files.exists(device)) {
      return Optional.empty();
    }
    Path real = device.toRealPath();
    return Files.readAllLines(swaps, UTF_8).stream()
        .map(line -> line.substring(0, Math.max(0, line.indexOf(' '))))
        .filter(name -> name.equals(real.toString()))
        .map(name -> "used for swapping")
        .findFirst();
  }

  private static String number(long device) {
    long major = ((device >>> 8) & 0xFFF) | ((device >>> 32) & ~0xFFFL);
    long minor = (device & 0xFF) | ((device >>> 12) & 0xFFFF_FF00L);
    return major + ":" + minor;
  }
}
