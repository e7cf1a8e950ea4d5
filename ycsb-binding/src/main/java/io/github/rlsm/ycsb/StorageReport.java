// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.ycsb;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.github.rlsm.kv.Stats;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The bytes that a phase wrote, and the disk usage of the store at its end.
 *
 * @param bytesWritten bytes that the store wrote to files, until settled if the run settles
 * @param bytesByCause bytes written, by cause
 * @param userBytes keys and values passed to the store
 * @param writeAmplification {@code bytesWritten / userBytes}; null if nothing was written
 * @param syncs number of forces to the device
 * @param settleSeconds time to wait for background work; null if the run does not settle
 * @param stallSeconds time for which writers were stalled, summed over all threads
 * @param directory disk usage of the directory
 * @param liveUserBytes keys and values of all present records
 * @param spaceAmplification bytes on disk divided by {@code liveUserBytes}; null without records
 * @param reported the store's own view of its space
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record StorageReport(
    long bytesWritten,
    Map<String, Long> bytesByCause,
    long userBytes,
    @Nullable Double writeAmplification,
    long syncs,
    @Nullable Double settleSeconds,
    double stallSeconds,
    DataDirectory.Size directory,
    long liveUserBytes,
    @Nullable Double spaceAmplification,
    Stats.Space reported) {

  /** The difference between two statistics of the same open store. */
  static StorageReport between(
      Stats before,
      Stats after,
      @Nullable Double settleSeconds,
      DataDirectory.Size directory,
      long liveUserBytes) {
    long written = after.writes().totalBytes() - before.writes().totalBytes();
    long userBytes = after.writes().userBytes() - before.writes().userBytes();
    Map<String, Long> byCause = new TreeMap<>(after.writes().bytesByCause());
    before
        .writes()
        .bytesByCause()
        .forEach((cause, bytes) -> byCause.merge(cause, -bytes, Long::sum));
    return new StorageReport(
        written,
        byCause,
        userBytes,
        ratio(written, userBytes),
        after.writes().syncs() - before.writes().syncs(),
        settleSeconds,
        (after.stalls().nanos() - before.stalls().nanos()) / 1e9,
        directory,
        liveUserBytes,
        ratio(directory.onDisk(), liveUserBytes),
        after.space());
  }

  private static @Nullable Double ratio(long numerator, long denominator) {
    return denominator == 0 ? null : (double) numerator / denominator;
  }
}
