// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import io.github.rlsm.io.BlockDevice;
import io.github.rlsm.io.DeviceSignatures;
import io.github.rlsm.io.DeviceUse;
import io.github.rlsm.io.OsDirectory;
import io.github.rlsm.io.StoreDirectory;
import io.github.rlsm.kv.CorruptionException;
import io.github.rlsm.kv.FormatVersionException;
import io.github.rlsm.kv.StoreLockedException;
import io.github.rlsm.log.DirectLog;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;

/**
 * Log devices, for {@link RlsmOptions.Builder#directLog}: makes them, says what they are, and gives
 * them up. What {@code log-device} does on the command line.
 *
 * <p>Threads: any.
 */
public final class LogDevice {

  /** Bytes of the shortest device. */
  public static final long BYTES_MIN = 64 << 10;

  private final Path path;

  private LogDevice(Path path) {
    this.path = path;
  }

  /** The device or file at a path, which need not be a log device yet, or be there. */
  public static LogDevice at(Path path) {
    return new LogDevice(path.toAbsolutePath().normalize());
  }

  /**
   * What a log device says of itself.
   *
   * @param path the name under which it is found again
   * @param deviceId the device
   * @param storeId the store that has claimed it, if one has
   * @param inUse whether a store has it open, or died with it and needs it
   * @param epoch how often it was claimed and given back
   * @param ringBytes how much log it holds
   */
  public record Status(
      Path path, long deviceId, OptionalLong storeId, boolean inUse, long epoch, long ringBytes) {}

  /**
   * Makes it a log device. A file that is not there is made; one that is there is filled anew.
   *
   * @param fileBytes length of a file that is not there yet
   * @param overwrite what the device may carry and lose, by the names that a refusal gives
   * @throws FormatVersionException if it carries something else, is mounted, or part of something
   * @throws StoreLockedException if a store has it open
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

  /** As the longer form, of a device that carries nothing. */
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
            path.toString(), "it is " + user + "; a log device is nobody else's");
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
                + ", which would be lost; to overwrite that, say" + " so: --overwrite " + names);
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
   * What it is.
   *
   * @throws FormatVersionException if it is no log device
   * @throws CorruptionException if it is a damaged one
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
   * Makes it no log device any more.
   *
   * @param evenIfInUse although a store died with it: what that has acknowledged may be lost
   * @throws FormatVersionException if it is no log device, or in use
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
                "store %016x was not closed and needs it; open and close that store first",
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
