// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.metrics;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongConsumer;
import java.util.function.ToLongFunction;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.metrics.Counter;
import org.apache.hadoop.hbase.metrics.Gauge;
import org.apache.hadoop.hbase.metrics.MetricRegistries;
import org.apache.hadoop.hbase.metrics.MetricRegistry;
import org.apache.hadoop.hbase.metrics.MetricRegistryInfo;

/**
 * The metrics of all stores of a server that use this engine. HBase exports them to JMX and to
 * Hadoop's metrics.
 *
 * <p>Threads: any.
 */
public final class StoreMetrics {

  /** The JMX name: {@code Hadoop:service=HBase,name=RegionServer,sub=Rlsm}. */
  public static final MetricRegistryInfo PLACE = new MetricRegistryInfo(
      "Rlsm", "Stores that use the RLSM engine", "RegionServer,sub=Rlsm", "regionserver", false);

  private final MetricRegistry registry;
  private final Counter gets;
  private final Counter filesAsked;
  private final Counter bytesAdopted;
  private final Counter valuesAtOffset;
  private final Counter valueRequests;
  private final Counter valueBytesRead;

  @GuardedBy("this")
  private final ShapeTotals total = new ShapeTotals();

  @GuardedBy("this")
  private final Map<TableName, ShapeTotals> tables = new HashMap<>();

  /** The gauges of a server, and of each table. */
  private static final Map<String, ToLongFunction<Shape>> GAUGES = Map.of(
      "fileDepthMax",
      Shape::depth,
      "partitionCount",
      Shape::partitions,
      "runCount",
      Shape::runs,
      "wideFileCount",
      Shape::wideFiles,
      "valueFileCount",
      shape -> shape.values().files(),
      "valueBytes",
      shape -> shape.values().bytes(),
      "deadValueBytes",
      shape -> shape.values().deadBytes(),
      "valueSpaceAmplificationPercent",
      shape -> shape.values().spaceAmplificationPercent(),
      "ignoredKeyFileCount",
      shape -> shape.values().ignoredKeyFiles());

  /**
   * The layout of stores in numbers.
   *
   * @param partitions the number of partitions
   * @param runs the number of files in the partitions
   * @param wideFiles the number of files that span partitions
   * @param depth the largest number of files over one row of a store
   * @param values the files of separated values
   */
  public record Shape(long partitions, long runs, long wideFiles, long depth, Values values) {

    /** The shape of a server without stores. */
    public static final Shape NONE = new Shape(0, 0, 0, 0, new Values(0, 0, 0, 0));

    /** Adds or subtracts the counts of a store; depths have no sum, so the caller gives it. */
    Shape plus(Shape other, int sign, long depthOfAll) {
      return new Shape(
          partitions + sign * other.partitions,
          runs + sign * other.runs,
          wideFiles + sign * other.wideFiles,
          depthOfAll,
          values.plus(other.values, sign));
    }
  }

  /**
   * The files of separated values in numbers.
   *
   * @param files the number of value files
   * @param bytes the bytes of values in them
   * @param deadBytes the bytes among them that no key file refers to
   * @param ignoredKeyFiles the number of key files that are ignored, because a value file is
   *     missing
   */
  public record Values(long files, long bytes, long deadBytes, long ignoredKeyFiles) {
    private Values plus(Values other, int sign) {
      return new Values(
          files + sign * other.files,
          bytes + sign * other.bytes,
          deadBytes + sign * other.deadBytes,
          ignoredKeyFiles + sign * other.ignoredKeyFiles);
    }

    /** The bytes of all values in percent of the live ones; 100 without values. */
    long spaceAmplificationPercent() {
      return bytes == 0 ? 100 : (long) (100.0 * bytes / Math.max(1, bytes - deadBytes));
    }
  }

  /** Registers the metrics in a registry. */
  public StoreMetrics(MetricRegistry registry) {
    this.registry = registry;
    this.gets = registry.counter("getCount");
    this.filesAsked = registry.counter("getFilesAskedCount");
    this.bytesAdopted = registry.counter("adoptedBytes");
    this.valuesAtOffset = registry.counter("valuesReadAtOffsetCount");
    this.valueRequests = registry.counter("valueRequestCount");
    this.valueBytesRead = registry.counter("valueRequestBytes");
    GAUGES.forEach((name, of) -> gauge(name, () -> of.applyAsLong(total())));
  }

  /** The metrics of this server. Servers in one JVM share them, like HBase's own metrics. */
  public static StoreMetrics ofServer() {
    return OfServer.METRICS;
  }

  private void gauge(String name, Gauge<Long> gauge) {
    registry.register(name, gauge);
  }

  /** Counts a lookup of one row, and the files over the row, whose Bloom filters HBase asks. */
  public void looked(int files) {
    gets.increment();
    filesAsked.increment(files);
  }

  /** Counts the bytes of a file that became a run without a compaction. */
  public void adopted(long bytes) {
    bytesAdopted.increment(bytes);
  }

  /** Counts a separated value that a scan read without the block around it. */
  public void readAtOffset() {
    valuesAtOffset.increment();
  }

  /** Counts a request of a scan to the file system for separated values. */
  public void requestedValues(int bytes) {
    valueRequests.increment();
    valueBytesRead.increment(bytes);
  }

  /** Returns a counter of the bytes written for a cause. */
  public LongConsumer written(String cause) {
    String name = "writtenBytesBy"
        + cause.substring(0, 1).toUpperCase(Locale.ROOT)
        + cause.substring(1).toLowerCase(Locale.ROOT);
    return registry.counter(name)::increment;
  }

  /** Replaces the shape of one store of a table in the totals. */
  public synchronized void changed(TableName table, Shape from, Shape to) {
    total.replace(from, to);
    ShapeTotals ofTable = tables.computeIfAbsent(table, added -> new ShapeTotals());
    boolean isNew = ofTable.now().equals(Shape.NONE);
    ofTable.replace(from, to);
    if (ofTable.now().equals(Shape.NONE)) {
      tables.remove(table);
      GAUGES.keySet().forEach(name -> registry.remove(name(table, name)));
    } else if (isNew) {
      GAUGES.forEach((name, of) -> gauge(name(table, name), () -> of.applyAsLong(total(table))));
    }
  }

  /** The name of a table's metric, as HBase forms it for its own metrics of tables. */
  private static String name(TableName table, String metric) {
    return "Namespace_" + table.getNamespaceAsString() + "_table_" + table.getQualifierAsString()
        + "_metric_" + metric;
  }

  private synchronized Shape total() {
    return total.now();
  }

  private synchronized Shape total(TableName table) {
    ShapeTotals ofTable = tables.get(table);
    return ofTable == null ? Shape.NONE : ofTable.now();
  }

  /** Holds the instance, which is created at first use. */
  private static final class OfServer {
    static final StoreMetrics METRICS =
        new StoreMetrics(MetricRegistries.global().create(PLACE));
  }
}
