// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.version;

import io.github.rlsm.io.StoreFileName;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The properties of a table that the store knows without opening it. The key arrays are shared;
 * callers must not modify them.
 *
 * @param number the number in the table's file name, 1 or more
 * @param fileBytes length of the file
 * @param entries entries in the table including tombstones, 1 or more
 * @param tombstones how many of the entries are tombstones
 * @param smallest the smallest internal key
 * @param largest the largest internal key
 * @param minSeqno the lowest seqno of an entry
 * @param maxSeqno the highest seqno of an entry
 */
// Keys are arrays everywhere in the engine; equals and hashCode below compare their bytes.
@SuppressWarnings("ArrayRecordComponent")
public record TableMeta(
    long number,
    long fileBytes,
    long entries,
    long tombstones,
    byte[] smallest,
    byte[] largest,
    long minSeqno,
    long maxSeqno) {

  /** Checks that the numbers and keys are consistent. */
  public TableMeta {
    check(number > 0 && number < Long.MAX_VALUE, "number", number);
    check(fileBytes >= 0, "fileBytes", fileBytes);
    check(entries > 0, "entries", entries);
    check(tombstones >= 0 && tombstones <= entries, "tombstones", tombstones);
    check(minSeqno >= 0 && minSeqno <= maxSeqno, "minSeqno", minSeqno);
    if (Arrays.compareUnsigned(smallest, largest) > 0) {
      throw new IllegalArgumentException(
          "table " + number + " has a smallest key after its largest");
    }
  }

  private static void check(boolean valid, String name, long value) {
    if (!valid) {
      throw new IllegalArgumentException("a table cannot have " + name + " " + value);
    }
  }

  /** Name of the table's file. */
  public String fileName() {
    return StoreFileName.table(number);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof TableMeta table
        && number == table.number
        && fileBytes == table.fileBytes
        && entries == table.entries
        && tombstones == table.tombstones
        && Arrays.equals(smallest, table.smallest)
        && Arrays.equals(largest, table.largest)
        && minSeqno == table.minSeqno
        && maxSeqno == table.maxSeqno;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(number);
  }

  @Override
  public String toString() {
    HexFormat hex = HexFormat.of();
    return String.format(
        Locale.ROOT,
        "table %d (%d bytes, %d entries, %d tombstones, keys %s to %s, seqnos %d to %d)",
        number,
        fileBytes,
        entries,
        tombstones,
        hex.formatHex(smallest),
        hex.formatHex(largest),
        minSeqno,
        maxSeqno);
  }
}
