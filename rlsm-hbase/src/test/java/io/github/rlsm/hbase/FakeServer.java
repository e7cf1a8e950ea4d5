// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.mob.MobFileCache;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.RegionServerAccounting;
import org.apache.hadoop.hbase.regionserver.RegionServerServices;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequester;

/**
 * A region server with only the services that an open region needs. It records requests for
 * compactions.
 *
 * <p>Threads: any.
 */
final class FakeServer {

  /** The family and the reason of each request. */
  final BlockingQueue<String> requests = new LinkedBlockingQueue<>();

  private final CountDownLatch released;
  private final Map<String, Object> services;

  /**
   * Creates a server.
   *
   * @param released a request for a compaction waits for it
   */
  FakeServer(Configuration conf, CountDownLatch released) {
    this(conf, released, Optional.empty());
  }

  /** Creates a server that may have a block cache. */
  FakeServer(Configuration conf, CountDownLatch released, Optional<BlockCache> cache) {
    this.released = released;
    this.services = Map.of(
        "getServerName",
        ServerName.valueOf("localhost", 16020, 1),
        "getConfiguration",
        conf,
        "getBlockCache",
        cache,
        "getMobFileCache",
        Optional.of(new MobFileCache(conf)),
        "getRegionServerAccounting",
        new RegionServerAccounting(conf),
        "getCompactionRequestor",
        proxy(CompactionRequester.class, this::request));
  }

  RegionServerServices services() {
    return proxy(RegionServerServices.class, (proxy, method, arguments) -> {
      if (method.getReturnType() == boolean.class) {
        return false;
      }
      return services.get(method.getName());
    });
  }

  private Object request(Object proxy, Method method, Object[] arguments)
      throws InterruptedException {
    released.await();
    HStore store = (HStore) arguments[1];
    requests.add(method.getName() + " " + store.getColumnFamilyName() + " "
        + Arrays.stream(arguments).filter(String.class::isInstance).findFirst().orElse(""));
    return null;
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }
}
