// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The one seam between the engine and files. Everything the engine knows of a file system is a
 * {@link io.github.rlsm.io.StoreDirectory}: the operating system's in production, and in tests one
 * in memory that can crash, fail the k-th call, run full and flip bits.
 *
 * <p>Nothing outside this package touches channels, paths or mappings. Doors:
 * {@link io.github.rlsm.io.StoreDirectory}, {@link io.github.rlsm.io.AppendFile},
 * {@link io.github.rlsm.io.MappedFile}, {@link io.github.rlsm.io.DirectoryLock}. May import:
 * {@code kv}.
 */
@NullMarked
package io.github.rlsm.io;

import org.jspecify.annotations.NullMarked;
