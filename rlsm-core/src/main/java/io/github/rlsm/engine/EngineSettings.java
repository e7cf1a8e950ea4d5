// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import io.github.rlsm.logdevice.DirectLogSettings;
import io.github.rlsm.memory.MemoryShape;
import io.github.rlsm.policy.CollectSettings;
import io.github.rlsm.policy.PolicySettings;
import io.github.rlsm.policy.StallPolicy;
import io.github.rlsm.table.TableSettings;
import java.util.Map;

/**
 * The settings of an engine. The store's options create and check them, and each component gets its
 * part.
 *
 * @param segmentBytes length of a log segment of either stream
 * @param separationBytes length from which values go to the value log
 * @param memory shape of the memory component
 * @param sealedMax number of sealed components that may wait for a flush before writers block
 * @param tables how tables are written
 * @param tableBytesMax length at which a table is finished
 * @param cacheBytes budget of the page cache
 * @param verifyEveryRead whether pages are checked at every read
 * @param policy when to compact, split, merge and clean
 * @param collect when to collect value segments
 * @param stall when to throttle writers
 * @param backgroundThreads number of compaction threads
 * @param idleNanos time without writes after which the store counts as idle
 * @param manifestRollBytes length at which a new manifest is started
 * @param directLog where the log is made durable
 * @param shapeOptions the options that shape the files, by name, as stored in the manifest
 */
public record EngineSettings(
    int segmentBytes,
    int separationBytes,
    MemoryShape memory,
    int sealedMax,
    TableSettings tables,
    long tableBytesMax,
    long cacheBytes,
    boolean verifyEveryRead,
    PolicySettings policy,
    CollectSettings collect,
    StallPolicy.Limits stall,
    int backgroundThreads,
    long idleNanos,
    long manifestRollBytes,
    DirectLogSettings directLog,
    Map<String, String> shapeOptions) {

  /** Copies the map. */
  public EngineSettings {
    shapeOptions = Map.copyOf(shapeOptions);
  }
}
