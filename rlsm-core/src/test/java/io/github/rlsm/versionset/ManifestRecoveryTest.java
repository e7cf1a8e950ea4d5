// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.versionset;

import static io.github.rlsm.version.Fixtures.flush;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rlsm.io.FileHeader;
import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.io.StoreFileName;
import io.github.rlsm.kv.CorruptionException;
import io.github.rlsm.kv.FormatVersionException;
import io.github.rlsm.kv.KvException;
import io.github.rlsm.log.ManifestPosition;
import io.github.rlsm.version.Version;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ManifestRecoveryTest {

  private final ManifestFixture fixture = new ManifestFixture();
  private final SimulatedDirectory directory = new SimulatedDirectory();

  @BeforeEach
  void makeAStore() {
    directory.replace(ManifestFixture.NAME, fixture.bytes);
    CurrentMarker.write(directory, ManifestFixture.STORE_ID, ManifestFixture.NUMBER);
    addFile(StoreFileName.table(1));
    addFile(StoreFileName.table(2));
  }

  @Test
  void readsAStoreAndChangesNothing() {
    List<String> before = directory.list();
    ManifestRecovery.Recovered recovered = ManifestRecovery.recover(directory);
    assertThat(recovered.version()).isEqualTo(fixture.versions.get(fixture.versions.size() - 1));
    assertThat(recovered.storeId()).isEqualTo(ManifestFixture.STORE_ID);
    assertThat(recovered.newStore()).isFalse();
    assertThat(recovered.droppedBytes()).isZero();
    assertThat(directory.list()).containsExactlyInAnyOrderElementsOf(before);
    assertThat(directory.openHandles()).isEmpty();
    assertThatThrownBy(() -> recovered.withStoreId(1, Map.of()))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void reportsDroppedBytes() {
    directory.truncate(ManifestFixture.NAME, fixture.bytes.length - 1);
    assertThat(ManifestRecovery.recover(directory).droppedBytes()).isEqualTo(16);
  }

  @Test
  void newNumbersDifferFromExistingFiles() {
    assertThat(ManifestRecovery.recover(directory).nextFileNumber()).isEqualTo(10);
    addFile(StoreFileName.table(41));
    addFile(StoreFileName.valueLog(99));
    assertThat(ManifestRecovery.recover(directory).nextFileNumber()).isEqualTo(42);
  }

  @Test
  void takesAnEmptyDirectoryForANewStore() {
    assertThat(ManifestRecovery.recover(new SimulatedDirectory()))
        .isEqualTo(
            new ManifestRecovery.Recovered(true, 0, Version.EMPTY, 1, 0, ManifestPosition.NONE));
  }

  @Test
  void takesAStoreThatWasNeverFinishedForANewOne() {
    SimulatedDirectory begun = new SimulatedDirectory();
    for (String name : List.of("LOCK", "MANIFEST-00000001", "CURRENT.tmp")) {
      begun.create(name).close();
    }
    assertThat(ManifestRecovery.recover(begun))
        .isEqualTo(
            new ManifestRecovery.Recovered(true, 0, Version.EMPTY, 2, 0, ManifestPosition.NONE));
  }

  @Test
  void refusesAForeignDirectoryAndListsItsFiles() {
    SimulatedDirectory foreign = new SimulatedDirectory();
    for (String name : List.of("thesis.doc", "b", "a", "c", "tab-1.tbl")) {
      foreign.create(name).close();
    }
    assertThatThrownBy(() -> ManifestRecovery.recover(foreign))
        .isInstanceOf(FormatVersionException.class)
        .hasMessageContaining("not a store")
        .hasMessageContaining("a, b, c and more");
  }

  @Test
  void refusesAStoreWithoutItsMarker() {
    directory.delete(StoreFileName.CURRENT);
    assertThatThrownBy(() -> ManifestRecovery.recover(directory))
        .isInstanceOf(CorruptionException.class)
        .hasMessageContaining("CURRENT")
        .hasMessageContaining("but the directory holds tab-00000001.tbl");
  }

  @Test
  void refusesAMissingManifest() {
    directory.delete(ManifestFixture.NAME);
    assertCorrupt("MANIFEST-00000009", "CURRENT names it");
  }

  @Test
  void refusesAMissingTable() {
    directory.delete(StoreFileName.table(2));
    assertCorrupt("tab-00000002.tbl", "MANIFEST-00000009 names it");
  }

  @Test
  void refusesAMissingSegmentOfTheValueLog() {
    int beforeTheLastEdit = fixture.offsets.get(fixture.offsets.size() - 3);
    directory.truncate(ManifestFixture.NAME, beforeTheLastEdit);
    assertCorrupt("val-00000001.log", "MANIFEST-00000009 names it");
  }

  @Test
  void refusesAManifestOfAnotherStore() {
    CurrentMarker.write(directory, 1, ManifestFixture.NUMBER);
    assertThatThrownBy(() -> ManifestRecovery.recover(directory))
        .isInstanceOf(FormatVersionException.class)
        .hasMessageContaining("belongs to store 1122334455667788");
  }

  @Test
  void refusesAMarkerOfNoManifest() {
    CurrentMarker.write(directory, ManifestFixture.STORE_ID, 0);
    assertCorrupt("CURRENT", "names manifest number 0");
  }

  @Test
  void refusesEveryFlippedBitOfMarkerAndHeader() {
    for (String name : List.of(StoreFileName.CURRENT, ManifestFixture.NAME)) {
      for (int bit = 0; bit < FileHeader.BYTES * Byte.SIZE; bit++) {
        directory.flipBit(name, bit);
        assertRefused(name);
        directory.flipBit(name, bit);
      }
    }
  }

  @Test
  void refusesEveryOtherLengthOfMarkerAndHeader() {
    byte[] marker = directory.bytes(StoreFileName.CURRENT);
    for (int length = 0; length <= FileHeader.BYTES + 1; length++) {
      if (length != FileHeader.BYTES) {
        directory.truncate(StoreFileName.CURRENT, length);
        assertRefused(StoreFileName.CURRENT);
        directory.replace(StoreFileName.CURRENT, marker);
      }
    }
    for (int length = 0; length <= FileHeader.BYTES; length++) {
      directory.replace(ManifestFixture.NAME, fixture.bytes);
      directory.truncate(ManifestFixture.NAME, length);
      assertRefused(ManifestFixture.NAME);
    }
  }

  private void assertRefused(String name) {
    assertThatThrownBy(() -> ManifestRecovery.recover(directory))
        .isInstanceOf(KvException.class)
        .isInstanceOfAny(CorruptionException.class, FormatVersionException.class)
        .hasMessageContaining(name);
    assertThat(directory.openHandles()).isEmpty();
  }

  private void assertCorrupt(String file, String why) {
    assertThatThrownBy(() -> ManifestRecovery.recover(directory))
        .isInstanceOfSatisfying(
            CorruptionException.class, e -> assertThat(e.file()).isEqualTo(file))
        .hasMessageContaining(why);
  }

  private void addFile(String name) {
    directory.create(name).close();
  }

  @Test
  void orphansAreExactlyTheUnneededFiles() {
    Version version = Version.EMPTY.apply(flush(5));
    List<String> needed = List.of(
        "CURRENT",
        "LOCK",
        "MANIFEST-00000004",
        "tab-00000005.tbl",
        "wal-00000001.log",
        "val-00000001.log",
        "notes.txt",
        "tab-5.tbl");
    List<String> orphans = List.of(
        "CURRENT.tmp",
        "MANIFEST-00000003",
        "MANIFEST-00000005",
        "tab-00000004.tbl",
        "tab-00000006.tbl");
    List<String> names = new ArrayList<>(needed);
    names.addAll(orphans);
    assertThat(ManifestRecovery.orphans(version, 4, names)).containsExactlyElementsOf(orphans);
  }
}
