// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.version;

import org.jspecify.annotations.Nullable;

/**
 * A live table, opened when it is first read. Versions that name the table share its handle, and it
 * is closed when the last of them is dead. An open table can be {@linkplain #evict evicted} before,
 * and is then opened again by the next read.
 *
 * <p>Threads: any. {@link #table} is called only under a pin of a version that names the table, so
 * never during or after {@link #close}; opening is guarded by the handle's monitor.
 *
 * @param <T> an open table
 */
final class TableHandle<T> {

  private final TableMeta meta;
  private final VersionHost<T> host;

  /** Written under the monitor; the write publishes the open table to lock-free readers. */
  private volatile @Nullable T table;

  TableHandle(TableMeta meta, VersionHost<T> host) {
    this.meta = meta;
    this.host = host;
  }

  TableMeta meta() {
    return meta;
  }

  T table() {
    T open = table;
    return open != null ? open : open();
  }

  private synchronized T open() {
    T open = table;
    if (open == null) {
      open = host.openTable(meta);
      table = open;
    }
    return open;
  }

  boolean isOpen() {
    return table != null;
  }

  /**
   * Drops the open table, so that the next reader opens it again.
   *
   * @return closes the table as it was open so far, once it is not read any more; null if it was
   *     not open
   */
  synchronized @Nullable Runnable evict() {
    T open = table;
    table = null;
    return open == null ? null : () -> host.closeTable(open);
  }

  /** Closes the table if it is open. */
  synchronized void close() {
    T open = table;
    if (open != null) {
      host.closeTable(open);
    }
  }
}
