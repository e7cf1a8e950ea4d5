// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.it;

import io.github.rlsm.io.MappedFaults;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Truncates mapped files, loads from them and stores to them. Reports the number of faults that
 * {@link MappedFaults#check} has thrown, and the number that it has missed.
 */
final class FaultReportChild {

  private static final int BYTES = 4096;

  /** After this number of calls the JVM has compiled the methods below, if it compiles. */
  private static final int WARM_UP = 200_000;

  private long sum;
  private long reported;
  private long late;

  /** Arguments: a directory, and the number of files to truncate. */
  public static void main(String[] arguments) throws IOException {
    FaultReportChild child = new FaultReportChild();
    ByteBuffer sound = ByteBuffer.allocateDirect(BYTES);
    for (int i = 0; i < WARM_UP; i++) {
      child.load(sound);
      child.store(sound);
    }
    if (child.reported != 0) {
      throw new AssertionError("faults without a cut");
    }
    child.late = 0;
    for (int i = 0; i < Integer.parseInt(arguments[1]); i++) {
      Path file = Path.of(arguments[0], "mapped" + i);
      Files.write(file, new byte[BYTES]);
      try (FileChannel channel =
          FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
        ByteBuffer memory = channel.map(MapMode.READ_WRITE, 0, BYTES);
        channel.truncate(0);
        child.load(memory);
        child.store(memory);
      }
    }
    DataOutputStream reports = new DataOutputStream(System.out);
    reports.writeLong(child.reported);
    reports.writeLong(child.late);
    reports.flush();
  }

  private void load(ByteBuffer memory) {
    try {
      sum += memory.getLong(64);
      MappedFaults.check();
      late++;
    } catch (InternalError e) {
      reported++;
    }
  }

  private void store(ByteBuffer memory) {
    try {
      memory.putLong(128, sum);
      MappedFaults.check();
      late++;
    } catch (InternalError e) {
      reported++;
    }
  }
}
