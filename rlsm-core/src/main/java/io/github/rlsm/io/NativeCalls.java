// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.io;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What an operating system offers for files and the JDK does not: reserving room without writing,
 * holes, and advice on mapped memory. It may not be to be had; then there is another way, or it is
 * done without.
 *
 * <p>Threads: safe.
 */
interface NativeCalls {

  /** The calls of this system, or empty where there are none. */
  static Optional<NativeCalls> get() {
    return Loaded.CALLS;
  }

  /**
   * Reserves room on the device for the first {@code length} bytes of an existing file and makes it
   * at least that long. Bytes it has stay; those it had not read as zeros.
   *
   * @return false if that cannot be done here; nothing has changed then
   * @throws IOException in the system's words, for example "No space left on device"
   */
  boolean reserve(Path file, long length) throws IOException;

  /**
   * Takes ranges out of a file, as {@link StoreDirectory#punch} says.
   *
   * @return false if that cannot be done here; nothing has changed then
   * @throws IOException in the system's words; some ranges may be holes then
   */
  boolean punch(Path file, long[] ranges) throws IOException;

  /** The unit of holes, see {@link StoreDirectory#holeBytes()}. */
  int holeBytes();

  /** Bytes that a file takes on the device; negative if the system does not say. */
  long usedBytes(Path file);

  /**
   * Passes advice on to the kernel. Failures are ignored by design: advice changes no result.
   *
   * @param memory a mapping of a whole file, not empty
   */
  void advise(ByteBuffer memory, MappedFile.Advice advice, int offset, int length);

  /**
   * See {@link MappedFile#residentBytes}.
   *
   * @param memory a mapping of a whole file, not empty
   */
  int residentBytes(ByteBuffer memory, int offset, int length);

  /**
   * Gives back the memory that holds a file's first bytes, where nobody has stored into it since it
   * was forced. Failures are ignored as with {@link #advise}.
   */
  void forget(Path file, long length);

  /** The system's words for an error number, in the user's language. */
  String errorText(int errno);

  /** Looks for the calls once, and says in the log when they are missing. */
  final class Loaded {

    private static final Optional<NativeCalls> CALLS = load();

    private Loaded() {}

    private static Optional<NativeCalls> load() {
      Logger log = System.getLogger(NativeCalls.class.getName());
      try {
        Optional<NativeCalls> calls = LinuxCalls.load();
        if (calls.isEmpty()) {
          log.log(Level.INFO, "not 64-bit Linux: room in logs is reserved by writing zeros");
        }
        return calls;
      } catch (LinkageError e) {
        // All that can go wrong with JNA: its classes are not there, its library cannot be unpacked
        // or linked, or the JVM was told to allow no native access.
        Throwable cause = e.getCause() == null ? e : e.getCause();
        log.log(Level.INFO, "no JNA: room in logs is reserved by writing zeros: " + cause);
        return Optional.empty();
      }
    }
  }
}
