// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.metrics;

import java.util.Locale;
import java.util.function.LongConsumer;
import org.apache.hadoop.hbase.metrics.Counter;
import org.apache.hadoop.hbase.metrics.Gauge;
import org.apache.hadoop.hbase.metrics.MetricRegistries;
import org.apache.hadoop.hbase.metrics.MetricRegistry;
import org.apache.hadoop.hbase.metrics.MetricRegistryInfo;

/**
 * The figures of all stores of a server that have this engine, as HBase exports them to JMX and to
 * Hadoop's metrics.
 *
 * <p>Threads: any.
 */
public final class StoreMetrics {

  /** Where they stand: {@code Hadoop:service=HBase,name=RegionServer,sub=Rlsm} in JMX. */
  public static final MetricRegistryInfo PLACE = new MetricRegistryInfo(
      "Rlsm", "Stores that the RLSM engine keeps", "RegionServer,sub=Rlsm", "regionserver", false);

  private final MetricRegistry registry;
  private final Counter gets;
  private final Counter filesAsked;
  private final Counter filesSpared;
  private final Counter bytesAdopted;
  private final Counter filtersEvicted;
  private volatile long filterBytes;
  private Shape total = Shape.NONE;

  /**
   * How stores lie.
   *
   * @param partitions how many they have
   * @param runs files in these
   * @param wideFiles files that span partitions
   */
  public record Shape(long partitions, long runs, long wideFiles) {

    /** No store. */
    public static final Shape NONE = new Shape(0, 0, 0);

    private Shape plus(Shape other, int sign) {
      return new Shape(
          partitions + sign * other.partitions,
          runs + sign * other.runs,
          wideFiles + sign * other.wideFiles);
    }
  }

  /** Metrics in a registry. */
  public StoreMetrics(MetricRegistry registry) {
    this.registry = registry;
    this.gets = registry.counter("getCount");
    this.filesAsked = registry.counter("getFilesAskedCount");
    this.filesSpared = registry.counter("getFilesSparedByFilterCount");
    this.filtersEvicted = registry.counter("rowFilterEvictedCount");
    this.bytesAdopted = registry.counter("adoptedBytes");
    gauge("partitionCount", () -> total().partitions());
    gauge("runCount", () -> total().runs());
    gauge("wideFileCount", () -> total().wideFiles());
    gauge("rowFilterBytes", () -> filterBytes);
  }

  /** The metrics of this server. */
  public static StoreMetrics ofServer() {
    return OfServer.METRICS;
  }

  private void gauge(String name, Gauge<Long> gauge) {
    registry.register(name, gauge);
  }

  /** A lookup of one row has found which files may hold it. */
  public void looked(int asked, int spared) {
    gets.increment();
    filesAsked.increment(asked);
    filesSpared.increment(spared);
  }

  /** A file came to lie in one partition without a compaction. */
  public void adopted(long bytes) {
    bytesAdopted.increment(bytes);
  }

  /** Row filters take so much memory now. */
  public void filterBytes(long bytes) {
    filterBytes = bytes;
  }

  /** A row filter had to leave memory. */
  public void filterEvicted() {
    filtersEvicted.increment();
  }

  /** Counts bytes that are written for some cause. */
  public LongConsumer written(String cause) {
    String name = "writtenBytesBy"
        + cause.substring(0, 1).toUpperCase(Locale.ROOT)
        + cause.substring(1).toLowerCase(Locale.ROOT);
    return registry.counter(name)::increment;
  }

  /** A store has changed its shape. */
  public synchronized void changed(Shape from, Shape to) {
    total = total.plus(from, -1).plus(to, 1);
  }

  private synchronized Shape total() {
    return total;
  }

  /** Made at first use. */
  private static final class OfServer {
    static final StoreMetrics METRICS =
        new StoreMetrics(MetricRegistries.global().create(PLACE));
  }
}
