// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * What is done once, when a store is opened: the log's entries become memory components again.
 *
 * <p>Reading the manifest is {@link io.github.rlsm.version.ManifestRecovery}, reading the log
 * {@link io.github.rlsm.log.LogRecovery}; both only read. May import: {@code version},
 * {@code memory}, {@code log}, {@code level}, {@code io}, {@code base}, {@code kv}.
 */
@NullMarked
package io.github.rlsm.recover;

import org.jspecify.annotations.NullMarked;
