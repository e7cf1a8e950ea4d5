// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.versionset;

import static io.github.rlsm.version.Fixtures.flush;
import static io.github.rlsm.version.Fixtures.key;
import static io.github.rlsm.version.Fixtures.partition;
import static io.github.rlsm.version.Fixtures.partitions;
import static io.github.rlsm.version.Fixtures.range;
import static io.github.rlsm.version.Fixtures.run;
import static io.github.rlsm.version.Fixtures.table;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rlsm.base.KeyRange;
import io.github.rlsm.io.CrashStyle;
import io.github.rlsm.io.Fault;
import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.io.StoreFileName;
import io.github.rlsm.kv.StoreClosedException;
import io.github.rlsm.kv.StoreFailedException;
import io.github.rlsm.kv.StoreIoException;
import io.github.rlsm.version.Partition;
import io.github.rlsm.version.Run;
import io.github.rlsm.version.SegmentAccount;
import io.github.rlsm.version.Version;
import io.github.rlsm.version.VersionEdit;
import io.github.rlsm.versionset.FakeHost.FakeTable;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Guards invariant I-6 of ARCHITECTURE.md. */
class VersionSetTest {

  private static final long NEVER_ROLL = Long.MAX_VALUE;

  private final SimulatedDirectory directory = new SimulatedDirectory();
  private final FakeHost host = new FakeHost();

  @Test
  void makesANewStoreAndFindsItAgain() {
    try (VersionSet<FakeTable> set = open(NEVER_ROLL)) {
      assertThat(set.storeId()).isEqualTo(ManifestFixture.STORE_ID);
      addTable(set);
      addTable(set);
    }
    ManifestRecovery.Recovered recovered = ManifestRecovery.recover(directory);
    assertThat(recovered.newStore()).isFalse();
    assertThat(recovered.storeId()).isEqualTo(ManifestFixture.STORE_ID);
    assertThat(recovered.version().l0()).containsExactly(run(3), run(2));
    assertThat(recovered.droppedBytes()).isZero();
    try (VersionSet<FakeTable> set = open(NEVER_ROLL)) {
      assertThat(set.current().l0()).containsExactly(run(3), run(2));
      assertThat(set.newFileNumber()).isEqualTo(5);
    }
  }

  @Test
  void storesTheOptionsOfANewStoreInItsFirstManifest() {
    ManifestRecovery.Recovered empty = ManifestRecovery.recover(directory);
    assertThatThrownBy(() -> VersionSet.open(directory, empty, host, NEVER_ROLL))
        .isInstanceOf(IllegalArgumentException.class);
    ManifestRecovery.Recovered made = empty.withStoreId(7, Map.of("shape", "round"));
    VersionSet.open(directory, made, host, NEVER_ROLL).close();
    ManifestRecovery.Recovered recovered = ManifestRecovery.recover(directory);
    assertThat(recovered.storeId()).isEqualTo(7);
    assertThat(recovered.version().options()).containsExactly(Map.entry("shape", "round"));
  }

  @Test
  void makesTheNamesOfNewFilesDurableBeforeTheEditThatNamesThem() {
    try (VersionSet<FakeTable> set = open(NEVER_ROLL)) {
      addTable(set);
      SimulatedDirectory left = directory.afterCrash(CrashStyle.DROP_UNSYNCED, 1);
      assertThat(ManifestRecovery.recover(left).version().tables()).containsExactly(table(2));
    }
  }

  @Test
  void opensATableOnceAndOnlyWhenItIsRead() {
    try (VersionSet<FakeTable> set = open(NEVER_ROLL)) {
      addTable(set);
      PinnedVersion<FakeTable> first = set.pin();
      assertThat(host.opened).hasValue(0);
      assertThat(first.l0Table(0).read()).isEqualTo(2);
      set.install(VersionEdit.builder().setOption("a", "b").build());
      PinnedVersion<FakeTable> second = set.pin();
      assertThat(second.l0Table(0)).isSameAs(first.l0Table(0));
      assertThat(host.opened).hasValue(1);
      first.unpin();
      second.unpin();
    }
  }

