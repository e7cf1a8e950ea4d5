// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import io.github.rlsm.io.MappedFile;
import io.github.rlsm.io.StoreDirectory;
import io.github.rlsm.io.StoreFileName;
import io.github.rlsm.level.Table;
import io.github.rlsm.level.TableAccess;
import io.github.rlsm.log.ValueLog;
import io.github.rlsm.version.TableMeta;
import io.github.rlsm.version.VersionHost;

/** Opens and closes tables, and frees value segments, for the version set. Threads: any. */
final class EngineFiles implements VersionHost<Table> {

  private final StoreDirectory directory;
  private final ValueLog values;
  private final long storeId;
  private final TableAccess access;
  private final Releases releases;

  EngineFiles(
      StoreDirectory directory,
      ValueLog values,
      long storeId,
      TableAccess access,
      Releases releases) {
    this.directory = directory;
    this.values = values;
    this.storeId = storeId;
    this.access = access;
    this.releases = releases;
  }

  @Override
  public Table openTable(TableMeta meta) {
    MappedFile file = directory.openReadOnly(StoreFileName.table(meta.number()));
    try {
      return Table.open(file, storeId, meta.number(), access);
    } catch (RuntimeException | Error e) {
      file.close();
      throw e;
    }
  }

  @Override
  public void closeTable(Table table) {
    table.close();
  }

  @Override
  public void freeSegment(int number) {
    values.free(number);
  }

  @Override
  public void execute(Runnable task) {
    releases.add(task);
  }
}
