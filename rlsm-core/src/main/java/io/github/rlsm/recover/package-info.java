// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Rebuilds the memory components from the log's entries when a store is opened.
 *
 * <p>{@link io.github.rlsm.version.ManifestRecovery} reads the manifest,
 * {@link io.github.rlsm.log.LogRecovery} reads the log. May import: {@code version},
 * {@code memory}, {@code log}, {@code level}, {@code io}, {@code base}, {@code kv}.
 */
@NullMarked
package io.github.rlsm.recover;

import org.jspecify.annotations.NullMarked;
