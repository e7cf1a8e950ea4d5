// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.gauge;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Counts the read requests of the device on which a directory lies. The kernel counts them for all
 * processes together. One request may read several pages.
 */
public final class DeviceReads {

  /** The encoding of device numbers by Linux, from the lowest bit: 8, 12 and 12 bits. */
  private static final long MINOR_LOW = 0xff;

  private static final long MAJOR = 0xfff;
  private static final int MAJOR_SHIFT = 8;
  private static final int MINOR_HIGH_SHIFT = 12;
  private static final long MINOR_HIGH = 0xfff00;

  private final ProcFile counters;

  private DeviceReads(ProcFile counters) {
    this.counters = counters;
  }

  /** Finds the device of a directory, which must exist. */
  public static DeviceReads of(Path directory) {
    return new DeviceReads(new ProcFile(counters(device(directory))));
  }

  private static long device(Path directory) {
    try {
      return ((Number) Files.getAttribute(directory, "unix:dev")).longValue();
    } catch (UnsupportedOperationException e) {
      // Not a Unix: no device has the number 0.
      return 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The file with a device's counters. */
  static String counters(long device) {
    long major = (device >> MAJOR_SHIFT) & MAJOR;
    long minor = (device & MINOR_LOW) | ((device >> MINOR_HIGH_SHIFT) & MINOR_HIGH);
    return String.format(Locale.ROOT, "/sys/dev/block/%d:%d/stat", major, minor);
  }

  /**
   * The requests that the device has completed; null if the system does not count them, as for file
   * systems in memory or on several devices.
   */
  public @Nullable Long count() {
    return counters.exists() ? completed(counters.read()) : null;
  }

  /** The first number of the file. */
  static long completed(String counters) {
    String content = counters.strip();
    return Long.parseLong(content.substring(0, content.indexOf(' ')));
  }
}
