// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.config;

import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;

/**
 * The options of one store, from whatever HBase layered for it: site, table, family.
 *
 * <p>An option that cannot be used is reported, and its default taken: no option keeps a region
 * from opening.
 *
 * @param partitionBytesMax the size at which a partition is divided; 0 for never
 * @param rowFilesMax how many files a row may be in
 * @param flushRunBytesMin what a flush must bring to a partition to make a run of it at once
 * @param filterBits bits of a file's row filter for each of its rows; 0 for none
 * @param filterBytesMax memory that the row filters of all files of a server share
 * @param separatedBytesMin from how many bytes on values are kept beside the files that are
 *     compacted; 0 for never
 * @param valueFileBytesMin the size from which on files of such values are not merged; 0 for none
 */
public record StoreSettings(
    long partitionBytesMax,
    int rowFilesMax,
    long flushRunBytesMin,
    int filterBits,
    long filterBytesMax,
    int separatedBytesMin,
    long valueFileBytesMin) {

  /** Size at which a partition is divided; by default a 16th of a region's size. */
  public static final String PARTITION_BYTES = "hbase.rlsm.partition.bytes.max";

  /** How many files a row may be in; never more than HBase's {@code blockingStoreFiles}. */
  public static final String ROW_FILES = "hbase.rlsm.row.files.max";

  /**
   * What a flush must bring to a partition; by default an 8th of the flush size, at least 1 MiB.
   */
  public static final String FLUSH_RUN_BYTES = "hbase.rlsm.flush.run.bytes.min";

  /** How many bits a file's row filter has for each row. */
  public static final String FILTER_BITS = "hbase.rlsm.row.filter.bits";

  /** Memory for row filters, of a whole server; by default a 50th of its heap. */
  public static final String FILTER_BYTES = "hbase.rlsm.row.filter.bytes.max";

  /** From how many bytes on values are kept in files of their own; 0, the default, for never. */
  public static final String SEPARATED_BYTES = "hbase.rlsm.separated.value.bytes.min";

  /** Under which size value files are merged; by default half the flush size, 0 for never. */
  public static final String VALUE_FILE_BYTES = "hbase.rlsm.value.file.bytes.min";

  /** Every option. */
  public static final List<String> NAMES = List.of(
      PARTITION_BYTES,
      ROW_FILES,
      FLUSH_RUN_BYTES,
      FILTER_BITS,
      FILTER_BYTES,
      SEPARATED_BYTES,
      VALUE_FILE_BYTES);

  private static final long PARTITION_BYTES_DEFAULT_MIN = 120L << 20;
  private static final int PARTITIONS_PER_REGION = 16;
  private static final int ROW_FILES_DEFAULT = 16;
  private static final int FLUSH_RUNS = 8;

  /** To make a smaller file costs more than to write its content twice. */
  private static final long FLUSH_RUN_BYTES_DEFAULT_MIN = 1L << 20;

  /**
   * What flushes of ordinary size bring is never written again, which is what separation is for:
   * with twice the flush size each value was, once.
   */
  private static final long VALUE_FILES_PER_FLUSH = 2;

  private static final int FILTER_BITS_DEFAULT = 12;
  private static final int FILTER_HEAP_PART = 50;

  /** As the longer form, for a table that does not say itself how large flushes are. */
  public static StoreSettings of(Configuration conf, Consumer<String> problems) {
    long flush = conf.getLong(
        HConstants.HREGION_MEMSTORE_FLUSH_SIZE, TableDescriptorBuilder.DEFAULT_MEMSTORE_FLUSH_SIZE);
    return of(conf, flush, problems);
  }

  /**
   * Reads the options and tells {@code problems} of each that is not usable.
   *
   * @param flush the memstore's flush size, which a table may set in its descriptor
   */
  public static StoreSettings of(Configuration conf, long flush, Consumer<String> problems) {
    long region = conf.getLong(HConstants.HREGION_MAX_FILESIZE, HConstants.DEFAULT_MAX_FILE_SIZE);
    long partition = Math.max(PARTITION_BYTES_DEFAULT_MIN, region / PARTITIONS_PER_REGION);
    long filterBytes = Runtime.getRuntime().maxMemory() / FILTER_HEAP_PART;
    long flushRun = Math.max(FLUSH_RUN_BYTES_DEFAULT_MIN, flush / FLUSH_RUNS);
    return new StoreSettings(
        read(conf, PARTITION_BYTES, 1 << 10, 1L << 40, partition, problems),
        (int) read(conf, ROW_FILES, 2, 100, ROW_FILES_DEFAULT, problems),
        read(conf, FLUSH_RUN_BYTES, 0, 1L << 40, flushRun, problems),
        (int) read(conf, FILTER_BITS, 0, 30, FILTER_BITS_DEFAULT, problems),
        read(conf, FILTER_BYTES, 0, 1L << 40, filterBytes, problems),
        (int) read(conf, SEPARATED_BYTES, 0, 1 << 30, 0, problems),
        read(conf, VALUE_FILE_BYTES, 0, 1L << 40, flush / VALUE_FILES_PER_FLUSH, problems));
  }

  /** The same for a table whose rows may not be in the order of their bytes. */
  public StoreSettings undivided() {
    return new StoreSettings(0, rowFilesMax, flushRunBytesMin, 0, filterBytesMax, 0, 0);
  }

  /** A number from a range, or its default if it cannot be used. */
  static long read(
      Configuration conf,
      String name,
      long min,
      long max,
      long byDefault,
      Consumer<String> problems) {
    String text = conf.getTrimmed(name);
    if (text == null) {
      return byDefault;
    }
    try {
      long value = Long.parseLong(text);
      if (value >= min && value <= max) {
        return value;
      }
    } catch (NumberFormatException e) {
      // Reported below, as is a number out of range.
    }
    problems.accept(String.format(
        Locale.ROOT,
        "%s is '%s' but must be a number from %d to %d; %d is used",
        name,
        text,
        min,
        max,
        byDefault));
    return byDefault;
  }
}
