// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.log;

import org.jspecify.annotations.Nullable;

/**
 * Where the log is made durable.
 *
 * @param device path of a log device, null for the log's own files
 * @param mayFallBack whether a device that cannot be used is done without
 */
public record DirectLogSettings(@Nullable String device, boolean mayFallBack) {

  /** No device. */
  public static final DirectLogSettings NONE = new DirectLogSettings(null, false);
}
