// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import org.jspecify.annotations.Nullable;

/**
 * The bytes on disk differ from the bytes that were written. The read returned nothing. Restore the
 * file from a copy. Other files, and other keys in this file, stay readable.
 */
public final class CorruptionException extends KvException {

  private static final long serialVersionUID = 1L;

  private final String file;
  private final long offset;

  /**
   * Creates the error for damage at an offset of a file.
   *
   * @param file the damaged file's name
   * @param offset bytes from the start of the file to the damaged structure
   * @param detail the expected and the actual content
   */
  public CorruptionException(String file, long offset, String detail) {
    this(file, offset, detail, null);
  }

  /**
   * As {@link #CorruptionException(String, long, String)}, with the error that revealed the damage.
   */
  public CorruptionException(String file, long offset, String detail, @Nullable Throwable cause) {
    super("corrupt data in " + file + " at offset " + offset + ": " + detail, cause);
    this.file = file;
    this.offset = offset;
  }

  /** The damaged file's name. */
  public String file() {
    return file;
  }

  /** Bytes from the start of the file to the damaged structure. */
  public long offset() {
    return offset;
  }
}
