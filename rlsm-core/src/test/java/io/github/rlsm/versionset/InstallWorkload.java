// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.versionset;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.io.AppendFile;
import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.io.StoreFileName;
import io.github.rlsm.version.RandomEdits;
import io.github.rlsm.version.SegmentAccount;
import io.github.rlsm.version.TableMeta;
import io.github.rlsm.version.Version;
import io.github.rlsm.version.VersionEdit;
import io.github.rlsm.versionset.FakeHost.FakeTable;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

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

  /** The versions of all attempted installs, including failed ones. */
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

  /** The number of installs that returned, plus one for the opening. */
  int count() {
    return acknowledged.size();
  }

  /** Opens the store in a directory, and sweeps the directory. */
  static VersionSet<FakeTable> open(SimulatedDirectory directory, FakeHost host) {
    ManifestRecovery.Recovered recovered = ManifestRecovery.recover(directory);
    if (recovered.newStore()) {
      recovered = recovered.withStoreId(ManifestFixture.STORE_ID, Map.of());
    }
    VersionSet<FakeTable> set = VersionSet.open(directory, recovered, host, ROLL_BYTES);
    try {
      ManifestRecovery.orphans(set.current(), set.manifestNumber(), directory.list())
          .forEach(directory::delete);
      return set;
    } catch (RuntimeException e) {
      set.close();
      throw e;
    }
  }

  /** Writes the files that a version names and its predecessor does not. */
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
   * Checks the version recovered after a number of installs had returned. It must be the version of
   * the last install that returned, or of the install in progress.
   */
  void check(ManifestRecovery.Recovered recovered, int returned, String when) {
    if (returned == 0) {
      assertThat(plain(recovered.version())).as(when).isEqualTo(plain(Version.EMPTY));
      return;
    }
    assertThat(recovered.newStore()).as(when).isFalse();
    List<Version> possible = acknowledged.subList(returned - 1, Math.min(returned + 1, count()));
    assertThat(possible).as(when).map(InstallWorkload::plain).contains(plain(recovered.version()));
  }

  /**
   * Checks the version recovered after this run: the last acknowledged version, or the version
   * whose install failed. Runs with the same seed are not comparable if a failure only used up a
   * file number, because all later numbers differ.
   */
  void checkOwn(ManifestRecovery.Recovered recovered, String when) {
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

  /** Returns the version without file numbers, some of which the manifest uses for its own name. */
  static Version plain(Version version) {
    return version.apply(
        VersionEdit.builder().nextFileNumber(StoreFileName.NUMBER_MAX).build());
  }
}
