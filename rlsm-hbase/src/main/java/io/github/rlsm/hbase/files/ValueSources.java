// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.files;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Where a key file's shadows have their values, by number, and how many scanners read there. When
 * value files are merged, a key file gets other ones, while scanners go on with those they have.
 *
 * <p>Threads: any.
 */
final class ValueSources {

  private final List<PartitionedStoreFile> files;
  private final AtomicInteger readers = new AtomicInteger();
  private volatile boolean replaced;

  ValueSources(List<PartitionedStoreFile> files) {
    this.files = List.copyOf(files);
  }

  List<PartitionedStoreFile> files() {
    return files;
  }

  /** A scanner begins; whoever calls looks afterwards whether these are still the right ones. */
  void begin() {
    readers.incrementAndGet();
  }

  /** A scanner has ended. */
  void end() {
    readers.decrementAndGet();
  }

  /** No scanner begins from here on. */
  void replace() {
    replaced = true;
  }

  boolean isRead() {
    return readers.get() > 0;
  }

  /** Whether no value file has to mind these any more. */
  boolean isOver() {
    return replaced && !isRead();
  }
}
