// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

/**
 * A file or directory has a format that this release cannot read: a newer version, or not a store's
 * format at all.
 */
public final class FormatVersionException extends KvException {

  private static final long serialVersionUID = 1L;

  private final String file;

  /**
   * Creates the error for a foreign or newer format.
   *
   * @param file the file or directory
   * @param detail the expected and the actual format, and an instruction for the user
   */
  public FormatVersionException(String file, String detail) {
    super(file + ": " + detail, null);
    this.file = file;
  }

  /** The rejected file or directory. */
  public String file() {
    return file;
  }
}
