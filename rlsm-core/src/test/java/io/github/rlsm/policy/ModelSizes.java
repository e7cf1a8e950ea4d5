// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

/**
 * The sizes of table files: entries of one size in whole pages, and a fixed part. A slice counts
 * for the same share of its table's file as of its entries.
 *
 * @param fixedBytes the part of a file that does not depend on its entries
 */
record ModelSizes(long entryBytes, long pageBytes, long fixedBytes) {

  /** Returns sizes of tables without overhead: every byte belongs to an entry. */
  static ModelSizes exact(long entryBytes) {
    return new ModelSizes(entryBytes, 1, 0);
  }

  long table(int entries) {
    long pages = (entries * entryBytes + pageBytes - 1) / pageBytes;
    return fixedBytes + pages * pageBytes;
  }

  long slice(int entries, int tableEntries) {
    return Math.round((double) table(tableEntries) * entries / tableEntries);
  }
}
