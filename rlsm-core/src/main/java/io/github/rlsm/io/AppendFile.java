// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.io;

import java.nio.ByteBuffer;

/**
 * A file written from start to end.
 *
 * <p>Threads: one thread at a time.
 */
public interface AppendFile extends AutoCloseable {

  /** The file's name in its directory. */
  String name();

  /** Bytes in the file so far. */
  long length();

  /**
   * Writes all bytes between the buffer's position and limit, and moves the position to the limit.
   * After this method has thrown, some of the bytes may be in the file, and every later append and
   * force throws too.
   */
  void append(ByteBuffer bytes);

  /**
   * Makes all appended bytes survive power loss. After this method has thrown, the file's content
   * is unknown, and every later append and force throws too.
   */
  void force();

  /**
   * Evicts the first bytes of the file from the page cache. All of them must be {@linkplain #force
   * forced}. A later read loads them again. A hint, without effect where it is not supported.
   */
  default void forget(long bytes) {}

  /** Closes the file without forcing it. Closing twice does nothing. */
  @Override
  void close();
}
