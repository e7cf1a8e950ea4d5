// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import org.jspecify.annotations.Nullable;

/**
 * No room is left on the device. The write was not acknowledged and nothing acknowledged is lost.
 * Free some space, then close the store and open it again.
 */
public final class DiskFullException extends StoreIoException {

  private static final long serialVersionUID = 1L;

  /** As {@link StoreIoException#StoreIoException(String, String, Throwable)}. */
  public DiskFullException(String operation, String file, @Nullable Throwable cause) {
    super(operation, file, cause);
  }
}
