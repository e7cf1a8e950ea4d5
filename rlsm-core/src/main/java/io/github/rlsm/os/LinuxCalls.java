// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.os;

import com.sun.jna.LastErrorException;
import com.sun.jna.Native;
import com.sun.jna.Platform;
import com.sun.jna.Pointer;
import io.github.rlsm.io.MappedFile;
import io.github.rlsm.io.StoreDirectory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The {@link NativeCalls} of 64-bit Linux: the C library, called through JNA. No other class refers
 * to JNA, so the engine also runs in a JVM without JNA.
 *
 * <p>Threads: safe; it has no state.
 */
final class LinuxCalls implements NativeCalls {

  private static final int O_RDONLY = 0;
  private static final int O_RDWR = 2;
  private static final int O_CLOEXEC = 0x80000;

  /**
   * The most that one call of the kernel reads ahead: the read-ahead window of the device, 128 KiB
   * by default (mm/readahead.c). The kernel ignores the rest of a longer range without an error.
   */
  private static final int READ_AHEAD_BYTES = 128 << 10;

  private static final int POSIX_FADV_RANDOM = 1;
  private static final int POSIX_FADV_DONTNEED = 4;
  private static final int RLIMIT_NOFILE = 7;
  private static final int EINTR = 4;
  private static final int ENOSYS = 38;
  private static final int EOPNOTSUPP = 95;
  private static final int FALLOC_FL_KEEP_SIZE = 1;
  private static final int FALLOC_FL_PUNCH_HOLE = 2;

  private static final int AT_FDCWD = -100;
  private static final int STATX_BLOCKS = 0x400;

  /**
   * Length of {@code struct statx}. The length and the offset of its block count are the same on
   * every processor.
   */
  private static final int STATX_BYTES = 256;

  private static final int BLOCKS = 48;
  private static final long SECTOR_BYTES = 512;

  private final int pageBytes = LibC.getpagesize();

  private LinuxCalls() {}

  /**
   * Returns the calls, or empty on another system.
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
    return allocate(file, 0, new long[] {length});
  }

  @Override
  public boolean punch(Path file, long[] ranges) throws IOException {
    return allocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, ranges);
  }

  /** Allocates or punches ranges of a file, encoded as in {@link StoreDirectory#punch}. */
  private static boolean allocate(Path file, int mode, long[] ranges) throws IOException {
    int descriptor = open(file, O_RDWR);
    if (descriptor < 0) {
      return false; // the JDK may still be able to open the file
    }
    try {
      for (long range : ranges) {
        long offset = range >>> Integer.SIZE;
        if (!allocate(descriptor, mode, offset, (int) range - offset)) {
          return false;
        }
      }
      return true;
    } finally {
      LibC.close(descriptor);
    }
  }

  /**
   * Opens a file. Returns a negative number if that fails, for example because there are too many
   * open files, or because the encoding cannot express the path.
   */
  private static int open(Path file, int flags) {
    try {
      return LibC.open(encoded(file), flags | O_CLOEXEC);
    } catch (LastErrorException e) {
      return -1;
    }
  }

  private static byte[] encoded(Path file) {
    return Native.toByteArray(
        file.toAbsolutePath().toString(), System.getProperty("sun.jnu.encoding", "UTF-8"));
  }

  private static boolean allocate(int descriptor, int mode, long offset, long length)
      throws IOException {
    while (true) {
      try {
        LibC.fallocate(descriptor, mode, offset, length);
        return true;
      } catch (LastErrorException e) {
        int errno = e.getErrorCode();
        if (errno == EOPNOTSUPP || errno == ENOSYS) {
          return false;
        } else if (errno != EINTR) {
          throw new IOException(LibC.strerror(errno), e);
        }
      }
    }
  }

  /** The page size. File systems do not have blocks larger than a page. */
  @Override
  public int holeBytes() {
    return pageBytes;
  }

  @Override
  public long usedBytes(Path file) {
    try {
      byte[] answer = new byte[STATX_BYTES];
      LibStatx.statx(AT_FDCWD, encoded(file), 0, STATX_BLOCKS, answer);
      return SECTOR_BYTES
          * ByteBuffer.wrap(answer).order(ByteOrder.nativeOrder()).getLong(BLOCKS);
    } catch (LastErrorException | UnsatisfiedLinkError e) {
      return -1; // no statx, no such file, or the encoding cannot express the path
    }
  }

