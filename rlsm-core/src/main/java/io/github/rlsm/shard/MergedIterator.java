// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard;

import io.github.rlsm.kv.KvIterator;
import io.github.rlsm.kv.ScanOptions;
import io.github.rlsm.kv.StoreClosedException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * The shards' scans merged by key, in either direction. No key is in two of them.
 *
 * <p>Threads: one at a time; the calling thread reads the shards itself.
 */
final class MergedIterator implements KvIterator {

  private static final Comparator<Source> ASCENDING =
      (a, b) -> Arrays.compareUnsigned(a.key, b.key);

  private final ShardedStore store;
  private final List<KvIterator> iterators;
  private final PriorityQueue<Source> ahead;
  private long left;
  private boolean started;
  private boolean closed;
  private @Nullable Source current;

  /** After this no entry is certain to be the next. */
  private @Nullable RuntimeException failure;

  MergedIterator(ShardedStore store, List<KvIterator> iterators, ScanOptions options) {
    this.store = store;
    this.iterators = iterators;
    this.ahead = new PriorityQueue<>(
        iterators.size(), options.isReverse() ? ASCENDING.reversed() : ASCENDING);
    this.left = options.limit();
    store.opened();
  }

  @Override
  public boolean next() {
    check();
    if (failure != null) {
      throw failure;
    }
    Source last = current;
    current = null;
    if (left == 0) {
      return false;
    }
    try {
      if (!started) {
        started = true;
        iterators.forEach(iterator -> advance(new Source(iterator)));
      } else if (last != null) {
        advance(last);
      }
    } catch (RuntimeException e) {
      failure = e;
      throw e;
    }
    current = ahead.poll();
    left--;
    return current != null;
  }

  private void advance(Source source) {
    if (source.iterator.next()) {
      source.key = source.iterator.key();
      ahead.add(source);
    }
  }

  @Override
  public byte[] key() {
    return current().key.clone();
  }

  @Override
  public byte[] value() {
    return current().iterator.value();
  }

  @Override
  public int value(ByteBuffer destination) {
    Objects.requireNonNull(destination, "destination");
    return current().iterator.value(destination);
  }

  private Source current() {
    check();
    if (current == null) {
      throw new IllegalStateException("the iterator is not at an entry: call next() first");
    }
    return current;
  }

  private void check() {
    if (closed) {
      throw new StoreClosedException("iterator");
    }
    store.shards().checkReads();
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      iterators.forEach(KvIterator::close);
      store.closed();
    }
  }

  /** One shard's scan and the key it stands at. */
  private static final class Source {

    private final KvIterator iterator;
    private byte[] key = {};

    Source(KvIterator iterator) {
      this.iterator = iterator;
    }
  }
}
