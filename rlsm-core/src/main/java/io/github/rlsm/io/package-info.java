// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The file system layer of the engine. The engine accesses files only through
 * {@link io.github.rlsm.io.StoreDirectory}. Production uses the directory of the operating system.
 * Tests use a directory in memory that can crash, fail the k-th call, run full and flip bits.
 *
 * <p>No code outside this package uses channels, paths or mappings. Entry points:
 * {@link io.github.rlsm.io.StoreDirectory} with its {@link io.github.rlsm.io.AppendFile},
 * {@link io.github.rlsm.io.MappedFile}, {@link io.github.rlsm.io.BlockDevice} and
 * {@link io.github.rlsm.io.DirectoryLock}; {@link io.github.rlsm.io.OsDirectory}, which opens a
 * directory; {@link io.github.rlsm.io.SharedDirectory}, which shares a directory with another
 * store; {@link io.github.rlsm.io.FileHeader} (with {@link io.github.rlsm.io.FileKind}) and
 * {@link io.github.rlsm.io.StoreFileName}, which define the header and the name of every file. May
 * import: {@code kv}.
 *
 * <p>Invariants kept here:
 *
 * <ol>
 *   <li>A write to a mapped file never faults for lack of space: the space is reserved first.
 *   <li>A fault in mapped memory becomes an exception before any result of the access is used:
 *       {@link io.github.rlsm.io.MappedFaults}, {@link io.github.rlsm.io.MappedChecksum}.
 *   <li>After an append to a file or a force of it has failed, every later one fails too. A retry
 *       must not acknowledge bytes that the kernel has dropped.
 *   <li>Memory is unmapped only by {@link io.github.rlsm.io.MappedFile#close()}, and then at once.
 *   <li>An interrupt never closes a file, never cuts a call short, and is never lost.
 *   <li>At most one store of one process has a directory open.
 * </ol>
 */
@NullMarked
package io.github.rlsm.io;

import org.jspecify.annotations.NullMarked;
