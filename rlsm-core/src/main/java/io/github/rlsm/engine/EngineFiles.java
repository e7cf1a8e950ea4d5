// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import io.github.rlsm.io.MappedFile;
import io.github.rlsm.io.StoreDirectory;
import io.github.rlsm.io.StoreFileName;
import io.github.rlsm.table.Table;
import io.github.rlsm.table.TableAccess;
import io.github.rlsm.valuelog.ValueLog;
import io.github.rlsm.version.TableMeta;
import io.github.rlsm.versionset.VersionHost;
import java.util.concurrent.atomic.AtomicLong;

/** Opens and closes tables and frees value segments for the version set. Threads: any. */
final class EngineFiles implements VersionHost<Table> {

  private final StoreDirectory directory;
  private final ValueLog values;
  private final long storeId;
  private final TableAccess access;
  private final DeferredCleanup deletions;
  private final Runnable whenMapped;
  private final AtomicLong openTables = new AtomicLong();

  EngineFiles(
      StoreDirectory directory,
      ValueLog values,
      long storeId,
      TableAccess access,
      DeferredCleanup deletions,
      Runnable whenMapped) {
    this.directory = directory;
    this.values = values;
    this.storeId = storeId;
    this.access = access;
    this.deletions = deletions;
    this.whenMapped = whenMapped;
  }

  @Override
  public Table openTable(TableMeta meta) {
    MappedFile file = directory.openReadOnly(StoreFileName.table(meta.number()));
    try {
      Table table = Table.open(file, storeId, meta.number(), access);
      openTables.incrementAndGet();
      whenMapped.run();
      return table;
    } catch (RuntimeException | Error e) {
      file.close();
      throw e;
    }
  }

  /** Returns the number of open tables, which is the number of mapped ones. */
  long openTables() {
    return openTables.get();
  }

  @Override
  public void closeTable(Table table) {
    openTables.decrementAndGet();
    table.close();
  }

  @Override
  public void freeSegment(int number) {
    values.free(number);
  }

  @Override
  public void punchSegment(int number, long[] ranges) {
    values.punch(number, ranges);
  }

  @Override
  public void execute(Runnable task) {
    deletions.add(task);
  }
}
