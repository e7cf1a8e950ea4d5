// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.os;

import io.github.rlsm.io.MappedFile;
import io.github.rlsm.io.StoreDirectory;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Optional;

/**
 * System calls for files that the JDK does not offer: reserving space without writing, holes,
 * advice on mapped memory, and reads at an offset that an interrupt does not abort. The library may
 * be missing. The engine then uses a slower way, or omits the operation.
 *
 * <p>Threads: safe.
 */
interface NativeCalls {

  /** Returns the calls of this system, or empty if there are none. */
  static Optional<NativeCalls> get() {
    return Loaded.CALLS;
  }

  /**
   * Reserves space on the device for the first {@code length} bytes of an existing file, and
   * extends the file to at least that length. Existing bytes stay. New bytes read as zeros.
   *
   * @return false if the system does not support it; nothing has changed then
   * @throws IOException with the system's message, for example "No space left on device"
   */
  boolean reserve(Path file, long length) throws IOException;

  /**
   * Punches holes into a file, see {@link StoreDirectory#punch}.
   *
   * @return false if the system does not support it; nothing has changed then
   * @throws IOException with the system's message; some ranges may be holes then
   */
  boolean punch(Path file, long[] ranges) throws IOException;

  /** The block size of holes, see {@link StoreDirectory#holeBytes()}. */
  int holeBytes();

  /** Bytes that a file occupies on the device; negative if the system does not report them. */
  long usedBytes(Path file);

  /**
   * Passes advice to the kernel. Ignores failures by design, because advice changes no result.
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
   * Opens a file for {@link #read}, and for {@link #write} too if {@code writable}. The kernel
   * reads nothing ahead for this descriptor.
   *
   * @return a descriptor to {@link #close}; negative if the file cannot be opened
   */
  int open(Path file, boolean writable);

  /**
   * Reads bytes of a file into a direct buffer whose position is 0. Ignores failures, like
   * {@link #advise}.
   *
   * @return the number of bytes read, which is less than {@code length} at the end of the file;
   *     negative if the read failed
   */
  long read(int descriptor, long offset, int length, ByteBuffer into);

  /**
   * Writes the first {@code length} bytes of a direct buffer, whose position is 0, into a file.
   *
   * @throws IOException with the system's message; some of the bytes may be written then
   */
  void write(int descriptor, long offset, int length, ByteBuffer from) throws IOException;

  /** Closes a descriptor of {@link #open}. */
  void close(int descriptor);

  /** The most descriptors that this process may have open. */
  long descriptorsMax();

  /**
   * Evicts the first {@code length} bytes of a file from the page cache, except pages modified
   * since the last force. Ignores failures, like {@link #advise}.
   */
  void forget(Path file, long length);

  /** The system's message for an error number, in the user's language. */
  String errorText(int errno);

  /** Loads the calls once, and logs if they are missing. */
  final class Loaded {

    private static final Optional<NativeCalls> CALLS = load();

    private Loaded() {}

    private static Optional<NativeCalls> load() {
      Logger log = System.getLogger(NativeCalls.class.getName());
      try {
        Optional<NativeCalls> calls = LinuxCalls.load();
        if (calls.isEmpty()) {
          log.log(Level.INFO, "not 64-bit Linux: log space is reserved by writing zeros");
        }
        return calls;
      } catch (LinkageError e) {
        // Everything that can fail with JNA: its classes are missing, its library cannot be
        // unpacked or linked, or the JVM was started without native access.
        Throwable cause = e.getCause() == null ? e : e.getCause();
        log.log(Level.INFO, "JNA cannot be used: log space is reserved by writing zeros: " + cause);
        return Optional.empty();
      }
    }
  }
}
