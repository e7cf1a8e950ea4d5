// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.gauge;

/**
 * What this process has made the storage device do, by {@code /proc/self/io}. Pages of mapped files
 * count as written when they are first dirtied, whoever writes them out later.
 *
 * @param bytesWritten bytes written, less those dropped before they reached the device; -1 if
 *     unknown
 * @param bytesRead bytes read from the device; -1 if unknown
 */
public record ProcessIo(long bytesWritten, long bytesRead) {

  private static final ProcFile FILE = new ProcFile("/proc/self/io");

  /** As it stands now. */
  public static ProcessIo now() {
    if (!FILE.exists()) {
      return new ProcessIo(-1, -1);
    }
    String content = FILE.read();
    long written = ProcFile.number(content, "write_bytes");
    long cancelled = ProcFile.number(content, "cancelled_write_bytes");
    return new ProcessIo(written - Math.max(0, cancelled), ProcFile.number(content, "read_bytes"));
  }

  /** What was done since an earlier moment; what is unknown stays so. */
  public ProcessIo since(ProcessIo earlier) {
    return new ProcessIo(
        bytesWritten < 0 ? -1 : bytesWritten - earlier.bytesWritten,
        bytesRead < 0 ? -1 : bytesRead - earlier.bytesRead);
  }
}
