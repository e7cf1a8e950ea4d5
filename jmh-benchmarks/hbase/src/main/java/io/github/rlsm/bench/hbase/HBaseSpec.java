// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.hbase;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.Map;

/**
 * The parameters of one server's measurement.
 *
 * @param engine the store engine
 * @param load the rows and the calls of clients
 * @param server the settings of the server
 * @param tableOptions options of the table, besides the engine
 */
public record HBaseSpec(
    EngineKind engine,
    @JsonUnwrapped Load load,
    @JsonUnwrapped Server server,
    Map<String, String> tableOptions) {

  /**
   * The rows and the calls of clients.
   *
   * @param rows the number of rows to load
   * @param valueBytes bytes of each row's value
   * @param gets lookups, after the load and after overwriting
   * @param scans scans of {@value #SCAN_ROWS} rows, after the load and after overwriting
   * @param threads client threads
   */
  public record Load(long rows, int valueBytes, long gets, long scans, int threads) {}

  /**
   * The settings of a server.
   *
   * @param flushBytes size at which a memstore is flushed
   * @param heapMebibytes the server's largest heap
   * @param isHeapFixed whether the heap has this size from the start, and does not grow
   * @param isOnHdfs whether its files are in an HDFS with three data nodes, and not local
   */
  public record Server(
      long flushBytes, long heapMebibytes, boolean isHeapFixed, boolean isOnHdfs) {}

  /** Bytes of a row's key. */
  public static final int KEY_BYTES = 16;

  /** The number of rows in a scan. */
  public static final int SCAN_ROWS = 100;

  /** Copies the table options. */
  public HBaseSpec {
    tableOptions = Map.copyOf(tableOptions);
  }
}
