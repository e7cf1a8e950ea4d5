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
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/**
 * Reads the figures of this process, and HBase's figures from JMX.
 *
 * <p>Threads: one.
 */
final class ServerCountersGauge implements AutoCloseable {

  private static final String PLACE = "Hadoop:service=HBase,name=RegionServer,sub=";

  private static final String FLUSHED = "flushedOutputBytes";
  private static final String COMPACTED = "compactedOutputBytes";
  private static final String CACHED = "blockCacheDataHitCount";
  private static final String READ = "blockCacheDataMissCount";
  private static final Set<String> NEEDED = Set.of(FLUSHED, COMPACTED, CACHED, READ);
  private static final int TRIES = 200;
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
  private final MemorySampler memory = new MemorySampler();

  /** Reads the current figures. HBase's may be a second old. */
  ServerCounters read() throws IOException {
    Map<String, Long> server = numbers("Server");
    // HBase removes its beans and registers them again whenever it has a new metric.
    for (int i = 0; i < TRIES && !server.keySet().containsAll(NEEDED); i++) {
      LockSupport.parkNanos(PAUSE_NANOS);
      server = numbers("Server");
    }
    return new ServerCounters(
        ProcessIo.now().bytesWritten(),
        server.getOrDefault(FLUSHED, -1L),
        server.getOrDefault(COMPACTED, -1L),
        new ServerCounters.Blocks(server.getOrDefault(CACHED, -1L), server.getOrDefault(READ, -1L)),
        numbers("Rlsm"),
        memory.takePeak());
  }

  private Map<String, Long> numbers(String place) throws IOException {
    Map<String, Long> numbers = new TreeMap<>();
    try {
      ObjectName name = new ObjectName(PLACE + place);
      if (!beans.isRegistered(name)) {
        return numbers;
      }
      for (MBeanAttributeInfo attribute : beans.getMBeanInfo(name).getAttributes()) {
        if (beans.getAttribute(name, attribute.getName()) instanceof Number number) {
          numbers.put(attribute.getName(), number.longValue());
        }
      }
    } catch (JMException e) {
      throw new IOException(e);
    }
    return numbers;
  }

  @Override
  public void close() {
    memory.close();
  }
}
