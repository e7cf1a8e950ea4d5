// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.logdevice;

import org.jspecify.annotations.Nullable;

/**
 * The settings for making the log durable on a device.
 *
 * @param device path of a log device; null to force the log's own files
 * @param mayFallBack whether to force the log's own files if the device is unusable
 */
public record DirectLogSettings(@Nullable String device, boolean mayFallBack) {

  /** No device. */
  public static final DirectLogSettings NONE = new DirectLogSettings(null, false);
}
