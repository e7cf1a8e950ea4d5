// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

/**
 * A file or directory is not of a format this release reads: a newer one, or not a store's at all.
 */
public final class FormatVersionException extends KvException {

  private static final long serialVersionUID = 1L;

  private final String file;

  /**
   * A foreign or newer format.
   *
   * @param file the file or directory
   * @param detail what was expected and what was found, and what to do
   */
  public FormatVersionException(String file, String detail) {
    super(file + ": " + detail, null);
    this.file = file;
  }

  /** The file or directory that was refused. */
  public String file() {
    return file;
  }
}
