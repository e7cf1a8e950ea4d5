// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import org.jspecify.annotations.Nullable;

/** The operating system refused an operation on a file. */
public non-sealed class StoreIoException extends KvException {

  private static final long serialVersionUID = 1L;

  private final String file;

  /**
   * Creates the error for a failed operation.
   *
   * @param operation the operation, for example "force"
   * @param file the file of the operation
   * @param cause the system's error
   */
  public StoreIoException(String operation, String file, @Nullable Throwable cause) {
    super(
        operation + " failed on " + file + (cause == null ? "" : ": " + cause.getMessage()), cause);
    this.file = file;
  }

  /** The file of the failed operation. */
  public String file() {
    return file;
  }
}
