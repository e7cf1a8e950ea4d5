// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.compact;

/** A job was given up because the store is being closed. What it had written is deleted again. */
public final class JobCancelledException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  JobCancelledException() {
    super("given up: the store is being closed", null, false, false);
  }
}
