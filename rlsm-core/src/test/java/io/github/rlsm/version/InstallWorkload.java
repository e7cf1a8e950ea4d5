// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.version;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.io.AppendFile;
import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.io.StoreFileName;
import io.github.rlsm.version.FakeHost.FakeTable;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Opens a store, installs random edits with rolls of the manifest in between, and closes it. Knows
 * the versions that a crash may leave.
 */
final class InstallWorkload {

  /** Low enough for several rolls. */
  private static final long ROLL_BYTES = 1200;

  private final SimulatedDirectory directory;
  private final RandomEdits edits;
  private final int installs;
  private final FakeHost host = new FakeHost();

  /** The version after opening and after each install that returned. */
  final List<Version> acknowledged = new ArrayList<>();

  /** The versions that an install was asked for, whether it returned or not. */
  private final List<Version> attempted = new ArrayList<>();

  InstallWorkload(SimulatedDirectory directory, long seed, int installs) {
    this.directory = directory;
    this.edits = new RandomEdits(seed);
    this.installs = installs;
  }

  /** Runs to the end, or to the first exception. */
  void run() {
    try (VersionSet<FakeTable> set = open(directory, host)) {
      acknowledged.add(set.current());
      for (int i = 0; i < installs; i++) {
        long number = set.newFileNumber();
        VersionEdit edit = edits.next(set.current(), number);
        Version next = set.current().apply(edit);
        writeFiles(set.current(), next);
        attempted.add(next);
        acknowledged.add(set.install(edit));
        host.runTasks();
      }
    }
  }

  /** How many installs have returned, and the opening before them. */
  int count() {
    return acknowledged.size();
  }

  /** Opens what a directory holds, and sweeps it. */
  static VersionSet<FakeTable> open(SimulatedDirectory directory, FakeHost host) {
    RecoveredManifest recovered = ManifestRecovery.recover(directory);
    if (recovered.newStore()) {
      recovered = recovered.withStoreId(ManifestFixture.STORE_ID);
    }
    VersionSet<FakeTable> set = VersionSet.open(directory, recovered, host, ROLL_BYTES);
    try {
      OrphanSweep.orphans(set.current(), set.manifestNumber(), directory.list())
          .forEach(directory::delete);
      return set;
    } catch (RuntimeException e) {
      set.close();
      throw e;
    }
  }

  /** Writes the files that a version names and the one before it does not. */
  private void writeFiles(Version before, Version after) {
    for (TableMeta table : after.tables()) {
      if (before.table(table.number()) == null) {
        write(table.fileName());
      }
    }
    for (SegmentAccount segment : after.segments()) {
      if (before.segment(segment.number()) == null) {
        write(StoreFileName.valueLog(segment.number()));
      }
    }
  }

  private void write(String name) {
    try (AppendFile file = directory.create(name)) {
      file.append(ByteBuffer.wrap(new byte[] {1, 2, 3}));
      file.force();
    }
  }

  /**
   * Checks what was recovered when so many installs had returned: the version after the last of
   * them or after the one that was running.
   */
  void check(RecoveredManifest recovered, int returned, String when) {
    if (returned == 0) {
      assertThat(plain(recovered.version())).as(when).isEqualTo(plain(Version.EMPTY));
      return;
    }
    assertThat(recovered.newStore()).as(when).isFalse();
    List<Version> possible = acknowledged.subList(returned - 1, Math.min(returned + 1, count()));
    assertThat(possible).as(when).map(InstallWorkload::plain).contains(plain(recovered.version()));
  }

  /**
   * Checks the recovered version after this very run: it is the last acknowledged version, or the
   * one whose install failed. Another run with the same seed cannot be compared if a failure only
   * used up a file number, because all later numbers differ then.
   */
  void checkOwn(RecoveredManifest recovered, String when) {
    if (acknowledged.isEmpty()) {
      check(recovered, 0, when);
      return;
    }
    assertThat(recovered.newStore()).as(when).isFalse();
    List<Version> possible = new ArrayList<>(List.of(acknowledged.get(count() - 1)));
    if (attempted.size() >= count()) {
      possible.add(attempted.get(attempted.size() - 1));
    }
    assertThat(possible).as(when).map(InstallWorkload::plain).contains(plain(recovered.version()));
  }

  /** The version without the numbers that a manifest's own name takes up. */
  static Version plain(Version version) {
    return version.apply(VersionEdit.builder().nextFileNumber(Long.MAX_VALUE).build());
  }
}
