// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import io.github.rlsm.io.DirectoryLock;
import io.github.rlsm.log.PublishedSeqno;
import io.github.rlsm.log.RecoveredLog;
import io.github.rlsm.memory.MemoryComponent;
import io.github.rlsm.memory.SnapshotRegistry;
import io.github.rlsm.versionset.RecoveredManifest;
import java.util.List;

/**
 * The recovered state of a store, before anything on disk is changed.
 *
 * @param lock the lock of the directory
 * @param manifest the recovered manifest, which names the live files
 * @param log the log of the unflushed data
 * @param components the memory components rebuilt from the log, oldest first
 * @param published the published seqno, at the end of the log
 * @param snapshots an empty snapshot registry
 */
record Recovered(
    DirectoryLock lock,
    RecoveredManifest manifest,
    RecoveredLog log,
    List<MemoryComponent> components,
    PublishedSeqno published,
    SnapshotRegistry snapshots) {}
