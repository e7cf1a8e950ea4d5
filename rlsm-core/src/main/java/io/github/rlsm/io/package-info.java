// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The files of the engine, as it sees them. The engine accesses files only through
 * {@link io.github.rlsm.io.StoreDirectory}. Production uses the directory of the operating system,
 * in {@code os}. Tests use a directory in memory that can crash, fail the k-th call, run full and
 * flip bits.
 *
 * <p>Entry points: {@link io.github.rlsm.io.StoreDirectory} with its
 * {@link io.github.rlsm.io.AppendFile}, {@link io.github.rlsm.io.MappedFile},
 * {@link io.github.rlsm.io.BlockDevice} and {@link io.github.rlsm.io.StoreDirectory.Lock}.
 * {@link io.github.rlsm.io.FileHeader} and {@link io.github.rlsm.io.FileHeader.Kind} define the
 * header of every file, and {@link io.github.rlsm.io.StoreFileName} its name. May import:
 * {@code base}, {@code kv}.
 *
 * <p>Invariant: a fault in mapped memory becomes an exception before any result of the access is
 * used: {@link io.github.rlsm.io.MappedFaults}, {@link io.github.rlsm.io.MappedChecksum}.
 */
@NullMarked
package io.github.rlsm.io;

import org.jspecify.annotations.NullMarked;
