// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.io;

import java.nio.ByteBuffer;

/**
 * A file that is read and written through mapped memory.
 *
 * <p>Threads: any thread may call {@link #force}, {@link #advise} and {@link #read}. The callers
 * coordinate their writes to the memory and their calls of {@link #write}. No thread may access the
 * memory, or call {@link #read} or {@link #write}, once {@link #close()} has begun: the owner
 * closes a file only after its last reader has finished.
 */
public interface MappedFile extends AutoCloseable {

  /** Bytes that {@link #load} requests at once. */
  int LOADED_BYTES = 1 << 20;

  /** How a part of the file will be read. A hint, without effect where it is not supported. */
  enum Advice {
    /**
     * No pattern: read only a missing page, and nothing around it. Linux does not count accesses to
     * this memory as uses of its pages, only system calls that read them.
     */
    RANDOM,
    /**
     * Keep pages that come into memory from now on together in large ones, of up to 2 MiB. The
     * first store into each page then costs less. A force writes each modified large page as a
     * whole.
     */
    LARGE_PAGES,
    /** The end of {@link #LARGE_PAGES}, for pages that come into memory from now on. */
    SINGLE_PAGES,
    /** From low to high offsets: read far ahead. */
    SEQUENTIAL,
    /** The range is needed soon: start reading it now, in the background. */
    WILL_NEED,
    /** The range is no longer needed: its pages may be evicted. */
    DONT_NEED
  }

  /** The file's name in its directory. */
  String name();

  /** Bytes in the file. */
  int length();

  /**
   * Returns the file's bytes, little-endian. Every caller gets the same buffer object, so use only
   * absolute access. The buffer does not change when the file is truncated; no thread may access
   * bytes past {@link #length()} then.
   */
  ByteBuffer memory();

  /**
   * Reads a range by a system call, without touching the mapped memory. This is for a range that is
   * probably not in memory. The kernel requests all missing pages of the range at once and no
   * others, and counts the call as a use of the pages. It does not count accesses to mapped memory
   * whose advice is {@link Advice#RANDOM} (Linux 6.3 and newer), so it evicts such pages even if
   * they are used often.
   *
   * @param into direct buffer; its first {@code length} bytes are overwritten, its position is 0
   * @return false if the system does not support this, or if the read failed; the same range of the
   *     memory then reports the error
   */
  boolean read(int offset, int length, ByteBuffer into);

  /**
   * Writes a range by a system call, without touching the mapped memory. The memory shows the bytes
   * when this method returns.
   *
   * <p>After this method has thrown, the content of the range is unknown, and every later force
   * throws too.
   *
   * @param from direct buffer; its first {@code length} bytes are written, its position is 0
   * @return false if the system does not support this; nothing was written then
   */
  boolean write(int offset, int length, ByteBuffer from);

  /**
   * Makes earlier writes to this range survive power loss. After this method has thrown, the
   * content of the file on the device is unknown, and every later force throws too.
   */
  void force(int offset, int length);

  /**
   * Truncates the file and frees the space. No thread may access the truncated part. The rest
   * stays, forced or not. After a power loss the file may have either length. A file keeps its
   * length if it {@linkplain StoreDirectory#isLinked is linked}, or on a system that cannot
   * truncate mapped files.
   *
   * @param length from 1 to {@link #length()}
   */
  void truncate(int length);

  /**
   * Declares how a range of the {@linkplain #memory memory} will be used. The range may reach past
   * the end of a truncated file, where the advice has no effect: the caller may have seen the
   * length before the truncation.
   */
  void advise(Advice advice, int offset, int length);

  /**
   * Bytes of a range that are in memory, counted in pages. The whole length where the system does
   * not report it. The result may be outdated when it is returned.
   */
  int residentBytes(int offset, int length);

  /**
   * Loads the pages of the file that are not in memory, until free memory is used up.
   *
   * <p>Waits for each piece before it requests the next one. Otherwise a client's read would wait
   * behind the requests of the whole file: 107 to 148 ms in a case of the matrix.
   *
   * @param free bytes of memory to fill at most
   * @return the free bytes that are left; negative if the file did not fit
   */
  default long load(long free) {
    ByteBuffer last = ByteBuffer.allocateDirect(1);
    long left = free;
    for (int begin = 0; begin < length(); begin += LOADED_BYTES) {
      int length = Math.min(LOADED_BYTES, length() - begin);
      int missing = length - residentBytes(begin, length);
      if (missing > left) {
        return -1;
      }
      if (missing > 0) {
        advise(Advice.WILL_NEED, begin, length);
        read(begin + length - 1, 1, last); // a later reader meets any failure
        left -= missing;
      }
    }
    return left;
  }

  /**
   * Evicts the {@linkplain #force forced} pages of the file from the page cache. A later read loads
   * them again. A hint, without effect where it is not supported, or on pages in use.
   */
  void forget();

  /** Unmaps the memory. Closing twice does nothing. */
  @Override
  void close();
}
