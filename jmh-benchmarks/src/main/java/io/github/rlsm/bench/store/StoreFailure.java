// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.store;

/** Thrown when an operation of a compared store fails. */
public final class StoreFailure extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** Creates the exception with the name of the failed operation. */
  public StoreFailure(String operation, Throwable cause) {
    super(operation + ": " + cause.getMessage(), cause);
  }
}
