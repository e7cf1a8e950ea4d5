// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.version;

import io.github.rlsm.base.KeyRange;

/**
 * A receiver of the changes in a {@link VersionEdit}, with one method for each kind of change; see
 * FORMAT.md, "Version edit".
 *
 * <p>{@link EditLayout.Encoder} encodes the changes and {@link VersionBuilder} applies them. Both
 * implement this interface, so neither can omit a kind.
 */
interface EditSink {

  /** Adds a table. A run of the same edit must name it. */
  void addTable(TableMeta table);

  /** Adds a run to level 0, as the newest. */
  void addL0(Run run);

  /** Removes the run of a table from level 0. */
  void removeL0(long table);

  /** Adds a partition over a range without partitions. */
  void addPartition(Partition partition);

  /**
   * Removes the partition over exactly this range.
   *
   * @param fingerprint {@link EditLayout#fingerprint} of the partition when the edit was created
   */
  void removePartition(KeyRange range, int fingerprint);

  /** Creates a keyspace with an id that was never assigned. */
  void createKeyspace(int id, String name);

  /** Drops a keyspace. All its entries are dead. */
  void dropKeyspace(int id);

  /** Reserves all ids below this one: they are not assigned to new keyspaces. */
  void nextKeyspaceId(int id);

  /**
   * Records that every entry below the seqno is in a table. Older log generations may be deleted.
   */
  void flushed(long seqno, int firstGeneration);

  /** Records that every entry below the seqno was durable, in tables or in the log. */
  void durable(long seqno);

  /** Records that this store's parts of cross-store batches up to this number are in tables. */
  void parts(long gsn);

  /** Adds a value-log segment that tables point into. */
  void addSegment(SegmentAccount segment);

  /** Removes a value-log segment that no table points into. */
  void removeSegment(int number);

  /** Adds dead bytes to the account of a segment. */
  void addDeadBytes(int segment, long bytes);

  /** Reserves all numbers below this one: they are not assigned to new value-log segments. */
  void nextSegmentNumber(int number);

  /** Sets the value of an option that shapes the disk. */
  void setOption(String name, String value);

  /** Reserves all numbers below this one: they are not assigned to new files. */
  void nextFileNumber(long number);
}
