// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.versionset;

import io.github.rlsm.version.TableMeta;
import org.jspecify.annotations.Nullable;

/**
 * A live table that is opened on its first read. All versions that name the table share its handle,
 * which is closed when the last of them is dead. An open table can be {@linkplain #evict evicted}
 * earlier; the next read then opens it again.
 *
 * <p>Threads: any. A caller of {@link #table} holds a pin of a version that names the table, so the
 * call never runs during or after {@link #close}. The handle's monitor guards the opening.
 *
 * @param <T> an open table
 */
final class TableHandle<T> {

  private final TableMeta meta;
  private final VersionHost<T> host;

  /** Written under the monitor. The write publishes the open table to lock-free readers. */
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
   * Detaches the open table, so that the next reader opens it again.
   *
   * @return closes the detached table, to be run when it has no readers; null if it was not open
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
