// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import java.util.Map;

/**
 * What a store has done since it was opened, and what it takes up now: an immutable picture, cheap
 * enough to take every second.
 *
 * @param writes what was written, and why
 * @param reads where reads were answered
 * @param space the room taken on disk
 * @param stalls how long writers were slowed down or stopped
 * @param failures how often the store's {@linkplain KvStore#health health} changed
 * @param mappings how many files are mapped into memory
 * @param memoryBytes heap and native memory held by the store's own structures, in bytes, by part
 * @param openSnapshots snapshots and iterators that are open
 */
public record Stats(
    Writes writes,
    Reads reads,
    Space space,
    Stalls stalls,
    Failures failures,
    Mappings mappings,
    Map<String, Long> memoryBytes,
    int openSnapshots) {

  /** Copies the map. */
  public Stats {
    memoryBytes = Map.copyOf(memoryBytes);
  }

  /** The figures of a store that never fails and maps no files. */
  public Stats(
      Writes writes,
      Reads reads,
      Space space,
      Stalls stalls,
      Map<String, Long> memoryBytes,
      int openSnapshots) {
    this(
        writes,
        reads,
        space,
        stalls,
        new Failures(0, 0, 0, 0),
        new Mappings(0, 0),
        memoryBytes,
        openSnapshots);
  }

  /**
   * Bytes written.
   *
   * @param operations puts and deletes acknowledged, those in batches counted one by one
   * @param userBytes bytes of keys and values handed in by the user
   * @param bytesByCause bytes written to files, by cause (for example log, flush, compact, collect)
   * @param syncs times data was forced to the device
   * @param syncedWrites writes that asked to be durable and were; one force may serve many
   */
  public record Writes(
      long operations,
      long userBytes,
      Map<String, Long> bytesByCause,
      long syncs,
      long syncedWrites) {

    /** Copies the map. */
    public Writes {
      bytesByCause = Map.copyOf(bytesByCause);
    }

    /** All bytes written to files. */
    public long totalBytes() {
      return bytesByCause.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Bytes written to files for each byte the user wrote; 0 before the first write. */
    public double amplification() {
      return userBytes == 0 ? 0 : (double) totalBytes() / userBytes;
    }
  }

  /**
   * Where reads were answered.
   *
   * @param gets keys looked up
   * @param memoryHits lookups answered by a structure of recent writes
   * @param cacheHits reads of a page or value answered by a cache
   * @param cacheMisses reads of a page or value that a cache could not answer
   * @param filterNegatives tables skipped because their filter excluded the key
   * @param filterFalsePositives tables searched in vain although their filter let the key pass
   * @param getPages pages searched by gets: one for each table whose filter let the key pass
   * @param pagesRead pages searched or scanned
   */
  public record Reads(
      long gets,
      long memoryHits,
      long cacheHits,
      long cacheMisses,
      long filterNegatives,
      long filterFalsePositives,
      long getPages,
      long pagesRead) {

    /** Pages searched for each get; 0 before the first. */
    public double pagesPerGet() {
      return gets == 0 ? 0 : (double) getPages / gets;
    }

    /**
     * How often a filter lets a key pass that its table does not hold: from 0 to 1; 0 before there
     * was such a key.
     */
    public double filterFalsePositiveRate() {
      long absent = filterNegatives + filterFalsePositives;
      return absent == 0 ? 0 : (double) filterFalsePositives / absent;
    }
  }

  /**
   * Room on disk, in bytes.
   *
   * @param diskBytes all files of the store
   * @param liveBytes the part of it that current keys and values take, as far as is known
   * @param deadBytes values in the log that nothing points at any more
   * @param freedSegments segments of the value log that were given back since the store was opened
   */
  public record Space(long diskBytes, long liveBytes, long deadBytes, long freedSegments) {

    /** Bytes on disk for each live byte; 0 for an empty store. */
    public double amplification() {
      return liveBytes == 0 ? 0 : (double) diskBytes / liveBytes;
    }
  }

  /**
   * Back-pressure on writers.
   *
   * @param count writes that were held up
   * @param nanos nanoseconds for which writes were held up, added over all threads
   */
  public record Stalls(long count, long nanos) {}

  /**
   * How often the store's {@linkplain KvStore#health health} changed since it was opened.
   *
   * @param degraded times it became degraded
   * @param resumed times it became healthy again by itself
   * @param retries times that work which had failed was tried again
   * @param readOnly 1 once it became read-only, else 0; of a store of shards, how many are
   */
  public record Failures(long degraded, long resumed, long retries, long readOnly) {}

  /**
   * Tables and log segments that are mapped into memory to be read. The system limits the mappings
   * of a process ({@code vm.max_map_count} on Linux); the store unmaps files that can be mapped
   * again, to stay below its share.
   *
   * @param open files of this store that are mapped
   * @param max how many files this process should have mapped at most, over all its stores
   */
  public record Mappings(long open, long max) {}
}
