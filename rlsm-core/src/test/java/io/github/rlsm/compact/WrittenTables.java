// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.compact;

import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.table.PageCache;
import io.github.rlsm.table.ReadCounters;
import io.github.rlsm.table.Table;
import io.github.rlsm.table.TableWriter;
import io.github.rlsm.version.TableMeta;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** Writes tables to a simulated directory, and opens them. */
final class WrittenTables implements AutoCloseable {

  private static final long STORE_ID = 1;
  private static final int ENTRIES_MAX = 1_000;

  private final SimulatedDirectory directory = new SimulatedDirectory();
  private final AtomicLong numbers = new AtomicLong(1);
  private final List<Table> open = new ArrayList<>();
  private final TableFactory factory = new TableFactory(
      directory,
      TableWriter.Settings.DEFAULT,
      STORE_ID,
      1 << 20,
      numbers::getAndIncrement,
      new TableFactory.Control((cause, bytes) -> {}, () -> false));

  record Written(TableMeta meta, Table table) {}

  /** Writes one table. */
  Written write(Consumer<TableFactory.Output> entries) {
    try (TableFactory.Output output = factory.begin(TableFactory.WriteCause.FLUSH, ENTRIES_MAX)) {
      entries.accept(output);
      TableMeta meta = output.finish().get(0);
      Table table = Table.open(
          directory.openReadOnly(meta.fileName()),
          STORE_ID,
          meta.number(),
          new Table.Access(new PageCache(0), new ReadCounters(), false));
      open.add(table);
      return new Written(meta, table);
    }
  }

  @Override
  public void close() {
    open.forEach(Table::close);
  }
}
