// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import java.util.Map;

/**
 * Counters of a store since it was opened, and its current use of space and memory. Immutable, and
 * cheap enough to read every second.
 *
 * @param writes bytes and operations written, by cause
 * @param reads lookups and pages read
 * @param space space on disk
 * @param stalls how long writers were slowed down or stopped
 * @param failures how often the store's {@linkplain KvStore#health health} changed
 * @param resources memory, mappings and open objects of the process that the store uses
 */
public record Stats(
    Writes writes,
    Reads reads,
    Space space,
    Stalls stalls,
    Failures failures,
    Resources resources) {

  /**
   * Write counters.
   *
   * @param operations acknowledged puts and deletes; operations of a batch are counted one by one
   * @param userBytes bytes of keys and values written by the user
   * @param bytesByCause bytes written to files, by cause (for example log, flush, sort, collect)
   * @param syncs number of times that data was forced to the device
   * @param syncedWrites acknowledged {@code SYNC} writes; one force may serve many
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
   * Read counters.
   *
   * @param gets keys looked up
   * @param memoryHits lookups answered by a structure of recent writes
   * @param cache reads of pages and values through a cache
   * @param filters decisions of the filters of tables
   * @param getPages pages searched by gets: one for each table whose filter passed the key
   * @param pagesRead pages searched or scanned
   */
  public record Reads(
      long gets, long memoryHits, Cache cache, Filters filters, long getPages, long pagesRead) {

    /** Pages searched for each get; 0 before the first. */
    public double pagesPerGet() {
      return gets == 0 ? 0 : (double) getPages / gets;
    }
  }

  /**
   * Reads of pages and values through a cache.
   *
   * @param hits reads that the cache answered
   * @param misses reads that the cache could not answer
   */
  public record Cache(long hits, long misses) {}

  /**
   * Decisions of the tables' filters about looked-up keys.
   *
   * @param negatives tables skipped because their filter excluded the key
   * @param falsePositives tables searched without a result although their filter passed the key
   */
  public record Filters(long negatives, long falsePositives) {

    /**
     * The fraction of absent keys that a filter passes: from 0 to 1; 0 before the first absent key.
     */
    public double falsePositiveRate() {
      long absent = negatives + falsePositives;
      return absent == 0 ? 0 : (double) falsePositives / absent;
    }
  }

  /**
   * Space on disk, in bytes.
   *
   * @param diskBytes size of all files of the store; the last known size while the process has no
   *     file descriptor to list them
   * @param liveBytes the part of {@code diskBytes} that holds current keys and values; an estimate
   * @param deadBytes values in the log to which no pointer leads any more
   * @param freedSegments segments of the value log reclaimed since the store was opened
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
   * @param count number of delayed writes
   * @param nanos nanoseconds of delay, summed over all threads
   */
  public record Stalls(long count, long nanos) {}

  /**
   * How often the store's {@linkplain KvStore#health health} changed since it was opened.
   *
   * @param degraded number of times the store became degraded
   * @param resumed number of times the store became healthy again by itself
   * @param retries number of retries of failed work
   * @param readOnly 1 after the store became read-only, else 0; for a store of shards, the number
   *     of read-only shards
   */
  public record Failures(long degraded, long resumed, long retries, long readOnly) {

    /** The figures of a store that has never failed. */
    public static final Failures NONE = new Failures(0, 0, 0, 0);
  }

  /**
   * The resources of the process that the store holds.
   *
   * @param memoryBytes heap and native memory of the store's own structures, in bytes, by part
   * @param mappings how many files are mapped into memory
   * @param openSnapshots number of open snapshots and iterators
   */
  public record Resources(Map<String, Long> memoryBytes, Mappings mappings, int openSnapshots) {

    /** Copies the map. */
    public Resources {
      memoryBytes = Map.copyOf(memoryBytes);
    }
  }

  /**
   * Tables and log segments that are mapped into memory for reads. The system limits the mappings
   * of a process ({@code vm.max_map_count} on Linux). To stay below its share, the store unmaps
   * files that it can map again.
   *
   * @param open mapped files of this store
   * @param max the largest number of mapped files that this process should have, over all its
   *     stores
   */
  public record Mappings(long open, long max) {

    /** The figures of a store that maps no files. */
    public static final Mappings NONE = new Mappings(0, 0);
  }
}
