// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.config;

import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;

/**
 * The options of one store, read from the configuration that HBase layers for it: site, table,
 * family.
 *
 * <p>An unusable option is reported and replaced by its default, so no option keeps a region from
 * opening.
 *
 * @param partitions the size of partitions
 * @param rowFilesMax the largest number of files that may hold a row
 * @param flushRunBytesMin the bytes that a flush must have for a partition to write them directly
 *     as a run
 * @param values the separation of values
 */
public record StoreSettings(
    PartitionSize partitions, int rowFilesMax, long flushRunBytesMin, Values values) {

  /**
   * The separation of values from keys.
   *
   * @param separatedBytesMin the smallest length of a separated value, in bytes; 0 disables
   *     separation
   * @param fileBytesMin value files smaller than this are merged; 0 for never
   * @param deadPercentMax the bytes of dead values that are allowed, in percent of the live ones
   */
  public record Values(int separatedBytesMin, long fileBytesMin, int deadPercentMax) {}

  /** Size above which a partition is divided; by default it follows the size of the store. */
  public static final String PARTITION_BYTES = "hbase.rlsm.partition.bytes.max";

  /**
   * The largest number of files that may hold a row; HBase's {@code blockingStoreFiles} caps it.
   */
  public static final String ROW_FILES = "hbase.rlsm.row.files.max";

  /** The smallest run that a flush writes; by default an 8th of the flush size, at least 1 MiB. */
  public static final String FLUSH_RUN_BYTES = "hbase.rlsm.flush.run.bytes.min";

  /** The smallest length of a separated value, in bytes; 0, the default, disables separation. */
  public static final String SEPARATED_BYTES = "hbase.rlsm.separated.value.bytes.min";

  /** Value files below this size are merged; by default half the flush size, 0 for never. */
  public static final String VALUE_FILE_BYTES = "hbase.rlsm.value.file.bytes.min";

  /** Bytes of dead values above which collecting them is urgent, in percent of the live values. */
  public static final String DEAD_VALUES = "hbase.rlsm.dead.value.percent.max";

  private static final int ROW_FILES_DEFAULT = 16;
  private static final int FLUSH_RUNS = 8;

  /** A partition's mean part of a flush, in bytes of the smallest run that a flush writes. */
  private static final double PART_OF_FLUSH = 1.5;

  /** Below this size, the overhead of one more file costs more than writing its content twice. */
  private static final long FLUSH_RUN_BYTES_DEFAULT_MIN = 1L << 20;

  /**
   * Separation exists so that the values of a flush of ordinary size are never rewritten. With
   * twice the flush size as the limit, each value was rewritten once.
   */
  private static final long VALUE_FILES_PER_FLUSH = 2;

  /** Each freed byte then costs at most one copied byte. */
  private static final int DEAD_VALUES_DEFAULT = 100;

  /** Reads the options of a table whose descriptor does not set a flush size. */
  public static StoreSettings of(Configuration conf, Consumer<String> problems) {
    long flush = conf.getLong(
        HConstants.HREGION_MEMSTORE_FLUSH_SIZE, TableDescriptorBuilder.DEFAULT_MEMSTORE_FLUSH_SIZE);
    return of(conf, flush, problems);
  }

  /**
   * Reads the options and reports each unusable one to {@code problems}.
   *
   * @param flush the memstore's flush size, which a table may set in its descriptor
   */
  public static StoreSettings of(Configuration conf, long flush, Consumer<String> problems) {
    long flushRun = Math.max(FLUSH_RUN_BYTES_DEFAULT_MIN, flush / FLUSH_RUNS);
    long runBytesMin = read(conf, FLUSH_RUN_BYTES, 0, 1L << 40, flushRun, problems);
    long flushRuns = Math.min(FLUSH_RUNS, flush / Math.max(1, runBytesMin));
    Default follows = new Default(0, "a size that follows the data");
    long fixed = read(conf, PARTITION_BYTES, new Range(1 << 10, 1L << 40), follows, problems);
    return new StoreSettings(
        fixed == 0 ? PartitionSize.following(partitions(flushRuns)) : PartitionSize.fixed(fixed),
        (int) read(conf, ROW_FILES, 2, 100, ROW_FILES_DEFAULT, problems),
        runBytesMin,
        new Values(
            (int) read(conf, SEPARATED_BYTES, 0, 1 << 30, 0, problems),
            read(conf, VALUE_FILE_BYTES, 0, 1L << 40, flush / VALUE_FILES_PER_FLUSH, problems),
            (int) read(conf, DEAD_VALUES, 10, 1_000, DEAD_VALUES_DEFAULT, problems)));
  }

  /**
   * The number of partitions of a store, if a flush has bytes for some runs. A partition's part of
   * a flush is half as large again as a run must be. With one partition for each run, every second
   * part would be too small. Then it would be appended later, and with files that wait for this,
   * the partitions may have fewer runs ({@code StoreGrowthTest}).
   */
  private static int partitions(long flushRuns) {
    return (int) Math.max(2, Math.round(flushRuns / PART_OF_FLUSH));
  }

  /** A copy for a table whose rows may not be in byte order: no partitions and no separation. */
  public StoreSettings undivided() {
    return new StoreSettings(
        PartitionSize.UNDIVIDED,
        rowFilesMax,
        flushRunBytesMin,
        new Values(0, 0, DEAD_VALUES_DEFAULT));
  }

  /** The allowed values of an option. */
  private record Range(long min, long max) {}

  /** The value without an option, and its description in messages. */
  private record Default(long value, String text) {}

  /** Reads a number; returns the default if the number is malformed or out of range. */
  static long read(
      Configuration conf,
      String name,
      long min,
      long max,
      long byDefault,
      Consumer<String> problems) {
    Default used = new Default(byDefault, Long.toString(byDefault));
    return read(conf, name, new Range(min, max), used, problems);
  }

  private static long read(
      Configuration conf, String name, Range range, Default byDefault, Consumer<String> problems) {
    String text = conf.getTrimmed(name);
    if (text == null) {
      return byDefault.value;
    }
    try {
      long value = Long.parseLong(text);
      if (value >= range.min && value <= range.max) {
        return value;
      }
    } catch (NumberFormatException e) {
      // Reported below, like a number out of range.
    }
    problems.accept(name + " is '" + text + "' but must be a number from " + range.min + " to "
        + range.max + "; " + byDefault.text + " is used");
    return byDefault.value;
  }
}
