// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import io.github.rlsm.level.TableSettings;
import io.github.rlsm.log.DirectLogSettings;
import io.github.rlsm.memory.MemoryShape;
import io.github.rlsm.policy.CollectSettings;
import io.github.rlsm.policy.PolicySettings;
import io.github.rlsm.policy.StallSettings;
import java.util.Map;

/**
 * How an engine works; made and checked by the options of the store, and taken apart into what each
 * room needs.
 *
 * @param segmentBytes length of a log segment of either stream
 * @param separationBytes values this long and longer go to the value log
 * @param memory the memory component
 * @param sealedMax sealed components that may wait for their flush before writers wait for them
 * @param tables how tables are written
 * @param tableBytesMax length at which a table is ended
 * @param cacheBytes budget of the page cache
 * @param verifyEveryRead whether pages are checked each time they are read
 * @param policy when to compact, split, merge and clean
 * @param collect when to collect value segments
 * @param stall when to slow writers down
 * @param backgroundThreads threads that compact
 * @param idleNanos how long nobody writes before the store counts as idle
 * @param manifestRollBytes length at which a manifest is begun anew
 * @param directLog where the log is made durable
 * @param shapeOptions the options that shape the disk, by name, as they are kept in the manifest
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
    StallSettings stall,
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
