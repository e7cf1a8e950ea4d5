// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.compact;

import java.util.function.DoubleSupplier;
import org.apache.hadoop.hbase.regionserver.RegionServerServices;
import org.apache.hadoop.hbase.regionserver.throttle.ThroughputController;

/**
 * HBase's limit for the throughput of a compaction, except while the compaction is urgent. HBase
 * lifts its limit above a pressure of 1, when writers have to wait. But it looks at the pressure
 * only once a minute. Here the limit does not hold as soon as the pressure exceeds 1.
 *
 * <p>HBase's limit never learns of the bytes that are written without it. So the compaction does
 * not wait for them later.
 *
 * <p>Threads: the compaction's thread.
 *
 * @param limit HBase's limit
 * @param pressure the present pressure of the store
 */
record UrgentThroughput(ThroughputController limit, DoubleSupplier pressure)
    implements ThroughputController {

  @Override
  public long control(String compactionName, long size) throws InterruptedException {
    return pressure.getAsDouble() > 1 ? 0 : limit.control(compactionName, size);
  }

  @Override
  public void setup(RegionServerServices server) {
    limit.setup(server);
  }

  @Override
  public void start(String compactionName) {
    limit.start(compactionName);
  }

  @Override
  public void finish(String compactionName) {
    limit.finish(compactionName);
  }

  @Override
  public void stop(String why) {
    limit.stop(why);
  }

  @Override
  public boolean isStopped() {
    return limit.isStopped();
  }
}
