// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import org.jspecify.annotations.Nullable;

/**
 * The device is full, or the quota is used up. The write was not acknowledged, and no acknowledged
 * write is lost. Free some space: the store then resumes by itself, or at once if
 * {@link KvStore#resume()} is called.
 */
public final class DiskFullException extends ResourceExhaustedException {

  private static final long serialVersionUID = 1L;

  /** As {@link StoreIoException#StoreIoException(String, String, Throwable)}. */
  public DiskFullException(String operation, String file, @Nullable Throwable cause) {
    super(operation, file, Resource.DISK_SPACE, cause);
  }
}
