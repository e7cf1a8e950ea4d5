// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.sim;

/**
 * The state of a simulated store at one size.
 *
 * @param putBytes bytes that the user has put
 * @param writeAmplification bytes flushed, compacted and cleaned, divided by bytes put; no log
 * @param depth the number of runs over a key
 * @param layout the partitions
 * @param space the space of all files
 */
public record SimPoint(
    double putBytes, double writeAmplification, Depth depth, Layout layout, Space space) {

  /**
   * The number of runs over a key.
   *
   * @param runs mean number of runs over a key in L1, of all partitions, since the last point
   * @param l0Runs mean number of runs in L0, after each flush and the jobs that it made due
   * @param runsMax maximum number of runs over a key in L1 at this size
   */
  public record Depth(double runs, double l0Runs, int runsMax) {}

  /**
   * The partitions of a store.
   *
   * @param partitions number of partitions
   * @param runCount runs of all partitions together
   * @param splits number of splits since the start
   * @param merges number of merges since the start
   */
  public record Layout(double partitions, double runCount, double splits, double merges) {}

  /**
   * The space of all files.
   *
   * @param spaceAmplification bytes of all files divided by live bytes; infinite without live bytes
   * @param fileBytes bytes of all files
   */
  public record Space(double spaceAmplification, double fileBytes) {}

  /** Bytes flushed, compacted and cleaned. */
  double writtenBytes() {
    return putBytes * writeAmplification;
  }
}
