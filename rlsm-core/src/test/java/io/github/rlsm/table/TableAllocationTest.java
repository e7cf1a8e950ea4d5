// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.table;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.github.rlsm.base.CursorEntry;
import io.github.rlsm.base.EntryCursor;
import io.github.rlsm.base.EntryView;
import io.github.rlsm.base.KeyHash;
import io.github.rlsm.base.KeyRange;
import java.lang.management.ManagementFactory;
import java.util.NavigableMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests that lookups and scans of uncompressed tables allocate no objects. */
@Tag("optimized")
class TableAllocationTest {

  private static final int OPERATIONS = 100_000;
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private static Table table;
  private static byte[][] keys;

  @BeforeAll
  static void makeTable() {
    NavigableMap<byte[], TestEntry> model = TestTables.model();
    for (int i = 0; i < 10_000; i++) {
      byte[] key = {1, (byte) (i >> 8), (byte) i, 0, 0, 0, 0, 0, 0, (byte) (i * 7)};
      model.put(key, TestEntry.put(i, new byte[50]));
    }
    table = TestTables.table(TableWriter.Settings.DEFAULT, model);
    TestTables.checkAll(table);
    keys = model.keySet().toArray(new byte[0][]);
  }

  @Test
  void findPresent() {
    EntryView view = new EntryView();
    assertAllocatesNothing(i -> find(keys[i % keys.length], view));
  }

  @Test
  void findAbsent() {
    EntryView view = new EntryView();
    byte[] absent = {1, 2, 3, 4, 5, 6, 0, 0};
    assertAllocatesNothing(i -> {
      absent[6] = (byte) (i >> 8);
      absent[7] = (byte) i;
      return find(absent, view);
    });
  }

  @Test
  void cursor() {
    EntryCursor cursor = table.cursor(KeyRange.ALL, false);
    assertAllocatesNothing(i -> {
      byte[] key = keys[i % keys.length];
      boolean found = i % 20 == 0 ? cursor.seek(key, 0, key.length) : cursor.next();
      CursorEntry entry = cursor.entry();
      return found && entry.seqno() + entry.keyPrefix() + entry.valueLength() != 0;
    });
  }

  private static boolean find(byte[] key, EntryView view) {
    return table.find(key, 0, key.length, KeyHash.hash(key, 0, key.length), view);
  }

  private interface Operation {
    boolean run(int i);
  }

  private static void assertAllocatesNothing(Operation operation) {
    int found = repeat(operation);
    long before = THREADS.getCurrentThreadAllocatedBytes();
    found += repeat(operation);
    long bytes = THREADS.getCurrentThreadAllocatedBytes() - before;
    // The compiler may swap code during the measurement. One object for each operation would be 1.6
    // MB.
    assertThat(bytes).as("bytes for %s operations, %s found", OPERATIONS, found).isLessThan(20_000);
  }

  private static int repeat(Operation operation) {
    int found = 0;
    for (int i = 0; i < OPERATIONS; i++) {
      found += operation.run(i) ? 1 : 0;
    }
    return found;
  }
}
