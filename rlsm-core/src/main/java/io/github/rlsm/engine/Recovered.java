// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import io.github.rlsm.io.DirectoryLock;
import io.github.rlsm.log.PublishedSeqno;
import io.github.rlsm.log.RecoveredLog;
import io.github.rlsm.memory.MemoryComponent;
import io.github.rlsm.memory.SnapshotRegistry;
import io.github.rlsm.version.RecoveredManifest;
import java.util.List;

/**
 * What was found on disk, before anything there is changed.
 *
 * @param lock the right to the directory
 * @param manifest the files that are live
 * @param log what is not in tables yet
 * @param components the log's entries in memory again, oldest first
 * @param published complete up to the end of the log
 * @param snapshots nobody yet
 */
record Recovered(
    DirectoryLock lock,
    RecoveredManifest manifest,
    RecoveredLog log,
    List<MemoryComponent> components,
    PublishedSeqno published,
    SnapshotRegistry snapshots) {}
