// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The one seam between the engine and files. Everything the engine knows of a file system is a
 * {@link io.github.rlsm.io.StoreDirectory}: the operating system's in production, and in tests one
 * in memory that can crash, fail the k-th call, run full and flip bits.
 *
 * <p>Nothing outside this package touches channels, paths or mappings. Doors:
 * {@link io.github.rlsm.io.StoreDirectory} with its {@link io.github.rlsm.io.AppendFile},
 * {@link io.github.rlsm.io.MappedFile}, {@link io.github.rlsm.io.BlockDevice} and
 * {@link io.github.rlsm.io.DirectoryLock}; {@link io.github.rlsm.io.OsDirectory}, which opens one;
 * {@link io.github.rlsm.io.LentDirectory}, which lets another store into it;
 * {@link io.github.rlsm.io.FileHeader} (with {@link io.github.rlsm.io.FileKind}) and
 * {@link io.github.rlsm.io.StoreFileName}, how every file begins and what it is called. May import:
 * {@code kv}.
 *
 * <p>Invariants kept here:
 *
 * <ol>
 *   <li>Storing into a mapped file never faults for want of room: the room is reserved first.
 *   <li>A fault in mapped memory becomes an exception before anything that was made of it is used:
 *       {@link io.github.rlsm.io.MappedFaults}, {@link io.github.rlsm.io.MappedChecksum}.
 *   <li>A file whose append or force has failed once fails for ever: what the kernel has dropped is
 *       never acknowledged by a second try.
 *   <li>Memory is unmapped only by {@link io.github.rlsm.io.MappedFile#close()}, and then at once.
 *   <li>No interrupt closes a file, cuts a call short, or gets lost.
 *   <li>A directory is open in one store of one process.
 * </ol>
 */
@NullMarked
package io.github.rlsm.io;

import org.jspecify.annotations.NullMarked;
