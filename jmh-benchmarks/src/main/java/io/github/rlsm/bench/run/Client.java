// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.run;

import io.github.rlsm.bench.run.Tally.Call;
import io.github.rlsm.bench.store.Session;
import io.github.rlsm.bench.store.StoreKind;
import io.github.rlsm.bench.store.StoreSettings;
import io.github.rlsm.bench.workload.KeyOrder;
import io.github.rlsm.bench.workload.Keys;
import io.github.rlsm.bench.workload.PresentKeys;
import io.github.rlsm.bench.workload.Values;
import java.nio.ByteBuffer;

/**
 * The operations of one client thread. An operation creates its key and value, measures only the
 * call to the store, and checks everything that the store returns.
 *
 * <p>Threads: one thread at a time.
 */
final class Client {

  private final Session session;
  private final int valueBytes;
  private final PresentKeys present;
  private final KeyOrder order;
  private final Tally tally;
  private final ByteBuffer key;
  private final ByteBuffer value;
  private final Session.EntryVisitor scanCheck = this::checkScanned;
  private long previousKey;

  /** Creates a client of a store with the given keys. */
  Client(Session session, StoreKind kind, int valueBytes, PresentKeys present, Tally tally) {
    this.session = session;
    this.valueBytes = valueBytes;
    this.present = present;
    this.order = present.order();
    this.tally = tally;
    this.key = kind.allocate(StoreSettings.KEY_BYTES);
    this.value = kind.allocate(valueBytes);
  }

  void put(long id, long version) {
    order.fill(key, id);
    Values.fill(value, valueBytes, id, version);
    long begin = System.nanoTime();
    session.put(key, value);
    tally.latency(Call.PUT).recordValue(System.nanoTime() - begin);
    tally.countPut();
    tally.countOperation();
  }

  void get(long id) {
    order.fill(key, id);
    long begin = System.nanoTime();
    boolean found = session.get(key, value);
    tally.latency(Call.GET).recordValue(System.nanoTime() - begin);
    if (!found) {
      tally.countMissing(present.contains(id) ? 1 : 0);
    } else {
      tally.countEntry();
      if (!present.contains(id) || !Values.isValid(value, valueBytes, id)) {
        tally.countWrong();
      }
    }
    tally.countOperation();
  }

  void delete(long id) {
    order.fill(key, id);
    long begin = System.nanoTime();
    session.delete(key);
    tally.latency(Call.DELETE).recordValue(System.nanoTime() - begin);
    tally.countOperation();
  }

  /** Scans. The latency includes the checks, which represent an application's use of entries. */
  void scan(long fromId, int limit) {
    order.fill(key, fromId);
    previousKey = Long.MIN_VALUE;
    long begin = System.nanoTime();
    int visited = session.scan(key, limit, scanCheck);
    tally.latency(Call.SCAN).recordValue(System.nanoTime() - begin);
    tally.countMissing(Math.max(0, present.certainFrom(fromId, limit) - visited));
    tally.countOperation();
  }

  private void checkScanned(ByteBuffer scannedKey, ByteBuffer scannedValue) {
    tally.countEntry();
    long id = order.id(scannedKey);
    if (id == Keys.NO_ID
        || !present.contains(id)
        || !isAscending(id)
        || !Values.isValid(scannedValue, valueBytes, id)) {
      tally.countWrong();
    }
  }

  private boolean isAscending(long id) {
    long ordered = order.order(id);
    boolean ascending = previousKey == Long.MIN_VALUE || ordered > previousKey;
    previousKey = ordered;
    return ascending;
  }
}
