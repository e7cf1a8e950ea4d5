// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.io;

import com.sun.jna.LastErrorException;
import com.sun.jna.Native;
import com.sun.jna.Platform;
import com.sun.jna.Pointer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Optional;

/**
 * {@link NativeCalls} of 64-bit Linux: the C library through JNA. The only class that knows JNA, so
 * that a JVM without it can do without this class.
 *
 * <p>Threads: safe; it has no state.
 */
final class LinuxCalls implements NativeCalls {

  private static final int O_RDWR = 2;
  private static final int EINTR = 4;
  private static final int ENOSYS = 38;
  private static final int EOPNOTSUPP = 95;

  private final int pageBytes = LibC.getpagesize();

  private LinuxCalls() {}

  /**
   * The calls, or empty on another system.
   *
   * @throws LinkageError if JNA is missing or cannot work
   */
  static Optional<NativeCalls> load() {
    return Platform.isLinux() && Native.POINTER_SIZE == Long.BYTES
        ? Optional.of(new LinuxCalls())
        : Optional.empty();
  }

  @Override
  public boolean reserve(Path file, long length) throws IOException {
    byte[] path = Native.toByteArray(
        file.toAbsolutePath().toString(), System.getProperty("sun.jnu.encoding", "UTF-8"));
    int descriptor;
    try {
      descriptor = LibC.open(path, O_RDWR);
    } catch (LastErrorException e) {
      // For example a path that the encoding cannot express; the JDK has other means to reach it.
      return false;
    }
    try {
      return allocate(descriptor, length);
    } finally {
      LibC.close(descriptor);
    }
  }

  private boolean allocate(int descriptor, long length) throws IOException {
    while (true) {
      try {
        LibC.fallocate(descriptor, 0, 0, length);
        return true;
      } catch (LastErrorException e) {
        int errno = e.getErrorCode();
        if (errno == EOPNOTSUPP || errno == ENOSYS) {
          return false;
        } else if (errno != EINTR) {
          throw new IOException(errorText(errno), e);
        }
      }
    }
  }

  @Override
  public void advise(ByteBuffer memory, MappedFile.Advice advice, int offset, int length) {
    int before = offset % pageBytes;
    Pointer address = Native.getDirectBufferPointer(memory).share(offset - before);
    LibC.madvise(address, (long) before + length, code(advice));
  }

  private static int code(MappedFile.Advice advice) {
    return switch (advice) {
      case RANDOM -> 1;
      case SEQUENTIAL -> 2;
      case WILL_NEED -> 3;
      case DONT_NEED -> 4;
    };
  }

  @Override
  public String errorText(int errno) {
    return LibC.strerror(errno);
  }

  /** The C library; a class of its own, because it is linked when it is first used. */
  private static final class LibC {

    static {
      Native.register(LibC.class, Platform.C_LIBRARY_NAME);
    }

    private LibC() {}

    static native int getpagesize();

    static native int open(byte[] path, int flags) throws LastErrorException;

    static native int fallocate(int descriptor, int mode, long offset, long length)
        throws LastErrorException;

    static native int close(int descriptor);

    static native int madvise(Pointer address, long length, int advice);

    static native String strerror(int errno);
  }
}
