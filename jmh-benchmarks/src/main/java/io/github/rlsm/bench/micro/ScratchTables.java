// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.micro;

import io.github.rlsm.base.CursorEntry;
import io.github.rlsm.base.EntryKind;
import io.github.rlsm.base.KeyOrder;
import io.github.rlsm.bench.run.Directories;
import io.github.rlsm.io.AppendFile;
import io.github.rlsm.io.StoreFileName;
import io.github.rlsm.os.OsDirectory;
import io.github.rlsm.table.PageCache;
import io.github.rlsm.table.ReadCounters;
import io.github.rlsm.table.Table;
import io.github.rlsm.table.TableWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Tables in a temporary directory.
 *
 * <p>Threads: one thread at a time; the tables may be used by many threads.
 */
final class ScratchTables implements AutoCloseable {

  private static final long STORE_ID = 1;
  private static final int DEFAULT_VALUE_BYTES = 100;

  private final Path path = ScratchLog.makeDirectory();
  private final OsDirectory directory = OsDirectory.open(path);
  private final Table.Access access = new Table.Access(new PageCache(0), new ReadCounters(), false);
  private final List<Table> tables = new ArrayList<>();
  private final InternalKeys keys = new InternalKeys();
  private final byte[] value;

  ScratchTables() {
    this(DEFAULT_VALUE_BYTES);
  }

  ScratchTables(int valueBytes) {
    value = new byte[valueBytes];
    new SplittableRandom(1).nextBytes(value);
  }

  /**
   * Writes and opens a table.
   *
   * @param ids numbers of the table's keys, in the order of the keys
   */
  Table write(int[] ids, TableWriter.Settings settings) {
    long number = 1L + tables.size();
    String name = StoreFileName.table(number);
    CursorEntry entry = new CursorEntry();
    try (AppendFile file = directory.create(name);
        TableWriter writer =
            new TableWriter(file, settings, TableWriter.Size.of(ids.length), STORE_ID, number)) {
      for (int id : ids) {
        byte[] key = keys.key(id);
        ByteBuffer bytes =
            ByteBuffer.allocate(key.length + value.length).put(key).put(value);
        entry.setKey(bytes, 0, key.length, KeyOrder.prefix(key, 0, key.length));
        entry.setValue(EntryKind.PUT, id, value.length);
        writer.add(entry);
      }
      writer.finish();
    }
    Table table = Table.open(directory.openReadOnly(name), STORE_ID, number, access);
    tables.add(table);
    return table;
  }

  List<Table> tables() {
    return tables;
  }

  @Override
  public void close() throws IOException {
    tables.forEach(Table::close);
    directory.close();
    Directories.delete(path);
  }
}
