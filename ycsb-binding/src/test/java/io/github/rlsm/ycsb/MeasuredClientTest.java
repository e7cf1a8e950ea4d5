// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.ycsb;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.Vector;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;

@SuppressWarnings({"JdkObsolete", "NonApiType"}) // YCSB's API uses Vector and HashMap
class MeasuredClientTest {

  private final ScriptedClient scripted = new ScriptedClient();
  private final MeasuredClient client = new MeasuredClient(scripted);

  @Test
  void recordsLatencyOfSuccessesAndCountsFailures() {
    client.read("t", "k", null, new HashMap<>());
    scripted.next = Status.NOT_FOUND;
    client.read("t", "k", null, new HashMap<>());
    client.read("t", "k", null, new HashMap<>());
    scripted.next = Status.ERROR;
    client.insert("t", "k", Map.of());

    Latencies latencies = client.latencies();
    assertThat(latencies.service(OperationKind.READ).getTotalCount()).isEqualTo(1);
    assertThat(latencies.failures(OperationKind.READ)).isEqualTo(Map.of("NOT_FOUND", 2L));
    assertThat(latencies.failures(OperationKind.INSERT)).isEqualTo(Map.of("ERROR", 1L));
    assertThat(latencies.intended(OperationKind.READ).getTotalCount()).isZero();
  }

  @Test
  void readModifyWriteSpansReadAndUpdate() {
    client.beginReadModifyWrite();
    client.read("t", "k", null, new HashMap<>());
    client.update("t", "k", Map.of());
    client.endReadModifyWrite();
    client.update("t", "k", Map.of());

    Latencies latencies = client.latencies();
    Histogram whole = latencies.service(OperationKind.READ_MODIFY_WRITE);
    assertThat(whole.getTotalCount()).isEqualTo(1);
    assertThat(latencies.service(OperationKind.READ).getTotalCount()).isEqualTo(1);
    assertThat(latencies.service(OperationKind.UPDATE).getTotalCount()).isEqualTo(2);
    assertThat(whole.getMaxValue())
        .isGreaterThanOrEqualTo(latencies.service(OperationKind.READ).getMinValue());
  }

  @Test
  void readModifyWriteFailsWithEitherPart() {
    client.beginReadModifyWrite();
    scripted.next = Status.NOT_FOUND;
    client.read("t", "k", null, new HashMap<>());
    scripted.next = Status.OK;
    client.update("t", "k", Map.of());
    client.endReadModifyWrite();

    assertThat(client.latencies().failures(OperationKind.READ_MODIFY_WRITE))
        .isEqualTo(Map.of("NOT_FOUND", 1L));
  }

  @Test
  void targetThroughputCountsWaitingTime() {
    long second = 1_000_000_000;
    client.intendedStart(System.nanoTime() - second);
    client.scan("t", "k", 1, null, new Vector<>());
    client.delete("t", "k");

    Latencies latencies = client.latencies();
    assertThat(latencies.intended(OperationKind.SCAN).getMinValue())
        .isGreaterThanOrEqualTo(second * 99 / 100);
    assertThat(latencies.intended(OperationKind.DELETE).getTotalCount()).isEqualTo(1);
  }

  @Test
  void latenciesOfThreadsAddUp() {
    client.read("t", "k", null, new HashMap<>());
    scripted.next = Status.ERROR;
    client.read("t", "k", null, new HashMap<>());
    Latencies sum = new Latencies();
    sum.add(client.latencies());
    sum.add(client.latencies());

    assertThat(sum.service(OperationKind.READ).getTotalCount()).isEqualTo(2);
    assertThat(sum.failures(OperationKind.READ)).isEqualTo(Map.of("ERROR", 2L));
  }

  /** A client that returns scripted results. */
  private static final class ScriptedClient extends DB {
    private Status next = Status.OK;

    @Override
    public Status read(
        String table, String key, Set<String> fields, Map<String, ByteIterator> result) {
      return next;
    }

    @Override
    public Status scan(
        String table,
        String startkey,
        int recordcount,
        Set<String> fields,
        Vector<HashMap<String, ByteIterator>> result) {
      return next;
    }

    @Override
    public Status update(String table, String key, Map<String, ByteIterator> values) {
      return next;
    }

    @Override
    public Status insert(String table, String key, Map<String, ByteIterator> values) {
      return next;
    }

    @Override
    public Status delete(String table, String key) {
      return next;
    }
  }
}
