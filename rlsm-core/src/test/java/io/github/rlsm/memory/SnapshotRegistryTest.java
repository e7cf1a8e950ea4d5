// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.Crew;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Guards invariant I-3 of ARCHITECTURE.md. */
@Tag("optimized")
class SnapshotRegistryTest {

  private static final int PLACES = 256;

  private final SnapshotRegistry snapshots = new SnapshotRegistry();

  @Test
  void noVersionIsNeededWithoutSnapshots() {
    assertThat(snapshots.isNeeded(0, Long.MAX_VALUE)).isFalse();
    int ticket = snapshots.enter();
    snapshots.leave(ticket);
    assertThat(snapshots.isNeeded(0, Long.MAX_VALUE)).isFalse();
    assertThat(snapshots.count()).isZero();
  }

  @Test
  void allVersionsAreNeededUntilTheSeqnoIsKnown() {
    int ticket = snapshots.enter();
    assertThat(snapshots.isNeeded(0, 1)).isTrue();
    snapshots.set(ticket, 10);
    assertThat(snapshots.isNeeded(0, 1)).isFalse();
  }

  @Test
  void aVersionIsNeededIfItIsSeenAndTheNextIsNot() {
    snapshots.set(snapshots.enter(), 10);
    assertThat(snapshots.isNeeded(9, 10)).isTrue();
    assertThat(snapshots.isNeeded(0, 100)).isTrue();
    assertThat(snapshots.isNeeded(10, 11)).isFalse();
    assertThat(snapshots.isNeeded(8, 9)).isFalse();
    snapshots.set(snapshots.enter(), 20);
    assertThat(snapshots.isNeeded(10, 19)).isFalse();
    assertThat(snapshots.isNeeded(10, 20)).isTrue();
  }

  @Test
  void snapshotsWithoutAPlaceNeedAllVersions() {
    List<Integer> tickets = new ArrayList<>();
    for (int i = 0; i < PLACES; i++) {
      tickets.add(snapshots.enter());
      snapshots.set(tickets.get(i), 10);
    }
    assertThat(tickets).doesNotHaveDuplicates();
    assertThat(snapshots.isNeeded(20, 30)).isFalse();
    int first = snapshots.enter();
    int second = snapshots.enter();
    snapshots.set(first, 10);
    snapshots.set(second, 10);
    assertThat(snapshots.isNeeded(20, 30)).isTrue();
    snapshots.leave(first);
    assertThat(snapshots.isNeeded(20, 30)).isTrue();
    snapshots.leave(second);
    assertThat(snapshots.isNeeded(20, 30)).isFalse();
    tickets.forEach(snapshots::leave);
    assertThat(snapshots.isNeeded(9, 10)).isFalse();
    assertThat(snapshots.count()).isZero();
  }

  @Test
  void eachSnapshotKeepsItsVersionWhileOthersOpenAndClose() throws Exception {
    new Crew()
        .add(8, () -> {
          ThreadLocalRandom random = ThreadLocalRandom.current();
          List<Integer> tickets = new ArrayList<>();
          for (int i = 0; i < 3000; i++) {
            int ticket = snapshots.enter();
            tickets.add(ticket);
            long end = 1 + random.nextLong(1000);
            snapshots.set(ticket, end);
            assertThat(snapshots.isNeeded(end - 1, end)).isTrue();
            if (tickets.size() > 40) {
              tickets.forEach(snapshots::leave);
              tickets.clear();
            }
          }
          tickets.forEach(snapshots::leave);
        })
        .run();
    assertThat(snapshots.count()).isZero();
    assertThat(snapshots.isNeeded(0, Long.MAX_VALUE)).isFalse();
  }
}