  @Override
  public void advise(ByteBuffer memory, MappedFile.Advice advice, int offset, int length) {
    int before = offset % pageBytes;
    int begin = offset - before;
    int end = offset + length;
    int step = advice == MappedFile.Advice.WILL_NEED ? READ_AHEAD_BYTES : end - begin;
    for (int left = end - begin; left > 0; left -= step) {
      LibC.madvise(address(memory, end - left), Math.min(step, left), code(advice));
    }
  }

  @Override
  public int residentBytes(ByteBuffer memory, int offset, int length) {
    int before = offset % pageBytes;
    long bytes = (long) before + length;
    byte[] pages = new byte[(int) ((bytes + pageBytes - 1) / pageBytes)];
    if (LibC.mincore(address(memory, offset - before), bytes, pages) != 0) {
      return length;
    }
    long resident = 0;
    for (byte page : pages) {
      resident += page & 1;
    }
    return (int) Math.min(length, resident * pageBytes);
  }

  @Override
  public int open(Path file, boolean writable) {
    int descriptor = open(file, writable ? O_RDWR : O_RDONLY);
    if (descriptor >= 0) {
      LibC.posix_fadvise(descriptor, 0, 0, POSIX_FADV_RANDOM);
    }
    return descriptor;
  }

  @Override
  public long read(int descriptor, long offset, int length, ByteBuffer into) {
    return LibC.pread(descriptor, into, length, offset);
  }

  @Override
  public void write(int descriptor, long offset, int length, ByteBuffer from) throws IOException {
    int done = 0;
    while (done < length) {
      try {
        ByteBuffer rest = done == 0 ? from : from.slice(done, length - done);
        int written = (int) LibC.pwrite(descriptor, rest, length - done, offset + done);
        if (written <= 0) {
          throw new IOException("pwrite wrote nothing"); // never seen; a loop would not end
        }
        done += written;
      } catch (LastErrorException e) {
        if (e.getErrorCode() != EINTR) {
          throw new IOException(LibC.strerror(e.getErrorCode()), e);
        }
      }
    }
  }

  @Override
  public void close(int descriptor) {
    LibC.close(descriptor);
  }

  @Override
  public long descriptorsMax() {
    long[] softAndHard = new long[2];
    return LibC.getrlimit(RLIMIT_NOFILE, softAndHard) == 0 && softAndHard[0] >= 0
        ? softAndHard[0]
        : Long.MAX_VALUE;
  }

  private static Pointer address(ByteBuffer memory, int offset) {
    return Native.getDirectBufferPointer(memory).share(offset);
  }

  @Override
  public void forget(Path file, long length) {
    int descriptor = open(file, O_RDONLY);
    if (descriptor >= 0) {
      LibC.posix_fadvise(descriptor, 0, length, POSIX_FADV_DONTNEED);
      LibC.close(descriptor);
    }
  }

  private static int code(MappedFile.Advice advice) {
    return switch (advice) {
      case RANDOM -> 1;
      case SEQUENTIAL -> 2;
      case WILL_NEED -> 3;
      case DONT_NEED -> 4;
      case LARGE_PAGES -> 14;
      case SINGLE_PAGES -> 15;
    };
  }

  @Override
  public String errorText(int errno) {
    return LibC.strerror(errno);
  }

  /** The C library. A separate class, because JNA links it when the class is first used. */
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

    static native long pread(int descriptor, ByteBuffer into, long length, long offset);

    static native long pwrite(int descriptor, ByteBuffer from, long length, long offset)
        throws LastErrorException;

    static native int getrlimit(int resource, long[] softAndHard);

    static native int mincore(Pointer address, long length, byte[] pages);

    static native int posix_fadvise(int descriptor, long offset, long length, int advice);

    static native int madvise(Pointer address, long length, int advice);

    static native String strerror(int errno);
  }

  /** The function {@code statx}. Older C libraries lack it, so it is linked separately. */
  private static final class LibStatx {

    static {
      Native.register(LibStatx.class, Platform.C_LIBRARY_NAME);
    }

    private LibStatx() {}

    static native int statx(int directory, byte[] path, int flags, int mask, byte[] answer)
        throws LastErrorException;
  }
}
