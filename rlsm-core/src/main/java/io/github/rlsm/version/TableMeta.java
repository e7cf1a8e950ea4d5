// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.version;

import io.github.rlsm.base.KeyBounds;
import io.github.rlsm.base.SeqnoRange;
import io.github.rlsm.io.StoreFileName;
import java.util.Arrays;
import java.util.Locale;

/**
 * The properties of a table that the store knows without opening it.
 *
 * @param number the number in the table's file name, 1 or more, and less than
 *     {@link StoreFileName#NUMBER_MAX}
 * @param fileBytes length of the file
 * @param entries entries in the table including tombstones, 1 or more
 * @param tombstones how many of the entries are tombstones
 * @param keys the internal keys of the entries
 * @param seqnos the seqnos of the entries
 */
public record TableMeta(
    long number, long fileBytes, long entries, long tombstones, KeyBounds keys, SeqnoRange seqnos) {

  /** Checks that the numbers and keys are consistent. */
  public TableMeta {
    check(number > 0 && number < StoreFileName.NUMBER_MAX, "number", number);
    check(fileBytes >= 0, "fileBytes", fileBytes);
    check(entries > 0, "entries", entries);
    check(tombstones >= 0 && tombstones <= entries, "tombstones", tombstones);
    check(seqnos.min() >= 0 && seqnos.min() <= seqnos.max(), "minSeqno", seqnos.min());
    if (Arrays.compareUnsigned(keys.smallest(), keys.largest()) > 0) {
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
  public String toString() {
    return String.format(
        Locale.ROOT,
        "table %d (%d bytes, %d entries, %d tombstones, keys %s, seqnos %s)",
        number,
        fileBytes,
        entries,
        tombstones,
        keys,
        seqnos);
  }
}
