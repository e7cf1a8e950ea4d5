// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The store: an ordered, durable, embedded key-value engine. Start at
 * {@link io.github.rlsm.RlsmStore#open} and {@link io.github.rlsm.RlsmOptions}.
 *
 * <p>This package and {@code io.github.rlsm.kv} are the public surface; the rooms below are not. It
 * maps the user's keyspaces, batches, snapshots and scans onto one
 * {@link io.github.rlsm.engine.Engine}, and checks every argument on the way.
 */
@NullMarked
package io.github.rlsm;

import org.jspecify.annotations.NullMarked;
