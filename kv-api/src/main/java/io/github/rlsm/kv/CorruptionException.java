// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import org.jspecify.annotations.Nullable;

/**
 * Bytes on disk are not what was written. Nothing was returned in their place. The file should be
 * restored from a copy; other files, and keys elsewhere in this one, stay readable.
 */
public final class CorruptionException extends KvException {

  private static final long serialVersionUID = 1L;

  private final String file;
  private final long offset;

  /**
   * Damage at a place.
   *
   * @param file the damaged file's name
   * @param offset bytes from the start of the file to the damaged structure
   * @param detail what was expected there and what was found
   */
  public CorruptionException(String file, long offset, String detail) {
    this(file, offset, detail, null);
  }

  /** As {@link #CorruptionException(String, long, String)}, found through another error. */
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
