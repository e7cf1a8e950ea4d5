// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.hbase;

import io.github.rlsm.bench.result.Latency;
import io.github.rlsm.bench.workload.Mix64;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongUnaryOperator;
import org.HdrHistogram.ConcurrentHistogram;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;

/**
 * The clients of a table: threads that take operations from a shared counter, each with one call at
 * a time.
 *
 * <p>Threads: one thread at a time; it starts and ends the others.
 */
final class Client {

  /** The number of puts in a batch. */
  static final int BATCH = 100;

  private static final int SIGNIFICANT_DIGITS = 3;

  private final Connection connection;
  private final TableName table;
  private final Rows rows;
  private final int threads;

  Client(Connection connection, TableName table, Rows rows, int threads) {
    this.connection = connection;
    this.table = table;
    this.rows = rows;
    this.threads = threads;
  }

  /** The result of a run; {@code bytesPut} counts keys and values, 0 for reads. */
  record Done(long bytesPut, double seconds, long errors, Latency latency) {}

  /** One call; returns the number of errors in its result. */
  private interface Call {
    long run(Table table, long index) throws IOException;
  }

  /** Puts rows in batches. The function maps an index to the number of its row. */
  Done put(long count, LongUnaryOperator idOf, long version) throws IOException {
    return run(count * rows.bytes(), (count + BATCH - 1) / BATCH, (open, batch) -> {
      List<Put> puts = new ArrayList<>(BATCH);
      for (long i = batch * BATCH; i < Math.min(count, (batch + 1) * BATCH); i++) {
        puts.add(rows.put(idOf.applyAsLong(i), version));
      }
      open.put(puts);
      return 0;
    });
  }

  /** Looks up random rows with numbers below a bound. */
  Done get(long count, long bound) throws IOException {
    return run(0, count, (open, index) -> {
      long id = random(index, bound);
      Result row = open.get(Rows.get(id));
      return Arrays.equals(row.getRow(), Rows.key(id)) && rows.isValid(row) ? 0 : 1;
    });
  }

  /**
   * Scans from random rows with numbers below a bound; scans near the end of the table are shorter.
   *
   * @param caches whether the server adds the blocks that it reads to its cache
   */
  Done scan(long count, long bound, boolean caches) throws IOException {
    return run(0, count, (open, index) -> {
      byte[] from = Rows.key(random(index, bound));
      Scan scan = new Scan()
          .withStartRow(from)
          .setLimit(HBaseSpec.SCAN_ROWS)
          .setCaching(HBaseSpec.SCAN_ROWS)
          .setCacheBlocks(caches);
      long errors = 0;
      byte[] last = null;
      try (ResultScanner found = open.getScanner(scan)) {
        for (Result row : found) {
          boolean inOrder = last == null
              ? Arrays.equals(row.getRow(), from)
              : Arrays.compareUnsigned(last, row.getRow()) < 0;
          errors += inOrder && rows.isValid(row) ? 0 : 1;
          last = row.getRow();
        }
      }
      return last == null ? 1 : errors;
    });
  }

  /** A step before a timed call. */
  interface Step {
    void run() throws IOException;
  }

  /** A call that is timed; returns the number of errors. */
  interface Timed {
    long run() throws IOException;
  }

  /** Makes a call repeatedly on this thread, each time after a step that is not timed. */
  static Done timed(int count, Step before, Timed call) throws IOException {
    ConcurrentHistogram nanos = new ConcurrentHistogram(SIGNIFICANT_DIGITS);
    long errors = 0;
    long sum = 0;
    for (int i = 0; i < count; i++) {
      before.run();
      long begin = System.nanoTime();
      errors += call.run();
      long time = System.nanoTime() - begin;
      nanos.recordValue(time);
      sum += time;
    }
    return new Done(0, sum / 1e9, errors, Latency.of(nanos));
  }

  /** A random number below a bound, determined by the index. */
  static long random(long index, long bound) {
    return Long.remainderUnsigned(Mix64.mix(index + 1), bound);
  }

  private Done run(long bytesPut, long count, Call call) throws IOException {
    ConcurrentHistogram nanos = new ConcurrentHistogram(SIGNIFICANT_DIGITS);
    AtomicLong next = new AtomicLong();
    AtomicLong errors = new AtomicLong();
    AtomicLong number = new AtomicLong();
    ExecutorService executor = Executors.newFixedThreadPool(
        threads, task -> new Thread(task, "client-" + number.incrementAndGet()));
    long begin = System.nanoTime();
    try {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        running.add(executor.submit(() -> {
          try (Table open = connection.getTable(table)) {
            for (long index = next.getAndIncrement();
                index < count;
                index = next.getAndIncrement()) {
              long before = System.nanoTime();
              errors.addAndGet(call.run(open, index));
              nanos.recordValue(System.nanoTime() - before);
            }
          }
          return null;
        }));
      }
      for (Future<?> future : running) {
        future.get();
      }
    } catch (ExecutionException | InterruptedException e) {
      throw new IOException(e);
    } finally {
      executor.shutdown();
    }
    double seconds = (System.nanoTime() - begin) / 1e9;
    return new Done(bytesPut, seconds, errors.get(), Latency.of(nanos));
  }
}
