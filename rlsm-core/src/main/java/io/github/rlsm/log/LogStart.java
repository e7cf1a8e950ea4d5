// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.log;

import java.util.Set;

/**
 * The manifest's statements about the log, where recovery starts.
 *
 * @param flushedSeqno everything below is in tables
 * @param firstGeneration the oldest generation that may need to be replayed. An older one is in
 *     tables, or was dropped by an earlier recovery. A dropped one must not return when the
 *     rewritten history reaches its base seqno
 * @param durableSeqno everything below was durable, in tables or in the log
 * @param trustedSeqno generations that begin below this are durable, according to the manifest or
 *     because they were copied after it was read
 * @param sealedValueSegments numbers of the value segments that the manifest knows. They need no
 *     replay and are not opened
 * @param manifest how many records of the manifest were read
 */
public record LogStart(
    long flushedSeqno,
    int firstGeneration,
    long durableSeqno,
    long trustedSeqno,
    Set<Integer> sealedValueSegments,
    ManifestPosition manifest) {

  /** Copies the set. */
  public LogStart {
    sealedValueSegments = Set.copyOf(sealedValueSegments);
  }
}
