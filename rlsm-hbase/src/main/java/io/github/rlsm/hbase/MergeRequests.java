// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.mob.MobFileCache;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionLifeCycleTracker;
import org.apache.hadoop.hbase.util.Threads;
import org.apache.hbase.thirdparty.com.google.common.collect.MapMaker;
import org.apache.hbase.thirdparty.com.google.common.util.concurrent.ThreadFactoryBuilder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Requests compactions that scans have paid for. HBase's queue of compactions has a lock whose
 * holder may wait for the lock of a store's files. A scan holds the latter, so it must not request
 * a compaction on its own thread.
 *
 * <p>Each region server has one object, with a thread that ends when it has no work. So a request
 * that waits delays no other server of the JVM.
 *
 * <p>Threads: any.
 */
final class MergeRequests {

  private static final Logger LOG = LoggerFactory.getLogger(MergeRequests.class);

  /**
   * The objects of region servers. HBase does not give a store its region server. So the key is the
   * server's cache of MOB files: each server creates exactly one. Keys are weak, so an entry does
   * not outlive the server.
   */
  private static final ConcurrentMap<MobFileCache, MergeRequests> OF_SERVERS =
      new MapMaker().weakKeys().makeMap();

  private final Executor executor = executor();

  private MergeRequests() {}

  /** The requests of a region's server; empty if the region belongs to no server. */
  static Optional<MergeRequests> of(HRegion region) {
    // Only a region of a server has a host of coprocessors; a client may give its region a cache.
    return Optional.ofNullable(
            region.getCoprocessorHost() == null ? null : region.getMobFileCache())
        .map(server -> OF_SERVERS.computeIfAbsent(server, added -> new MergeRequests()));
  }

  private static Executor executor() {
    ThreadPoolExecutor executor = new ThreadPoolExecutor(
        1,
        1,
        1,
        TimeUnit.MINUTES,
        new LinkedBlockingQueue<>(),
        new ThreadFactoryBuilder()
            .setNameFormat("rlsm-scan-merges")
            .setDaemon(true)
            .setUncaughtExceptionHandler(Threads.LOGGING_EXCEPTION_HANDLER)
            .build());
    executor.allowCoreThreadTimeOut(true);
    return executor;
  }

  /** Requests a compaction of a store, later and on another thread. */
  void request(HStore store) {
    executor.execute(() -> requestNow(store));
  }

  private static void requestNow(HStore store) {
    try {
      store
          .getHRegion()
          .requestCompaction(
              store.getColumnFamilyDescriptor().getName(),
              "scans have paid for a merge",
              Store.NO_PRIORITY,
              false,
              CompactionLifeCycleTracker.DUMMY);
    } catch (IOException e) {
      LOG.warn("Cannot request a compaction of {}", store, e);
    }
  }
}
