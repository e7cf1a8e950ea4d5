// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rlsm.base.EntryView;
import io.github.rlsm.io.AppendFile;
import io.github.rlsm.io.Fault;
import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.io.StoreDirectory;
import io.github.rlsm.io.StoreFileName;
import io.github.rlsm.kv.KvException;
import io.github.rlsm.os.OsDirectory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tables in real and in simulated files. */
class TableFileTest {

  private static final NavigableMap<byte[], TestEntry> MODEL =
      TestTables.randomModel(new Random(9), 30_000, 20, 100);

  @ParameterizedTest
  @EnumSource
  void inRealFilesFromManyThreads(PageCompression compression, @TempDir Path folder)
      throws InterruptedException, ExecutionException {
    try (OsDirectory directory = OsDirectory.create(folder.resolve("store"))) {
      write(directory, compression);
      Table.Access access = new Table.Access(new PageCache(200_000), new ReadCounters(), false);
      try (Table table = open(directory, access)) {
        ExecutorService readers = Executors.newFixedThreadPool(4, r -> new Thread(r, "reader"));
        ArrayList<Future<?>> done = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
          done.add(readers.submit(() -> assertHoldsModel(table)));
        }
        for (Future<?> future : done) {
          future.get();
        }
        readers.shutdown();
        TestTables.checkAll(table);
      }
    }
  }

  @Test
  void inASimulatedDirectory() {
    SimulatedDirectory directory = new SimulatedDirectory();
    write(directory, PageCompression.NONE);
    try (Table table = open(directory, TestTables.access())) {
      assertHoldsModel(table);
    }
    assertThat(directory.openHandles()).isEmpty();
  }

  @Test
  void everyFailingCallIsReported() {
    SimulatedDirectory measured = new SimulatedDirectory();
    write(measured, PageCompression.NONE);
    for (long call = 0; call < measured.eventCount(); call++) {
      SimulatedDirectory directory = new SimulatedDirectory();
      directory.failAt(call, Fault.IO_ERROR, false);
      assertThatThrownBy(() -> write(directory, PageCompression.NONE))
          .isInstanceOf(KvException.class);
      assertThat(directory.openHandles()).isEmpty();
    }
  }

  private static void write(StoreDirectory directory, PageCompression compression) {
    TableWriter.Settings settings = new TableWriter.Settings(4096, 10, compression);
    try (AppendFile file = directory.create(StoreFileName.table(TestTables.FILE_NUMBER));
        TableWriter writer = new TableWriter(
            file,
            settings,
            TableWriter.Size.of(MODEL.size()),
            TestTables.STORE_ID,
            TestTables.FILE_NUMBER)) {
      MODEL.forEach((key, entry) -> TestTables.add(writer, key, entry));
      writer.finish();
      file.force();
    }
  }

  private static Table open(StoreDirectory directory, Table.Access access) {
    String name = StoreFileName.table(TestTables.FILE_NUMBER);
    return Table.open(
        directory.openReadOnly(name), TestTables.STORE_ID, TestTables.FILE_NUMBER, access);
  }

  private static void assertHoldsModel(Table table) {
    EntryView view = new EntryView();
    for (Map.Entry<byte[], TestEntry> entry : MODEL.entrySet()) {
      assertThat(TestTables.find(table, entry.getKey(), view)).isTrue();
      entry.getValue().assertIn(view);
    }
  }
}