  @Test
  void deletesATableOnlyAfterTheLastPinThatSeesIt() {
    try (VersionSet<FakeTable> set = open(NEVER_ROLL)) {
      addTable(set);
      PinnedVersion<FakeTable> early = set.pin();
      PinnedVersion<FakeTable> late = set.pin();
      early.l0Table(0).read();
      set.install(VersionEdit.builder().removeL0(2).build());
      early.unpin();
      host.runTasks();
      assertThat(late.l0Table(0).read()).isEqualTo(2);
      assertThat(directory.list()).contains(StoreFileName.table(2));
      late.unpin();
      assertThat(directory.list()).as("not in the reader's thread").contains(name(2));
      host.runTasks();
      assertThat(directory.list()).doesNotContain(name(2));
      assertThat(host.open()).isEmpty();
    }
  }

  /**
   * Scan costs paid so far pass to the pieces of a split partition, in proportion. A partition with
   * new runs starts at zero.
   */
  @Test
  void piecesOfAPartitionInheritItsStrayValues() {
    try (VersionSet<FakeTable> set = open(NEVER_ROLL)) {
      long number = set.newFileNumber();
      Partition whole =
          new Partition(range("a", "z"), List.of(new Run(number, range("a", "z"), 2048, 100)));
      set.install(partitions(whole));
      countStrayValues(set, 0, 60);
      Partition left =
          new Partition(range("a", "h"), List.of(new Run(number, range("a", "h"), 512, 25)));
      Partition right =
          new Partition(range("h", "z"), List.of(new Run(number, range("h", "z"), 1536, 75)));
      set.install(VersionEdit.builder()
          .replacePartitions(List.of(whole), List.of(left, right))
          .build());
      assertThat(countStrayValues(set, 0, 1)).isEqualTo(16);
      assertThat(countStrayValues(set, 1, 0)).isEqualTo(45);
      long added = set.newFileNumber();
      Partition longer = new Partition(
          range("h", "z"), List.of(right.runs().get(0), new Run(added, range("h", "z"), 8, 1)));
      set.install(VersionEdit.builder()
          .addTable(table(added))
          .replacePartitions(List.of(right), List.of(longer))
          .build());
      assertThat(countStrayValues(set, 0, 0)).isEqualTo(16);
      assertThat(countStrayValues(set, 1, 0)).isZero();
    }
  }

  private static long countStrayValues(VersionSet<FakeTable> set, int partition, int values) {
    PinnedVersion<FakeTable> pinned = set.pin();
    pinned.partition(partition).countStrayValues(values);
    long counted = pinned.partition(partition).strayValues();
    pinned.unpin();
    return counted;
  }

  @Test
  void aLongPinKeepsOnlyItsOwnFiles() {
    try (VersionSet<FakeTable> set = open(NEVER_ROLL)) {
      addTable(set);
      PinnedVersion<FakeTable> snapshot = set.pin();
      addTable(set);
      set.install(VersionEdit.builder().removeL0(2).removeL0(3).build());
      host.runTasks();
      assertThat(directory.list()).contains(name(2)).doesNotContain(name(3));
      snapshot.unpin();
      host.runTasks();
      assertThat(directory.list()).doesNotContain(name(2));
    }
  }

  @Test
  void freesSegmentsThatNoPinnedVersionNames() {
    try (VersionSet<FakeTable> set = open(NEVER_ROLL)) {
      set.install(
          VersionEdit.builder().addSegment(new SegmentAccount(1, 10, 0, 0)).build());
      PinnedVersion<FakeTable> pinned = set.pin();
      set.install(VersionEdit.builder().removeSegment(1).build());
      host.runTasks();
      assertThat(host.freedSegments).isEmpty();
      pinned.unpin();
      host.runTasks();
      assertThat(host.freedSegments).containsExactly(1);
    }
  }

