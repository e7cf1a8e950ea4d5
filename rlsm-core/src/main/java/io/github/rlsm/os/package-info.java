// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The operating system's files, mappings and devices: the production form of the interfaces in
 * {@code io}.
 *
 * <p>Entry points: {@link io.github.rlsm.os.OsDirectory} opens a directory.
 * {@link io.github.rlsm.os.ShardDirectories} names the directories of shards.
 * {@link io.github.rlsm.os.DeviceSignatures} and {@link io.github.rlsm.os.DeviceUse} find out what
 * a device is used for. Only this package uses channels and paths. It calls the system directly
 * where the JDK offers no way, and works without these calls if the native library is missing. May
 * import: {@code io}, {@code kv}.
 *
 * <p>Invariants:
 *
 * <ol>
 *   <li>A write to a mapped file never faults for lack of space: the space is reserved first.
 *   <li>After an append to a file or a force of it has failed, every later one fails too. A retry
 *       must not acknowledge bytes that the kernel has dropped.
 *   <li>Memory is unmapped only by {@link io.github.rlsm.io.MappedFile#close()}, and then at once.
 *   <li>An interrupt never closes a file, never cuts a call short, and is never lost.
 *   <li>At most one store of one process has a directory open.
 * </ol>
 */
@NullMarked
package io.github.rlsm.os;

import org.jspecify.annotations.NullMarked;
