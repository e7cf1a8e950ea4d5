// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.ycsb;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.github.rlsm.kv.Stats;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The bytes that a phase wrote, and the disk usage of the store at its end.
 *
 * @param written the bytes that the phase wrote
 * @param settleSeconds time to wait for background work; null if the run does not settle
 * @param stallSeconds time for which writers were stalled, summed over all threads
 * @param space the disk usage at the end
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record StorageReport(
    @JsonUnwrapped Written written,
    @Nullable Double settleSeconds,
    double stallSeconds,
    @JsonUnwrapped Space space) {

  /**
   * The bytes that a phase wrote.
   *
   * @param bytesWritten bytes that the store wrote to files, until settled if the run settles
   * @param bytesByCause bytes written, by cause
   * @param userBytes keys and values passed to the store
   * @param writeAmplification {@code bytesWritten / userBytes}; null if nothing was written
   * @param syncs number of forces to the device
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Written(
      long bytesWritten,
      Map<String, Long> bytesByCause,
      long userBytes,
      @Nullable Double writeAmplification,
      long syncs) {

    static Written between(Stats.Writes before, Stats.Writes after) {
      long bytes = after.totalBytes() - before.totalBytes();
      long userBytes = after.userBytes() - before.userBytes();
      Map<String, Long> byCause = new TreeMap<>(after.bytesByCause());
      before.bytesByCause().forEach((cause, each) -> byCause.merge(cause, -each, Long::sum));
      return new Written(
          bytes, byCause, userBytes, ratio(bytes, userBytes), after.syncs() - before.syncs());
    }
  }

  /**
   * The disk usage of a store.
   *
   * @param directory disk usage of the directory
   * @param liveUserBytes keys and values of all present records
   * @param spaceAmplification bytes on disk divided by {@code liveUserBytes}; null without records
   * @param reported the space as the store reports it
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Space(
      DataDirectory.Size directory,
      long liveUserBytes,
      @Nullable Double spaceAmplification,
      Stats.Space reported) {}

  /** The difference between two statistics of the same open store. */
  static StorageReport between(
      Stats before,
      Stats after,
      @Nullable Double settleSeconds,
      DataDirectory.Size directory,
      long liveUserBytes) {
    return new StorageReport(
        Written.between(before.writes(), after.writes()),
        settleSeconds,
        (after.stalls().nanos() - before.stalls().nanos()) / 1e9,
        new Space(
            directory, liveUserBytes, ratio(directory.onDisk(), liveUserBytes), after.space()));
  }

  private static @Nullable Double ratio(long numerator, long denominator) {
    return denominator == 0 ? null : (double) numerator / denominator;
  }
}
