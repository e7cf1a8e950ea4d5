// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.ycsb;

import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.Vector;
import org.jspecify.annotations.Nullable;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.DBException;
import site.ycsb.Status;

/**
 * Measures every operation of another client.
 *
 * <p>Threads: one thread at a time, like the wrapped client.
 */
final class MeasuredClient extends DB {

  private static final long NOT_STARTED = Long.MIN_VALUE;

  private final DB client;
  private final Latencies latencies = new Latencies();

  /** The intended start of the current operation; without a target, its actual start. */
  private long intendedStart = NOT_STARTED;

  private boolean inReadModifyWrite;
  private long readModifyWriteStart = NOT_STARTED;
  private long lastEnd;
  private Status worst = Status.OK;

  MeasuredClient(DB client) {
    this.client = client;
  }

  /** The measurements so far. */
  Latencies latencies() {
    return latencies;
  }

  /** Sets the intended start of the next operation, in the time of {@link System#nanoTime}. */
  void intendedStart(long nanoTime) {
    intendedStart = nanoTime;
  }

  /** Starts a read-modify-write. It also measures operations that belong to it as one. */
  void beginReadModifyWrite() {
    inReadModifyWrite = true;
    readModifyWriteStart = NOT_STARTED;
    worst = Status.OK;
  }

  /** Ends a read-modify-write and records it. */
  void endReadModifyWrite() {
    inReadModifyWrite = false;
    measured(OperationKind.READ_MODIFY_WRITE, worst, readModifyWriteStart, lastEnd);
  }

  @Override
  public void setProperties(Properties properties) {
    client.setProperties(properties);
  }

  @Override
  public Properties getProperties() {
    return client.getProperties();
  }

  @Override
  public void init() throws DBException {
    client.init();
  }

  @Override
  public void cleanup() throws DBException {
    client.cleanup();
  }

  @Override
  public Status read(
      String table, String key, @Nullable Set<String> fields, Map<String, ByteIterator> result) {
    long start = System.nanoTime();
    return ended(OperationKind.READ, start, client.read(table, key, fields, result));
  }

  @Override
  @SuppressWarnings("NonApiType") // the signature is YCSB's
  public Status scan(
      String table,
      String startkey,
      int recordcount,
      @Nullable Set<String> fields,
      Vector<HashMap<String, ByteIterator>> result) {
    long start = System.nanoTime();
    return ended(
        OperationKind.SCAN, start, client.scan(table, startkey, recordcount, fields, result));
  }

  @Override
  public Status update(String table, String key, Map<String, ByteIterator> values) {
    long start = System.nanoTime();
    return ended(OperationKind.UPDATE, start, client.update(table, key, values));
  }

  @Override
  public Status insert(String table, String key, Map<String, ByteIterator> values) {
    long start = System.nanoTime();
    return ended(OperationKind.INSERT, start, client.insert(table, key, values));
  }

  @Override
  public Status delete(String table, String key) {
    long start = System.nanoTime();
    return ended(OperationKind.DELETE, start, client.delete(table, key));
  }

  private Status ended(OperationKind kind, long start, Status status) {
    lastEnd = System.nanoTime();
    if (inReadModifyWrite) {
      readModifyWriteStart = readModifyWriteStart == NOT_STARTED ? start : readModifyWriteStart;
      worst = status.isOk() ? worst : status;
    }
    measured(kind, status, start, lastEnd);
    return status;
  }

  private void measured(OperationKind kind, Status status, long start, long end) {
    latencies.record(kind, status, end - start);
    if (intendedStart != NOT_STARTED && status.isOk()) {
      latencies.recordIntended(kind, end - intendedStart);
    }
  }
}
