// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import io.github.rlsm.io.BlockDevice;
import io.github.rlsm.io.StoreDirectory;
import io.github.rlsm.kv.CorruptionException;
import io.github.rlsm.kv.FormatVersionException;
import io.github.rlsm.kv.StoreLockedException;
import io.github.rlsm.logdevice.DirectLog;
import io.github.rlsm.os.DeviceSignatures;
import io.github.rlsm.os.DeviceUse;
import io.github.rlsm.os.OsDirectory;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;

/**
 * A log device for {@link RlsmOptions.Builder#directLog}. Initialises a device, reports its status,
 * and releases it. The {@code log-device} command calls this class.
 *
 * <p>Threads: any.
 */
public final class LogDevice {

  /** The minimum length of a device, in bytes. */
  public static final long BYTES_MIN = 64 << 10;

  private final Path path;

  private LogDevice(Path path) {
    this.path = path;
  }

  /**
   * Names the device or file at a path. The file may be missing, and the device need not be
   * initialised.
   */
  public static LogDevice at(Path path) {
    return new LogDevice(path.toAbsolutePath().normalize());
  }

  /**
   * The status of a log device.
   *
   * @param path a path that keeps naming the device when the system numbers its devices differently
   * @param deviceId the id of the device
   * @param storeId the id of the store that has claimed the device, if any
   * @param inUse whether a store has the device open, or crashed and still needs its contents
   * @param epoch how many times the device was claimed or released
   * @param ringBytes capacity for log data, in bytes
   */
  public record Status(
      Path path, long deviceId, OptionalLong storeId, boolean inUse, long epoch, long ringBytes) {}

  /**
   * Initialises the path as a log device. Creates a missing file. Writes every block of an existing
   * file and keeps its length.
   *
   * @param fileBytes length of a missing file, in bytes; ignored for an existing file or device
   * @param overwrite signatures of existing contents that may be overwritten, as named by the
   *     refusal
   * @throws FormatVersionException if the device has other contents, is mounted, or is part of a
   *     larger device
   * @throws StoreLockedException if a store has the device open
   */
  public Status init(long fileBytes, Set<String> overwrite) {
    boolean isNew = !exists();
    if (!isNew) {
      check(overwrite);
    }
    if (isNew || !DeviceUse.isBlockDevice(path)) {
      OsDirectory.writeDeviceFile(
          path, fileBytes / BlockDevice.BLOCK_BYTES * BlockDevice.BLOCK_BYTES);
    }
    try (BlockDevice device = open()) {
      DirectLog.format(device, new SecureRandom());
      return status(device);
    }
  }

  /** As {@link #init(long, Set)}, for a device without existing contents. */
  public Status init(long fileBytes) {
    return init(fileBytes, Set.of());
  }

  private boolean exists() {
    Path name = path.getFileName();
    return name == null || directory().exists(name.toString());
  }

  private void check(Set<String> overwrite) {
    if (DeviceUse.isBlockDevice(path)) {
      new DeviceUse().of(path).ifPresent(user -> {
        throw new FormatVersionException(
            path.toString(), "it is " + user + "; choose a device that nothing else uses");
      });
    }
    try (BlockDevice device = open()) {
      Set<String> found = new TreeSet<>(DeviceSignatures.of(device));
      found.removeAll(overwrite);
      if (!found.isEmpty()) {
        String names = String.join(" ", found);
        throw new FormatVersionException(
            device.path(),
            "it carries " + describe(device, found)
                + ", which would be lost; to overwrite it, pass --overwrite " + names);
      }
    }
  }

  private static String describe(BlockDevice device, Set<String> found) {
    if (found.contains(DeviceSignatures.LOG_DEVICE)) {
      try {
        DirectLog.Status status = DirectLog.status(device);
        if (status.storeId().isPresent()) {
          return String.format(
              Locale.ROOT, "the log of store %016x", status.storeId().getAsLong());
        }
        return "a log device that no store has claimed";
      } catch (CorruptionException | FormatVersionException e) {
        return "a damaged log device";
      }
    }
    return String.join(", ", found);
  }

  /**
   * Returns the status of the device.
   *
   * @throws FormatVersionException if it is not a log device
   * @throws CorruptionException if its metadata is damaged
   */
  public Status status() {
    try (BlockDevice device = open()) {
      return status(device);
    }
  }

  private static Status status(BlockDevice device) {
    DirectLog.Status status = DirectLog.status(device);
    return new Status(
        Path.of(device.path()),
        status.deviceId(),
        status.storeId(),
        status.inUse(),
        status.epoch(),
        status.ringBytes());
  }

  /**
   * Releases the device, so that it is no longer a log device.
   *
   * @param evenIfInUse release the device even if a crashed store still needs it; acknowledged
   *     writes of that store may be lost
   * @throws FormatVersionException if it is not a log device, or is in use
   * @throws StoreLockedException if a store has it open
   */
  public void release(boolean evenIfInUse) {
    try (BlockDevice device = open()) {
      DirectLog.Status status = DirectLog.status(device);
      if (status.inUse() && !evenIfInUse) {
        throw new FormatVersionException(
            device.path(),
            String.format(
                Locale.ROOT,
                "store %016x was not closed and needs the device; open and close that store first",
                status.storeId().orElse(0)));
      }
      DirectLog.erase(device);
    }
  }

  private BlockDevice open() {
    return directory().openDevice(path.toString());
  }

  private StoreDirectory directory() {
    Path parent = path.getParent();
    return OsDirectory.open(parent == null ? path : parent);
  }

  @Override
  public String toString() {
    return path.toString();
  }
}