  @Test
  void punchesHolesWhenNoOlderVersionThatKnowsTheSegmentIsPinned() {
    try (VersionSet<FakeTable> set = open(NEVER_ROLL)) {
      PinnedVersion<FakeTable> before = set.pin();
      set.install(VersionEdit.builder()
          .addSegment(new SegmentAccount(1, 100, 0, 0))
          .addSegment(new SegmentAccount(2, 100, 0, 0))
          .build());
      PinnedVersion<FakeTable> pinned = set.pin();
      set.install(
          current ->
              VersionEdit.builder().addDeadBytes(1, 30).addDeadBytes(2, 100).build(),
          Map.of(1, new long[] {8L << 32 | 16, 24L << 32 | 40}));
      PinnedVersion<FakeTable> after = set.pin();
      host.runTasks();
      assertThat(host.punched).isEmpty();
      pinned.unpin();
      host.runTasks();
      assertThat(host.punched).containsExactly("1:8-16", "1:24-40");
      // The holes of a removed segment are not punched.
      set.install(
          current -> VersionEdit.builder().removeSegment(2).build(),
          Map.of(2, new long[] {8L << 32 | 16}));
      after.unpin();
      before.unpin();
      host.runTasks();
      assertThat(host.punched).hasSize(2);
      assertThat(host.freedSegments).containsExactly(2);
    }
  }

  @Test
  void findsPartitionsWithTheirTables() {
    try (VersionSet<FakeTable> set = open(NEVER_ROLL)) {
      create(set.newFileNumber());
      set.install(partitions(partition(KeyRange.ALL, 2)));
      PinnedVersion<FakeTable> pinned = set.pin();
      LivePartition<FakeTable> found = pinned.partitionFor(key("x"), 0, 1);
      assertThat(found.table(0).read()).isEqualTo(2);
      assertThat(pinned.partition(0)).isSameAs(found);
      assertThat(found.partition()).isSameAs(pinned.version().partitions().get(0));
      addTable(set);
      PinnedVersion<FakeTable> next = set.pin();
      assertThat(next.partition(0)).as("unchanged partitions are shared").isSameAs(found);
      pinned.unpin();
      next.unpin();
    }
  }

