// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import org.jspecify.annotations.Nullable;

/**
 * The base class of all exceptions that a store throws for its own errors. Each subclass documents
 * the caller's next step.
 */
public abstract sealed class KvException extends RuntimeException
    permits CorruptionException,
        FormatVersionException,
        InvalidEntryException,
        InvalidOptionsException,
        NoSuchKeyspaceException,
        StoreClosedException,
        StoreFailedException,
        StoreIoException,
        StoreLockedException {

  private static final long serialVersionUID = 1L;

  KvException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
