// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.version;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.github.rlsm.base.KeyBounds;
import io.github.rlsm.base.KeyRange;
import io.github.rlsm.base.SeqnoRange;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Creates small versions and their parts in short notation. */
public final class Fixtures {

  private Fixtures() {}

  public static byte[] key(String text) {
    return text.getBytes(US_ASCII);
  }

  public static KeyRange range(@Nullable String from, @Nullable String to) {
    return KeyRange.of(from == null ? null : key(from), to == null ? null : key(to));
  }

  public static TableMeta table(long number) {
    return new TableMeta(
        number,
        4096,
        100,
        10,
        new KeyBounds(key("a"), key("z")),
        new SeqnoRange(8 * number, 8 * number + 7));
  }

  public static Run run(long table) {
    return Run.whole(table(table));
  }

  public static Run run(long table, KeyRange range) {
    return new Run(table, range, 2048, 50);
  }

  public static Partition partition(KeyRange range, long... tables) {
    return new Partition(
        range, Arrays.stream(tables).mapToObj(table -> run(table, range)).toList());
  }

  /** Returns an edit that adds tables and their runs to level 0. */
  public static VersionEdit flush(long... tables) {
    VersionEdit.Builder edit = VersionEdit.builder();
    for (long number : tables) {
      edit.addTable(table(number)).addL0(run(number));
    }
    return edit.build();
  }

  /** Returns an edit that adds partitions, and the tables of their runs. */
  public static VersionEdit partitions(Partition... partitions) {
    VersionEdit.Builder edit = VersionEdit.builder();
    List.of(partitions).stream()
        .flatMap(partition -> partition.runs().stream())
        .mapToLong(Run::table)
        .distinct()
        .forEach(number -> edit.addTable(table(number)));
    return edit.replacePartitions(List.of(), List.of(partitions)).build();
  }
}
