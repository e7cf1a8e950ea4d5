// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.sim;

/**
 * A store at one size.
 *
 * @param putBytes what the user has put
 * @param writeAmplification bytes flushed, compacted and cleaned over bytes put; without the log
 * @param runs mean number of runs over a key in L1, over the partitions and since the last point
 * @param l0Runs mean number of runs in L0, after each flush and what it made due
 * @param runsMax most runs over a key in L1, now
 * @param partitions how many
 * @param runCount runs of all partitions together
 * @param splits how many since the beginning
 * @param merges how many since the beginning
 * @param spaceAmplification bytes of all files over bytes of what is live; beyond all measure if
 *     nothing is
 * @param fileBytes bytes of all files
 */
public record SimPoint(
    double putBytes,
    double writeAmplification,
    double runs,
    double l0Runs,
    int runsMax,
    double partitions,
    double runCount,
    double splits,
    double merges,
    double spaceAmplification,
    double fileBytes) {

  /** Bytes flushed, compacted and cleaned. */
  double writtenBytes() {
    return putBytes * writeAmplification;
  }
}
