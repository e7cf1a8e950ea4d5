// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StoreFileNameTest {

  /**
   * The format's names. If this test fails, the code is wrong, or the format version must change.
   */
  @ParameterizedTest
  @CsvSource({
    "WRITE_AHEAD_LOG, 1, wal-00000001.log",
    "VALUE_LOG, 42, val-00000042.log",
    "TABLE, 99999999, tab-99999999.tbl",
    "TABLE, 100000000, tab-100000000.tbl",
    "TABLE, 999999999999999999, tab-999999999999999999.tbl",
    "MANIFEST, 7, MANIFEST-00000007",
    "CURRENT, 0, CURRENT",
    "CURRENT_TEMPORARY, 0, CURRENT.tmp",
    "SHARDS, 0, SHARDS",
    "SHARDS_TEMPORARY, 0, SHARDS.tmp",
    "LOCK, 0, LOCK"
  })
  void namesAreFormattedAndParsed(StoreFileName.Type type, long number, String name) {
    StoreFileName parsed = new StoreFileName(type, number);
    assertThat(parsed.format()).isEqualTo(name);
    assertThat(StoreFileName.parse(name)).contains(parsed);
  }

  @Test
  void shortForms() {
    assertThat(StoreFileName.writeAheadLog(1)).isEqualTo("wal-00000001.log");
    assertThat(StoreFileName.valueLog(2)).isEqualTo("val-00000002.log");
    assertThat(StoreFileName.table(3)).isEqualTo("tab-00000003.tbl");
    assertThat(StoreFileName.manifest(4)).isEqualTo("MANIFEST-00000004");
    assertThat(StoreFileName.CURRENT).isEqualTo("CURRENT");
    assertThat(StoreFileName.CURRENT_TEMPORARY).isEqualTo("CURRENT.tmp");
    assertThat(StoreFileName.SHARDS).isEqualTo("SHARDS");
    assertThat(StoreFileName.SHARDS_TEMPORARY).isEqualTo("SHARDS.tmp");
    assertThat(StoreFileName.LOCK).isEqualTo("LOCK");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "wal-.log",
        "wal-log",
        "wal-1.log",
        "wal-0000001.log",
        "wal-00000000.log",
        "wal-000000001.log",
        "wal-00000001.log.tmp",
        "wal-00000001.tbl",
        "wal-+0000001.log",
        "wal--0000001.log",
        "wal-0000000a.log",
        "wal-00000٠01.log",
        "WAL-00000001.log",
        "tab-9999999999999999999.tbl",
        "MANIFEST-",
        "MANIFEST-00000001 ",
        "MANIFEST",
        "CURRENT2",
        "current",
        "LOCK.tmp",
        ".wal-00000001.log"
      })
  void otherNamesAreNotParsed(String name) {
    assertThat(StoreFileName.parse(name)).isEqualTo(Optional.empty());
  }

  @Test
  void numbersAreChecked() {
    for (long number : new long[] {0, -1, 1_000_000_000_000_000_000L}) {
      assertThatIllegalArgumentException().isThrownBy(() -> StoreFileName.table(number));
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new StoreFileName(StoreFileName.Type.CURRENT, 1));
  }
}
