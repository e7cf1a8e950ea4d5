// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.hbase.server;

import io.github.rlsm.bench.gauge.MemorySampler;
import io.github.rlsm.bench.gauge.ProcessIo;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.MetricsRecord;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;

/**
 * Reads the figures of this process, and HBase's figures from the sources of its metrics. Their JMX
 * beans would be up to a second old, and a phase may be shorter.
 *
 * <p>Threads: one.
 */
final class ServerCountersGauge implements AutoCloseable {

  /** The names of HBase's sources begin with this. */
  private static final String PLACE = "RegionServer,sub=";

  private static final String FLUSHED = "flushedOutputBytes";
  private static final String COMPACTED = "compactedOutputBytes";
  private static final String CACHED = "blockCacheDataHitCount";
  private static final String READ = "blockCacheDataMissCount";

  /** Counts only with our engine. Hadoop begins the names of its metrics with a capital. */
  private static final String VALUES = "ValuesReadAtOffsetCount";

  private static final Set<String> NEEDED = Set.of(FLUSHED, COMPACTED, CACHED, READ);
  private static final int TRIES = 200;
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final MemorySampler memory = new MemorySampler();

  /** Reads the current figures. */
  ServerCounters read() throws IOException {
    Map<String, Long> server = numbers("Server");
    // HBase may not have registered its sources yet.
    for (int i = 0; i < TRIES && !server.keySet().containsAll(NEEDED); i++) {
      LockSupport.parkNanos(PAUSE_NANOS);
      server = numbers("Server");
    }
    Map<String, Long> engine = numbers("Rlsm");
    return new ServerCounters(
        new ServerCounters.OfProcess(
            ProcessIo.now().bytesWritten(),
            new ServerCounters.Processor(
                processorSeconds(),
                ManagementFactory.getCompilationMXBean().getTotalCompilationTime() / 1e3),
            memory.takePeak()),
        server.getOrDefault(FLUSHED, -1L),
        server.getOrDefault(COMPACTED, -1L),
        new ServerCounters.Blocks(
            server.getOrDefault(CACHED, -1L),
            server.getOrDefault(READ, -1L),
            engine.getOrDefault(VALUES, 0L)),
        engine);
  }

  private static double processorSeconds() {
    return ProcessHandle.current()
        .info()
        .totalCpuDuration()
        .map(time -> time.toNanos() / 1e9)
        .orElse(-1.0);
  }

  private static Map<String, Long> numbers(String place) {
    Map<String, Long> numbers = new TreeMap<>();
    MetricsSource source = DefaultMetricsSystem.instance().getSource(PLACE + place);
    if (source == null) {
      return numbers;
    }
    MetricsCollectorImpl collector = new MetricsCollectorImpl();
    source.getMetrics(collector, true);
    for (MetricsRecord record : collector.getRecords()) {
      for (AbstractMetric metric : record.metrics()) {
        numbers.put(metric.name(), metric.value().longValue());
      }
    }
    return numbers;
  }

  @Override
  public void close() {
    memory.close();
  }
}
