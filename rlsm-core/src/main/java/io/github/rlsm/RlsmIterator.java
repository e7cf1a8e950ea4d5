// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import io.github.rlsm.kv.KvIterator;
import io.github.rlsm.read.Scan;
import java.nio.ByteBuffer;
import java.util.Objects;

/** The user's iterator over an engine scan. Threads: one at a time. */
final class RlsmIterator implements KvIterator {

  private final Scan scan;
  private final int prefixLength;
  private final boolean keysOnly;
  private boolean onEntry;

  RlsmIterator(Scan scan, int prefixLength, boolean keysOnly) {
    this.scan = scan;
    this.prefixLength = prefixLength;
    this.keysOnly = keysOnly;
  }

  @Override
  public boolean next() {
    onEntry = false;
    onEntry = scan.next();
    return onEntry;
  }

  @Override
  public byte[] key() {
    checkKey();
    return scan.key(prefixLength);
  }

  @Override
  public int key(ByteBuffer destination) {
    Objects.requireNonNull(destination, "destination");
    checkKey();
    return scan.key(prefixLength, destination);
  }

  @Override
  public byte[] value() {
    checkValue();
    return scan.value();
  }

  @Override
  public int value(ByteBuffer destination) {
    Objects.requireNonNull(destination, "destination");
    checkValue();
    return scan.value(destination);
  }

  private void checkKey() {
    scan.check();
    if (!onEntry) {
      throw new IllegalStateException("the iterator is not on an entry; call next() first");
    }
  }

  private void checkValue() {
    checkKey();
    if (keysOnly) {
      throw new IllegalStateException("the scan reads keys only; start a scan without keysOnly");
    }
  }

  @Override
  public void close() {
    scan.close();
  }
}
