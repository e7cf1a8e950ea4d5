// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.files;

import java.util.BitSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The value files of a key file's shadows, by index, and the number of scanners that read them.
 * After a merge of value files a key file gets new sources, while open scanners keep the old ones.
 *
 * <p>Each value file knows the sources that contain it, so that HBase does not archive the file
 * while they are in use. It forgets them when no scan can use them any more: the key file has other
 * sources or is archived, and all scanners are closed. Otherwise a value file that lives long would
 * keep every value file in memory that was ever named beside it.
 *
 * <p>Threads: any.
 */
final class ValueSources {

  private final PartitionedStoreFile keys;
  private final List<PartitionedStoreFile> files;
  private final BitSet named = new BitSet();
  private final AtomicInteger readers = new AtomicInteger();
  private volatile boolean retired;

  /** Creates the sources of a key file, and links them with the value files. */
  ValueSources(PartitionedStoreFile keys, List<PartitionedStoreFile> files) {
    this.keys = keys;
    this.files = List.copyOf(files);
    this.files.forEach(file -> file.link(this));
    for (int i = 0; i < files.size(); i++) {
      named.set(i, files.get(i).name().equals(keys.valueFile(i)));
    }
  }

  List<PartitionedStoreFile> files() {
    return files;
  }

  /**
   * Whether a file is the one that shadows name, so that their offsets hold. Otherwise it was
   * merged from that file and others.
   */
  boolean isNamed(int index) {
    return named.get(index);
  }

  /** Counts a scanner. The caller then checks that these sources are still the current ones. */
  void begin() {
    readers.incrementAndGet();
  }

  /** Counts a closed scanner. */
  void end() {
    if (readers.decrementAndGet() == 0 && retired) {
      unlink();
    }
  }

  /** Ends the use of these sources; no scanner begins from here on. */
  void retire() {
    retired = true;
    if (readers.get() == 0) {
      unlink();
    }
  }

  private void unlink() {
    files.forEach(file -> file.unlink(this));
  }

  /**
   * Whether a scanner reads these sources, or is about to. HBase counts a scan as a user of the key
   * file before it creates the scanner.
   */
  boolean isRead() {
    return readers.get() > 0 || (!retired && keys.isHeld());
  }
}
