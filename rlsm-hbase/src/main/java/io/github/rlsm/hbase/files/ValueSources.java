// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.files;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The value files of a key file's shadows, by index, and the number of scanners that read them.
 * After a merge of value files a key file gets new sources, while open scanners keep the old ones.
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

  /** Counts a scanner. The caller then checks that these sources are still the current ones. */
  void begin() {
    readers.incrementAndGet();
  }

  /** Counts a closed scanner. */
  void end() {
    readers.decrementAndGet();
  }

  /** Marks these sources as replaced; no scanner begins from here on. */
  void replace() {
    replaced = true;
  }

  boolean isRead() {
    return readers.get() > 0;
  }

  /** Whether value files can forget these sources: they are replaced, and no scanner reads them. */
  boolean isOver() {
    return replaced && !isRead();
  }
}
