// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.compact;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.base.KeyRange;
import io.github.rlsm.table.Table;
import io.github.rlsm.table.TestEntry;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SpreadEntriesTest {

  private static final int ENTRIES = 900;

  private final WrittenTables tables = new WrittenTables();

  @AfterEach
  void close() {
    tables.close();
  }

  private static byte[] key(int number) {
    return new byte[] {(byte) (number >>> 8), (byte) number};
  }

  private Table table(int valueBytes) {
    byte[] value = new byte[valueBytes];
    return tables
        .write(output -> {
          for (int i = 0; i < ENTRIES; i++) {
            output.add(TestEntry.put(i, value).at(key(i)));
          }
        })
        .table();
  }

  private static List<Integer> visited(Table table, KeyRange range, int wanted) {
    List<Integer> numbers = new ArrayList<>();
    int visited = SpreadEntries.visit(table, range, wanted, entry -> {
      byte[] key = new byte[Short.BYTES];
      entry.buffer().get(entry.keyOffset(), key);
      numbers.add(ByteBuffer.wrap(key).getShort() & 0xFFFF);
    });
    assertThat(visited).isEqualTo(numbers.size());
    assertThat(numbers).doesNotHaveDuplicates();
    return numbers;
  }

  /** The number of sequences of neighbouring keys. */
  private static int groups(List<Integer> numbers) {
    int groups = 1;
    for (int i = 1; i < numbers.size(); i++) {
      groups += numbers.get(i) == numbers.get(i - 1) + 1 ? 0 : 1;
    }
    return groups;
  }

  /** Each page may have to be read from the device. */
  @Test
  void severalEntriesOfAPageAreVisited() {
    List<Integer> numbers = visited(table(100), KeyRange.ALL, 48);
    assertThat(numbers).hasSize(48);
    assertThat(groups(numbers)).isEqualTo(6);
    assertThat(numbers.get(0)).isZero();
    assertThat(numbers.get(47)).isGreaterThan(ENTRIES * 3 / 4);
  }

  /** Pages have four entries of this size. */
  @Test
  void noMoreEntriesOfAPageThanItHas() {
    Table table = table(1_000);
    assertThat(table.entriesPerPage()).isEqualTo(4);
    List<Integer> numbers = visited(table, KeyRange.ALL, 48);
    assertThat(numbers).hasSize(48);
    assertThat(groups(numbers)).isEqualTo(12);
  }

  @Test
  void onlyKeysOfTheRangeAreVisited() {
    List<Integer> numbers = visited(table(100), KeyRange.of(key(300), key(600)), 24);
    assertThat(numbers).hasSizeBetween(16, 24).allMatch(number -> number >= 300 && number < 600);
  }

  @Test
  void allEntriesOfASmallTableAreVisited() {
    assertThat(visited(table(100), KeyRange.ALL, ENTRIES)).hasSize(ENTRIES);
  }
}
