// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.io;

import java.nio.ByteBuffer;

/**
 * A file whose bytes are memory.
 *
 * <p>Threads: {@link #force} and {@link #advise} may be called from any thread; who stores where in
 * the memory is the users' business. Nobody may touch the memory once {@link #close()} has begun:
 * the owner closes a file only after its last reader is gone.
 */
public interface MappedFile extends AutoCloseable {

  /** How a part of the file is going to be read. A hint, without effect where not supported. */
  enum Advice {
    /** No pattern: read nothing ahead. */
    RANDOM,
    /** From low to high offsets: read far ahead. */
    SEQUENTIAL,
    /** Soon: start reading it now, in the background. */
    WILL_NEED,
    /** Not any more: its memory may be given back. */
    DONT_NEED
  }

  /** The file's name in its directory. */
  String name();

  /** Bytes in the file. */
  int length();

  /**
   * The file's bytes, little-endian; the same buffer object for every caller, so use absolute
   * access only. It stays as it is when the file is cut; nobody may touch what lies past
   * {@link #length()} then.
   */
  ByteBuffer memory();

  /**
   * Makes what was stored in this range of the memory survive power loss. After it has thrown, what
   * the device holds of the file is unknown, and every later force throws, too.
   */
  void force(int offset, int length);

  /**
   * Cuts off the file's end and gives its room back. No thread may use that part. The rest stays as
   * it is, forced or not; after power loss the file may have either length. A file keeps its length
   * if it {@linkplain StoreDirectory#isLinked is linked}, or on a system that cannot cut mapped
   * files.
   *
   * @param length from 1 to {@link #length()}
   */
  void truncate(int length);

  /** Says how a range is going to be read. */
  void advise(Advice advice, int offset, int length);

  /**
   * How many bytes of a range are in memory, counted in pages; all of them where the system does
   * not say. Old news when it returns.
   */
  int residentBytes(int offset, int length);

  /**
   * Gives back the memory that holds what was {@linkplain #force forced}: whoever wants it has it
   * read again. A hint, without effect where not supported, or on what is in use.
   */
  void forget();

  /** Gives the memory back. Closing twice does nothing. */
  @Override
  void close();
}
