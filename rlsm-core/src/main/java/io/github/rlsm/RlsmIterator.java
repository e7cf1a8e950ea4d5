// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import io.github.rlsm.engine.EngineScan;
import io.github.rlsm.kv.KvIterator;
import io.github.rlsm.kv.ScanOptions;

/** A scan as the user sees it. Threads: one at a time. */
final class RlsmIterator implements KvIterator {

  private final EngineScan scan;
  private final int prefixLength;
  private final boolean keysOnly;
  private long left;
  private boolean onEntry;

  RlsmIterator(EngineScan scan, int prefixLength, ScanOptions options) {
    this.scan = scan;
    this.prefixLength = prefixLength;
    this.keysOnly = options.isKeysOnly();
    this.left = options.limit();
  }

  @Override
  public boolean next() {
    if (left == 0) {
      scan.check();
      onEntry = false;
    } else {
      onEntry = scan.next();
      left = onEntry ? left - 1 : 0;
    }
    return onEntry;
  }

  @Override
  public byte[] key() {
    scan.check();
    checkOnEntry();
    return scan.key(prefixLength);
  }

  @Override
  public byte[] value() {
    scan.check();
    checkOnEntry();
    if (keysOnly) {
      throw new IllegalStateException("the scan reads keys only");
    }
    return scan.value();
  }

  private void checkOnEntry() {
    if (!onEntry) {
      throw new IllegalStateException("the iterator is not on an entry; call next() first");
    }
  }

  @Override
  public void close() {
    scan.close();
  }
}
