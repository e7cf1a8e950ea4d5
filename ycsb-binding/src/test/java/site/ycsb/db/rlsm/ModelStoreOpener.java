// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package site.ycsb.db.rlsm;

import io.github.rlsm.kv.InvalidOptionsException;
import io.github.rlsm.kv.KvStore;
import io.github.rlsm.kv.StoreIoException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Opens {@link FileBackedModelStore}s as the store "model". Its options inject faults:
 * {@code failing.method=put} with {@code failing.after=100} makes a method fail after 100 calls,
 * and {@code garbled=true} changes the last byte of every value read.
 */
public final class ModelStoreOpener implements StoreOpener {

  static final String NAME = "model";

  private static final String FAILING_METHOD = "failing.method";
  private static final String FAILING_AFTER = "failing.after";
  private static final String GARBLED = "garbled";
  private static final AtomicInteger OPENED = new AtomicInteger();
  private static final AtomicInteger SETTLED = new AtomicInteger();

  /** The number of stores that this process has opened. */
  static int opened() {
    return OPENED.get();
  }

  /** The number of times that stores were settled. */
  static int settled() {
    return SETTLED.get();
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public KvStore open(Path directory, Map<String, String> options) {
    TreeSet<String> unknown = new TreeSet<>(options.keySet());
    unknown.removeAll(List.of(FAILING_METHOD, FAILING_AFTER, GARBLED));
    if (!unknown.isEmpty()) {
      throw new InvalidOptionsException(
          new ArrayList<>(unknown).stream().map(name -> "no option " + name).toList());
    }
    OPENED.incrementAndGet();
    return FileBackedModelStore.open(directory, fault(options));
  }

  @Override
  public void settle(KvStore store) {
    SETTLED.incrementAndGet();
    StoreOpener.super.settle(store);
  }

  private static FileBackedModelStore.Fault fault(Map<String, String> options) {
    String failingMethod = options.get(FAILING_METHOD);
    if (failingMethod != null) {
      AtomicLong left = new AtomicLong(Long.parseLong(options.getOrDefault(FAILING_AFTER, "0")));
      return (method, result) -> {
        if (method.equals(failingMethod) && left.getAndDecrement() <= 0) {
          throw new StoreIoException("planted fault in " + method, "model", null);
        }
        return result;
      };
    }
    if (Boolean.parseBoolean(options.get(GARBLED))) {
      return (method, result) -> {
        if (method.equals("get") && result instanceof byte[] value) {
          value[value.length - 1]++;
        }
        return result;
      };
    }
    return FileBackedModelStore.Fault.NONE;
  }
}
