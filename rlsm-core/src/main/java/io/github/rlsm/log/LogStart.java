// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.log;

import java.util.Set;

/**
 * What the manifest says about the log that is to be read.
 *
 * @param flushedSeqno everything below is in tables
 * @param firstGeneration the oldest generation that may hold something to be replayed: an older one
 *     is in tables, or was dropped by an earlier recovery and must not come back when the history,
 *     written anew, reaches its base
 * @param durableSeqno everything below was durable, in tables or in the log
 * @param trustedSeqno generations that begin below this are durable, as the manifest says or
 *     because they were copied since it was read
 * @param sealedValueSegments numbers of the value segments that the manifest knows; they hold
 *     nothing to be replayed and are not opened
 * @param manifest how much of the manifest was read
 */
public record LogStart(
    long flushedSeqno,
    int firstGeneration,
    long durableSeqno,
    long trustedSeqno,
    Set<Integer> sealedValueSegments,
    ManifestMark manifest) {

  /** Takes a copy. */
  public LogStart {
    sealedValueSegments = Set.copyOf(sealedValueSegments);
  }
}
