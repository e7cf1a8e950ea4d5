// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.bench.run.Tally.Call;
import io.github.rlsm.bench.store.Session;
import io.github.rlsm.bench.store.StoreKind;
import io.github.rlsm.bench.workload.KeyOrder;
import io.github.rlsm.bench.workload.Keys;
import io.github.rlsm.bench.workload.PresentKeys;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ClientTest {

  private static final int KEYS = 1_000;
  private static final int VALUE_BYTES = 100;

  private final MapSession session = new MapSession();
  private final Tally tally = new Tally();
  private final Client client = new Client(
      session,
      StoreKind.MVSTORE,
      VALUE_BYTES,
      PresentKeys.none(KeyOrder.RANDOM).loaded(KEYS),
      tally);

  @BeforeEach
  void load() {
    for (long id = 0; id < KEYS; id++) {
      client.put(id, 1);
    }
  }

  @Test
  void correctStoreHasNoErrors() {
    client.get(3);
    client.scan(3, 100);
    client.scan(last(), 100);
    assertThat(tally.operations()).isEqualTo(KEYS + 3);
    assertThat(tally.puts()).isEqualTo(KEYS);
    assertThat(tally.entries()).isEqualTo(1 + 100 + 1);
    assertThat(tally.missing() + tally.wrong()).isZero();
    assertThat(tally.latency(Call.PUT).getTotalCount()).isEqualTo(KEYS);
    assertThat(tally.latency(Call.GET).getTotalCount()).isEqualTo(1);
    assertThat(tally.latency(Call.SCAN).getTotalCount()).isEqualTo(2);
  }

  @Test
  void countsMissingKey() {
    session.entries.remove(key(3));
    client.get(3);
    assertThat(tally.missing()).isEqualTo(1);
  }

  @Test
  void countsWrongValue() {
    session.entries.put(key(3), session.entries.get(key(4)));
    client.get(3);
    client.scan(3, 1);
    assertThat(tally.wrong()).isEqualTo(2);
  }

  @Test
  void countsUnknownKeyInScan() {
    ByteBuffer strange = ByteBuffer.allocate(16).put(key(3).duplicate()).flip();
    strange.put(15, (byte) (strange.get(15) + 1));
    session.entries.put(strange, session.entries.get(key(3)));
    client.scan(3, 3);
    assertThat(tally.wrong()).isEqualTo(1);
  }

  @Test
  void countsScanThatEndsEarly() {
    session.limit = 10;
    long first = 0;
    for (long id = 1; id < KEYS; id++) {
      first = Keys.order(id) < Keys.order(first) ? id : first;
    }
    client.scan(first, 100);
    assertThat(tally.missing()).isEqualTo(90);
  }

  @Test
  void countsScanOutOfOrder() {
    session.repeatFirst = true;
    client.scan(3, 10);
    assertThat(tally.wrong()).isEqualTo(1);
  }

  private static long last() {
    long last = 0;
    for (long id = 1; id < KEYS; id++) {
      last = Keys.order(id) > Keys.order(last) ? id : last;
    }
    return last;
  }

  private static ByteBuffer key(long id) {
    ByteBuffer key = ByteBuffer.allocate(16);
    Keys.fill(key, id);
    return key;
  }

  /** A store in memory that can inject wrong results. */
  private static final class MapSession implements Session {

    private final TreeMap<ByteBuffer, ByteBuffer> entries =
        new TreeMap<>((a, b) -> Arrays.compareUnsigned(a.array(), b.array()));
    private int limit = Integer.MAX_VALUE;
    private boolean repeatFirst;

    @Override
    public void put(ByteBuffer key, ByteBuffer value) {
      entries.put(copy(key), copy(value));
    }

    @Override
    public boolean get(ByteBuffer key, ByteBuffer value) {
      ByteBuffer found = entries.get(key);
      if (found != null) {
        value.clear().put(found.duplicate()).flip();
      }
      return found != null;
    }

    @Override
    public void delete(ByteBuffer key) {
      entries.remove(key);
    }

    @Override
    public int scan(ByteBuffer from, int wanted, EntryVisitor visitor) {
      Iterator<Map.Entry<ByteBuffer, ByteBuffer>> rest =
          entries.tailMap(from).entrySet().iterator();
      int visited = 0;
      while (visited < Math.min(wanted, limit) && rest.hasNext()) {
        Map.Entry<ByteBuffer, ByteBuffer> entry = rest.next();
        visitor.entry(entry.getKey(), entry.getValue());
        visited++;
        if (repeatFirst && visited == 1) {
          visitor.entry(entry.getKey(), entry.getValue());
          visited++;
        }
      }
      return visited;
    }

    @Override
    public void close() {}

    private static ByteBuffer copy(ByteBuffer buffer) {
      return ByteBuffer.allocate(buffer.remaining()).put(buffer.duplicate()).flip();
    }
  }
}
