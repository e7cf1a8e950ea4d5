// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.it.hbase;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.util.ReflectionUtils;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A linked list of rows in a new table, which is written while {@link ChaosCluster} works. */
interface DisturbedList {

  /** The table, which exists before the first row is written. */
  TableName table();

  /** The names of the table's families. */
  List<String> families();

  /** The length from which on values are separated. */
  int separatedBytesMin();

  /** Writes rows until {@link #end} is called; returns the number of failed batches. */
  int write() throws Exception;

  /** Makes {@link #write} return soon. */
  void end();

  /** A number of rows that certainly are in the table now. */
  long certain() throws IOException;

  /** Checks all rows; returns a description of each problem. */
  List<String> problems() throws Exception;

  /** The number of rows after the end. */
  long count();

  /** Rows with a value of 2,000 bytes. More rows are rewritten than added, so that values die. */
  final class Own implements DisturbedList {
    private static final Logger LOG = LoggerFactory.getLogger(Own.class);
    private static final TableName TABLE = TableName.valueOf("chaos");
    private static final int PADDING_BYTES = 2_000;
    private static final int BATCH = 100;

    /** After each batch, so that a generation fits on a small disk. */
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(150);

    private final LinkedRows rows;
    private final Connection connection;
    private final AtomicBoolean ended = new AtomicBoolean();
    private volatile int acknowledged;

    Own(Connection connection, Random random) {
      this.connection = connection;
      this.rows = new LinkedRows(TABLE, random, PADDING_BYTES, 2 * BATCH);
    }

    @Override
    public TableName table() {
      return TABLE;
    }

    @Override
    public List<String> families() {
      return List.of("f");
    }

    @Override
    public int separatedBytesMin() {
      return PADDING_BYTES / 2;
    }

    @Override
    public int write() {
      int failed = 0;
      while (!ended.get()) {
        try {
          rows.write(connection, 1, BATCH);
          acknowledged = rows.count();
        } catch (IOException e) {
          LOG.warn("a batch failed", e);
          failed++;
        }
        LockSupport.parkNanos(PAUSE_NANOS);
      }
      return failed;
    }

    @Override
    public void end() {
      ended.set(true);
    }

    @Override
    public long certain() {
      return acknowledged;
    }

    @Override
    public List<String> problems() throws IOException {
      return rows.problems(connection);
    }

    @Override
    public long count() {
      return rows.count();
    }
  }

  /**
   * The list of HBase's {@code IntegrationTestBigLinkedList}: its generator and its verification,
   * two MapReduce jobs. Rows have three families, one with values of {@value #BIG_BYTES} bytes.
   */
  final class OfHBase implements DisturbedList {
    private static final TableName TABLE = TableName.valueOf("IntegrationTestBigLinkedList");
    private static final String CLASS = "org.apache.hadoop.hbase.test." + TABLE;
    private static final int BIG_BYTES = 1_000;
    private static final int MAPPERS = 2;
    private static final int WIDTH = 100;
    private static final int WRAP = 25;
    private static final int ROWS_PER_MAPPER = WIDTH * WRAP;

    private final HBaseTestingUtility cluster;
    private final AtomicBoolean ended = new AtomicBoolean();
    private final Path folder;
    private int jobs;

    OfHBase(HBaseTestingUtility cluster, int generation) {
      this.cluster = cluster;
      this.folder = new Path("/" + TABLE, Integer.toString(generation));
    }

    @Override
    public TableName table() {
      return TABLE;
    }

    @Override
    public List<String> families() {
      return List.of("meta", "tiny", "big");
    }

    @Override
    public int separatedBytesMin() {
      return BIG_BYTES / 2;
    }

    private int run(String tool, Object... arguments) throws Exception {
      Configuration conf = new Configuration(cluster.getConfiguration());
      conf.setBoolean("generator.multiple.columnfamilies", true);
      conf.setInt("generator.big.family.value.size", BIG_BYTES);
      // The tools are not public.
      Class<? extends Tool> type = Class.forName(CLASS + "$" + tool).asSubclass(Tool.class);
      List<String> texts = new ArrayList<>();
      for (Object argument : arguments) {
        texts.add(argument.toString());
      }
      return ToolRunner.run(
          conf, ReflectionUtils.newInstance(type, conf), texts.toArray(new String[0]));
    }

    @Override
    public int write() throws Exception {
      while (!ended.get()) {
        Path output = new Path(folder, "generated-" + jobs);
        int code = run("Generator", MAPPERS, ROWS_PER_MAPPER, output, WIDTH, WRAP, 0);
        if (code != 0) {
          throw new IOException("the generator ended with " + code);
        }
        jobs++;
      }
      return 0;
    }

    @Override
    public void end() {
      ended.set(true);
    }

    @Override
    public long certain() throws IOException {
      return rows();
    }

    private int rows() throws IOException {
      try (Table table = cluster.getConnection().getTable(TABLE)) {
        return cluster.countRows(table);
      }
    }

    @Override
    public List<String> problems() throws Exception {
      List<String> problems = new ArrayList<>();
      int code = run("Verify", new Path(folder, "verified"), 1);
      if (code != 0) {
        problems.add("the verification ended with " + code);
      }
      int found = rows();
      if (found != count()) {
        problems.add(found + " rows of " + count());
      }
      return problems;
    }

    @Override
    public long count() {
      return (long) jobs * MAPPERS * ROWS_PER_MAPPER;
    }
  }
}
