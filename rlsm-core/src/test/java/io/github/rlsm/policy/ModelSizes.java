// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

/**
 * How long tables are: entries of one size in whole pages, and what every file has beside its
 * pages. A slice counts for as much of its table's file as it has of its entries.
 *
 * @param fixedBytes what a file has that does not depend on its entries
 */
record ModelSizes(long entryBytes, long pageBytes, long fixedBytes) {

  /** Tables of which every byte is an entry's. */
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
