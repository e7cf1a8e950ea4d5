// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.hbase.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.MetricsSystem;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.metrics2.lib.Interns;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Reads counters as HBase registers them. */
class ServerCountersGaugeTest {

  private final AtomicLong cached = new AtomicLong(1);

  @BeforeEach
  void register() {
    DefaultMetricsSystem.setMiniClusterMode(true);
    MetricsSystem system = DefaultMetricsSystem.initialize("HBase");
    MetricsSource server = (collector, all) -> collector
        .addRecord("Server")
        .addCounter(Interns.info("flushedOutputBytes", ""), 2L)
        .addCounter(Interns.info("compactedOutputBytes", ""), 3L)
        .addGauge(Interns.info("blockCacheDataHitCount", ""), cached.get())
        .addCounter(Interns.info("blockCacheDataMissCount", ""), 4L);
    system.register("RegionServer,sub=Server", "a server", server);
    MetricsSource engine = (collector, all) ->
        collector.addRecord("Rlsm").addCounter(Interns.info("ValuesReadAtOffsetCount", ""), 5L);
    system.register("RegionServer,sub=Rlsm", "the engine", engine);
  }

  @AfterEach
  void shutDown() {
    DefaultMetricsSystem.shutdown();
  }

  /** A phase of fast scans takes less than a second. */
  @Test
  void figuresAreCurrent() throws IOException {
    try (ServerCountersGauge gauge = new ServerCountersGauge()) {
      ServerCounters before = gauge.read();
      assertThat(before.blocks()).isEqualTo(new ServerCounters.Blocks(1, 4, 5));
      assertThat(before.flushedBytes()).isEqualTo(2);
      assertThat(before.compactedBytes()).isEqualTo(3);
      cached.addAndGet(10);
      assertThat(gauge.read().blocks()).isEqualTo(new ServerCounters.Blocks(11, 4, 5));
    }
  }
}
