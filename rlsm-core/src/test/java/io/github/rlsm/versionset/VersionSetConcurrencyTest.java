// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.versionset;

import static io.github.rlsm.version.Fixtures.flush;
import static io.github.rlsm.version.Fixtures.key;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.github.rlsm.Crew;
import io.github.rlsm.base.KeyRange;
import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.io.StoreFileName;
import io.github.rlsm.version.Fixtures;
import io.github.rlsm.version.Run;
import io.github.rlsm.version.TableMeta;
import io.github.rlsm.version.Version;
import io.github.rlsm.version.VersionEdit;
import io.github.rlsm.versionset.FakeHost.FakeTable;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("optimized")
class VersionSetConcurrencyTest {

  private static final int READERS = 6;
  private static final int INSTALLS = 4_000;
  private static final int LIVE_TABLES = 5;
  private static final int PINS_MEASURED = 10_000;

  private final SimulatedDirectory directory = new SimulatedDirectory();
  private final FakeHost host = new FakeHost();
  private volatile boolean done;

  /** The highest flushed seqno of all installs that returned. */
  private final AtomicLong installed = new AtomicLong();

  @Test
  void readersNeverMeetAClosedTableOrAnOldVersion() throws Exception {
    try (VersionSet<FakeTable> set = open()) {
      new Crew()
          .add(1, () -> churn(set))
          .add(1, this::reclaim)
          .add(READERS, () -> read(set))
          .run();
      host.runTasks();
      assertThat(host.open().size()).isLessThanOrEqualTo(LIVE_TABLES);
      assertThat(directory.list())
          .filteredOn(name -> name.startsWith("tab-"))
          .containsExactlyInAnyOrderElementsOf(
              set.current().tables().stream().map(TableMeta::fileName).toList());
    }
    host.runTasks();
    assertThat(host.open()).isEmpty();
    assertThat(directory.openHandles()).isEmpty();
  }

  /** Installs edits that add a table, and drop the oldest of more than a few. */
  private void churn(VersionSet<FakeTable> set) {
    for (int i = 1; i <= INSTALLS; i++) {
      long number = set.newFileNumber();
      directory.create(StoreFileName.table(number)).close();
      VersionEdit.Builder edit = VersionEdit.builder()
          .addTable(Fixtures.table(number))
          .addL0(Fixtures.run(number))
          .flushed(i, i);
      List<Run> l0 = set.current().l0();
      if (l0.size() >= LIVE_TABLES) {
        edit.removeL0(l0.get(l0.size() - 1).table());
      }
      set.install(edit.build());
      installed.set(i);
    }
    done = true;
  }

  private void reclaim() {
    while (!done) {
      host.runTasks();
      Thread.onSpinWait();
    }
  }

  private void read(VersionSet<FakeTable> set) {
    while (!done) {
      long atLeast = installed.get();
      PinnedVersion<FakeTable> pinned = set.pin();
      Version version = pinned.version();
      assertThat(version.flushedSeqno()).isGreaterThanOrEqualTo(atLeast);
      for (int i = 0; i < version.l0().size(); i++) {
        assertThat(pinned.l0Table(i).read()).isEqualTo(version.l0().get(i).table());
      }
      pinned.unpin();
    }
  }

  @Test
  void installersTakeTurns() throws Exception {
    int threads = 4;
    long each = 100;
    try (VersionSet<FakeTable> set = open()) {
      new Crew()
          .add(threads, () -> {
            for (int i = 0; i < each; i++) {
              set.install(version -> VersionEdit.builder()
                  .flushed(version.flushedSeqno() + 1, version.firstGeneration())
                  .build());
            }
          })
          .run();
      assertThat(set.current().flushedSeqno()).isEqualTo(threads * each);
    }
    assertThat(ManifestRecovery.recover(directory).version().flushedSeqno())
        .isEqualTo(threads * each);
  }

  @Test
  void aReadAllocatesNothing() {
    try (VersionSet<FakeTable> set = open()) {
      long number = set.newFileNumber();
      directory.create(StoreFileName.table(number)).close();
      set.install(flush(number));
      set.install(VersionEdit.builder()
          .removeL0(number)
          .replacePartitions(List.of(), List.of(Fixtures.partition(KeyRange.ALL, number)))
          .build());
      byte[] key = key("k");
      readOften(set, key);
      ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
      long id = Thread.currentThread().getId();
      long before = threads.getThreadAllocatedBytes(id);
      long overhead = threads.getThreadAllocatedBytes(id) - before;
      before = threads.getThreadAllocatedBytes(id);
      readOften(set, key);
      long allocated = threads.getThreadAllocatedBytes(id) - before - overhead;
      assertThat(allocated).isLessThan(PINS_MEASURED);
    }
  }

  private static void readOften(VersionSet<FakeTable> set, byte[] key) {
    for (int i = 0; i < PINS_MEASURED; i++) {
      PinnedVersion<FakeTable> pinned = set.pin();
      LivePartition<FakeTable> partition = pinned.partitionFor(key, 0, key.length);
      assert partition.table(0).number == pinned.version().tables().get(0).number();
      pinned.unpin();
    }
  }

  private VersionSet<FakeTable> open() {
    ManifestRecovery.Recovered recovered =
        ManifestRecovery.recover(directory).withStoreId(ManifestFixture.STORE_ID, Map.of());
    return VersionSet.open(directory, recovered, host, 1 << 14);
  }
}
