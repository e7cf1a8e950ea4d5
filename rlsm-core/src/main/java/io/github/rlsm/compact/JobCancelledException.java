// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.compact;

/**
 * Signals that a job was cancelled because the store is being closed. The files that the job has
 * written are deleted.
 */
public final class JobCancelledException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  JobCancelledException() {
    super("job cancelled: the store is being closed", null, false, false);
  }
}
