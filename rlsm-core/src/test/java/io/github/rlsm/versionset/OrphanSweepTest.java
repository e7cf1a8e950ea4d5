// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.versionset;

import static io.github.rlsm.version.Fixtures.flush;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.version.Version;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OrphanSweepTest {

  @Test
  void listsExactlyTheUnneededFiles() {
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
    assertThat(OrphanSweep.orphans(version, 4, names)).containsExactlyElementsOf(orphans);
  }
}
