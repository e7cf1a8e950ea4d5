// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.compact;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.base.CursorEntry;
import io.github.rlsm.base.EntryCursor;
import io.github.rlsm.base.ValuePointer;
import io.github.rlsm.table.TestEntry;
import io.github.rlsm.version.Run;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests which entries a move finds in the runs of a partition. */
class SegmentPointerScanTest {

  private static final int VICTIM = 3;
  private static final int OTHER = 4;

  private final WrittenTables tables = new WrittenTables();

  @AfterEach
  void close() {
    tables.close();
  }

  private record Written(String key, long seqno, int segment) {}

  /** Adds a run, older than the ones before. */
  private void add(SegmentPointerScan scan, Written... entries) {
    Map<String, Written> byKey = new TreeMap<>();
    for (Written entry : entries) {
      byKey.put(entry.key, entry);
    }
    WrittenTables.Written run =
        tables.write(output -> byKey.forEach((key, entry) -> output.addPointer(
            TestEntry.put(entry.seqno, new byte[0]).at(key.getBytes(US_ASCII)),
            ValuePointer.of(entry.segment, 64, false, 1_000))));
    scan.add(Run.whole(run.meta()), run.table());
  }

  /** Returns the keys of the entries that no newer run shadows, with the index of their run. */
  private static List<String> live(SegmentPointerScan scan) {
    List<String> live = new ArrayList<>();
    List<EntryCursor> cursors = scan.cursors();
    for (int run = 0; run < cursors.size(); run++) {
      EntryCursor cursor = cursors.get(run);
      for (boolean more = cursor.seekFirst(); more; more = cursor.next()) {
        CursorEntry entry = cursor.entry();
        if (!scan.isShadowed(entry, run)) {
          byte[] key = new byte[entry.keyLength()];
          entry.buffer().get(entry.keyOffset(), key);
          live.add(new String(key, US_ASCII) + run);
        }
      }
    }
    return live;
  }

  @Test
  void newerEntriesShadowOlderOnesWhereverTheirValuesAre() {
    SegmentPointerScan scan = new SegmentPointerScan(Set.of(VICTIM));
    add(scan, new Written("a", 9, OTHER), new Written("b", 8, VICTIM));
    add(scan, new Written("a", 5, VICTIM), new Written("b", 4, VICTIM), new Written("c", 3, OTHER));
    add(scan, new Written("c", 2, VICTIM), new Written("d", 1, VICTIM));
    assertThat(live(scan)).containsExactly("b0", "d2");
    assertThat(scan.countMax()).isEqualTo(5);
  }

  /** A move puts old entries on top of newer ones. Its keys need not be compared with theirs. */
  @Test
  void runOfOlderEntriesOnTopIsNotLookedUp() {
    SegmentPointerScan scan = new SegmentPointerScan(Set.of(VICTIM));
    add(scan, new Written("a", 3, OTHER), new Written("b", 4, OTHER));
    add(scan, new Written("a", 5, VICTIM), new Written("b", 4, VICTIM));
    assertThat(live(scan)).as("a would be found in the newer run").containsExactly("a1");
  }
}
