// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard;

import io.github.rlsm.kv.KvIterator;
import io.github.rlsm.kv.ScanOptions;
import io.github.rlsm.kv.StoreClosedException;
import io.github.rlsm.shard.worker.Shards;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * An iterator that merges the shards' scans by key, in either direction. No key is in two shards.
 *
 * <p>Threads: one at a time; the calling thread reads the shards itself.
 */
public final class MergedIterator implements KvIterator {

  private static final Comparator<Source> ASCENDING =
      (a, b) -> Arrays.compareUnsigned(a.key, b.key);

  private final Runnable check;
  private final Runnable closing;
  private final List<KvIterator> iterators;
  private final PriorityQueue<Source> ahead;
  private long left;
  private boolean started;
  private boolean closed;
  private @Nullable Source current;

  /** The first error. After an error, the next entry in key order is unknown. */
  private @Nullable RuntimeException failure;

  /**
   * Creates a merged scan.
   *
   * @param check throws if reads are not allowed any more
   * @param closing runs once, when the scan is closed
   */
  public MergedIterator(
      List<KvIterator> iterators, ScanOptions options, Runnable check, Runnable closing) {
    this.check = check;
    this.closing = closing;
    this.iterators = iterators;
    this.ahead = new PriorityQueue<>(
        iterators.size(), options.isReverse() ? ASCENDING.reversed() : ASCENDING);
    this.left = options.limit();
  }

  /** Returns a scan that is counted while it is open. */
  static MergedIterator of(Shards shards, List<KvIterator> iterators, ScanOptions options) {
    shards.snapshotOpened();
    return new MergedIterator(iterators, options, shards::checkReads, shards::snapshotClosed);
  }

  @Override
  public boolean next() {
    checkOpen();
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
    check.run();
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      iterators.forEach(KvIterator::close);
      closing.run();
    }
  }

  /** The scan of one shard, and its current key. */
  private static final class Source {

    private final KvIterator iterator;
    private byte[] key = {};

    Source(KvIterator iterator) {
      this.iterator = iterator;
    }
  }
}
