// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.files;

import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/**
 * An object that the scanners of a scan's files share. HBase passes no object of the scan to a
 * file. But it creates the scanners of a scan one after the other on one thread, and numbers them
 * from 0. So the object is found by the thread.
 *
 * <p>The scanners keep the object alive. A thread without scans does not.
 *
 * <p>Threads: any; each finds the object of the scan whose scanners it creates.
 */
final class SharedByScan<T> {

  @SuppressWarnings("ThreadLocalUsage") // every object of this class is in a static field
  private final ThreadLocal<@Nullable WeakReference<T>> ofThread = new ThreadLocal<>();

  /**
   * Forgets the object of the scan before. Call this for each scanner.
   *
   * @param order the order of the scanner, which is 0 for the first one of a scan
   */
  void begin(long order) {
    if (order == 0) {
      ofThread.remove();
    }
  }

  /** Returns the scan's object; null if none was set. */
  @Nullable
  T get() {
    WeakReference<T> reference = ofThread.get();
    return reference == null ? null : reference.get();
  }

  /** Sets the object for the scanners that follow. */
  void set(T shared) {
    ofThread.set(new WeakReference<>(shared));
  }
}
