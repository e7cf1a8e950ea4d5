// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.gauge;

/**
 * The device I/O of this process, from {@code /proc/self/io}. A page of a mapped file counts as
 * written when it first becomes dirty, no matter which process writes it back later.
 *
 * @param bytesWritten bytes written, less bytes dropped before they reached the device; -1 if
 *     unknown
 * @param bytesRead bytes read from the device; -1 if unknown
 */
public record ProcessIo(long bytesWritten, long bytesRead) {

  private static final ProcFile FILE = new ProcFile("/proc/self/io");

  /** The I/O until now. */
  public static ProcessIo now() {
    if (!FILE.exists()) {
      return new ProcessIo(-1, -1);
    }
    String content = FILE.read();
    long written = ProcFile.number(content, "write_bytes");
    long cancelled = ProcFile.number(content, "cancelled_write_bytes");
    return new ProcessIo(written - Math.max(0, cancelled), ProcFile.number(content, "read_bytes"));
  }

  /** The I/O since an earlier measurement; unknown figures stay unknown. */
  public ProcessIo since(ProcessIo earlier) {
    return new ProcessIo(
        bytesWritten < 0 ? -1 : bytesWritten - earlier.bytesWritten,
        bytesRead < 0 ? -1 : bytesRead - earlier.bytesRead);
  }
}