  @Test
  void refusesAnEditThatDoesNotFitAndGoesOn() {
    try (VersionSet<FakeTable> set = open(NEVER_ROLL)) {
      Version before = set.current();
      assertThatThrownBy(() -> set.install(VersionEdit.builder().removeL0(9).build()))
          .isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> set.install(flush(1000)))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("was not assigned");
      assertThat(set.current()).isSameAs(before);
      addTable(set);
    }
    assertThat(ManifestRecovery.recover(directory).version().l0()).hasSize(1);
  }

  @Test
  void writesNothingForAnEmptyEdit() {
    try (VersionSet<FakeTable> set = open(NEVER_ROLL)) {
      long calls = directory.eventCount();
      assertThat(set.install(VersionEdit.builder().build())).isSameAs(set.current());
      assertThat(directory.eventCount()).isEqualTo(calls);
    }
  }

  @Test
  void failedInstallPoisonsTheSet() {
    for (long call = 0; poisonAt(call); call++) {
      host.runTasks();
    }
  }

  /** Fails a call of an install. Returns false if the install has fewer calls. */
  private boolean poisonAt(long call) {
    SimulatedDirectory failing = new SimulatedDirectory();
    try (VersionSet<FakeTable> set = open(failing, NEVER_ROLL)) {
      Version before = set.current();
      long number = set.newFileNumber();
      failing.create(name(number)).close();
      failing.failAt(failing.eventCount() + call, Fault.IO_ERROR, false);
      VersionEdit edit = flush(number);
      try {
        set.install(edit);
      } catch (StoreIoException first) {
        assertThat(set.current()).isSameAs(before);
        assertThatThrownBy(() -> set.install(edit))
            .isInstanceOf(StoreFailedException.class)
            .hasCause(first);
        PinnedVersion<FakeTable> pinned = set.pin();
        assertThat(pinned.version()).isSameAs(before);
        pinned.unpin();
      }
      return failing.hasFailed();
    }
  }

  @Test
  void rollsTheManifestWhenItIsLong() {
    try (VersionSet<FakeTable> set = open(400)) {
      long first = set.manifestNumber();
      for (int i = 0; i < 50; i++) {
        addTable(set);
      }
      host.runTasks();
      assertThat(set.manifestNumber()).isGreaterThan(first);
      assertThat(directory.list())
          .filteredOn(name -> name.startsWith("MANIFEST"))
          .containsExactly(StoreFileName.manifest(set.manifestNumber()));
      assertThat(ManifestRecovery.recover(directory).version()).isEqualTo(set.current());
    }
  }

  @Test
  void rollsSeldomWhenTheSnapshotIsLong() {
    try (VersionSet<FakeTable> set = open(1)) {
      long calls = directory.eventCount();
      for (int i = 0; i < 200; i++) {
        addTable(set);
      }
      assertThat(set.manifestNumber()).isGreaterThan(1);
      host.runTasks();
      assertThat(directory.eventCount() - calls).isLessThan(200 * 10);
    }
  }

  @Test
  void closesEveryTableAndDeletesNone() {
    VersionSet<FakeTable> set = open(NEVER_ROLL);
    addTable(set);
    addTable(set);
    PinnedVersion<FakeTable> pinned = set.pin();
    pinned.l0Table(0).read();
    set.install(VersionEdit.builder().removeL0(2).build());
    set.close();
    set.close();
    host.runTasks();
    assertThat(host.open()).containsExactly(3L);
    pinned.unpin();
    host.runTasks();
    assertThat(host.open()).isEmpty();
    assertThat(directory.list()).contains(name(3)).doesNotContain(name(2));
    assertThat(directory.openHandles()).isEmpty();
  }

  @Test
  void refusesUseAfterClose() {
    VersionSet<FakeTable> set = open(NEVER_ROLL);
    set.close();
    assertThatThrownBy(set::pin).isInstanceOf(StoreClosedException.class);
    assertThatThrownBy(set::current).isInstanceOf(StoreClosedException.class);
    assertThatThrownBy(() -> set.install(flush(1))).isInstanceOf(StoreClosedException.class);
  }

  @Test
  void aFailedDeletionDoesNotStopTheOthers() {
    try (VersionSet<FakeTable> set = open(NEVER_ROLL)) {
      addTable(set);
      addTable(set);
      directory.delete(name(2));
      set.install(VersionEdit.builder().removeL0(2).removeL0(3).build());
      assertThatThrownBy(host::runTasks).isInstanceOf(StoreIoException.class);
      assertThat(directory.list()).doesNotContain(name(3));
    }
  }

  private void addTable(VersionSet<FakeTable> set) {
    long number = set.newFileNumber();
    create(number);
    set.install(flush(number));
  }

  private void create(long number) {
    directory.create(name(number)).close();
  }

  private static String name(long table) {
    return StoreFileName.table(table);
  }

  private VersionSet<FakeTable> open(long rollBytes) {
    return open(directory, rollBytes);
  }

  private VersionSet<FakeTable> open(SimulatedDirectory in, long rollBytes) {
    ManifestRecovery.Recovered recovered = ManifestRecovery.recover(in);
    if (recovered.newStore()) {
      recovered = recovered.withStoreId(ManifestFixture.STORE_ID, Map.of());
    }
    VersionSet<FakeTable> set = VersionSet.open(in, recovered, host, rollBytes);
    ManifestRecovery.orphans(set.current(), set.manifestNumber(), in.list()).forEach(in::delete);
    return set;
  }
}
