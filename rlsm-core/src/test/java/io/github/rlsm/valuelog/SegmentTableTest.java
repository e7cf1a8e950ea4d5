// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.valuelog;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.io.MappedFile;
import io.github.rlsm.io.SimulatedDirectory;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SegmentTableTest {

  private final MappedFile file = new SimulatedDirectory().createMapped("wal-00000001.log", 4096);

  /** A store that was in use for years has high segment numbers and few segments. */
  @Test
  void memoryIsProportionalToExistingSegments() {
    SegmentTable table = new SegmentTable();
    int window = 100;
    long bytesMax = 0;
    for (int number = 1; number <= 2_000_000; number++) {
      table.put(number, file);
      if (number > window) {
        assertThat(table.remove(number - window)).isSameAs(file);
      }
      bytesMax = number % 1000 == 0 ? Math.max(bytesMax, table.heapBytes()) : bytesMax;
    }
    assertThat(bytesMax).isLessThan(32 << 10);
    assertThat(table.get(2_000_000)).isSameAs(file);
    assertThat(table.get(2_000_000 - window)).isNull();
  }

  @Test
  void findsAddedSegments() {
    SegmentTable table = new SegmentTable();
    for (int number : new int[] {1, 1023, 1024, 70_000, 5_000_000}) {
      assertThat(table.get(number)).isNull();
      table.put(number, file);
      assertThat(table.get(number)).isSameAs(file);
    }
    assertThat(table.get(-1)).isNull();
    assertThat(table.get(Integer.MAX_VALUE)).isNull();
    assertThat(table.remove(2)).isNull();
    assertThat(table.remove(1024)).isSameAs(file);
    assertThat(table.get(1024)).isNull();
    assertThat(table.count()).isEqualTo(4);
    assertThat(table.next(2)).isEqualTo(1023);
    assertThat(table.next(1024)).isEqualTo(70_000);
    assertThat(table.next(5_000_001)).isEqualTo(-1);
    Set<MappedFile> all = new HashSet<>();
    table.forEach(all::add);
    assertThat(all).containsExactly(file);
    table.clear();
    assertThat(table.get(1)).isNull();
  }
}
