// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A scan of a map that no longer changes.
 *
 * <p>Threads: one thread at a time, except for the store's close, which any thread may call.
 */
final class ModelIterator implements KvIterator {

  private final ModelStore store;
  private final boolean keysOnly;
  private final Iterator<Map.Entry<byte[], byte[]>> entries;
  private long left;
  private Map.@Nullable Entry<byte[], byte[]> current;
  private boolean closed;

  /** Creates an iterator; called with the store's monitor held. */
  ModelIterator(ModelStore store, ModelMap snapshot, ScanOptions options) {
    this.store = store;
    this.keysOnly = options.isKeysOnly();
    this.left = options.limit();
    this.entries = snapshot.range(options).iterator();
    store.counters().opened();
  }

  @Override
  public boolean next() {
    checkOpen();
    boolean more = left > 0 && entries.hasNext();
    current = more ? entries.next() : null;
    left--;
    return more;
  }

  @Override
  public byte[] key() {
    return current().getKey().clone();
  }

  @Override
  public byte[] value() {
    Map.Entry<byte[], byte[]> entry = current();
    if (keysOnly) {
      throw new IllegalStateException("the scan reads keys only");
    }
    return entry.getValue().clone();
  }

  private Map.Entry<byte[], byte[]> current() {
    checkOpen();
    if (current == null) {
      throw new IllegalStateException("the iterator is not at an entry: call next() first");
    }
    return current;
  }

  private void checkOpen() {
    if (closed) {
      throw new StoreClosedException("iterator");
    }
    store.checkOpen();
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      store.counters().closed();
    }
  }
}
