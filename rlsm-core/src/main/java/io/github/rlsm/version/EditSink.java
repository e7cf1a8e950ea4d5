// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.version;

import io.github.rlsm.base.KeyRange;

/**
 * The kinds of change a {@link VersionEdit} is made of, one method each; FORMAT.md, "Version edit".
 *
 * <p>Implemented by what writes the changes down ({@link EditLayout.Encoder}) and by what carries
 * them out ({@link VersionBuilder}), so that neither can forget a kind.
 */
interface EditSink {

  /** A new table; some run of the same edit names it. */
  void addTable(TableMeta table);

  /** A run that becomes the newest of level 0. */
  void addL0(Run run);

  /** The run of that table leaves level 0. */
  void removeL0(long table);

  /** A partition where there is none. */
  void addPartition(Partition partition);

  /**
   * The partition over exactly that range goes.
   *
   * @param fingerprint {@link EditLayout#fingerprint} of the partition the edit's maker saw
   */
  void removePartition(KeyRange range, int fingerprint);

  /** A new keyspace with an id that was never given. */
  void createKeyspace(int id, String name);

  /** The keyspace goes, and every entry in it is dead. */
  void dropKeyspace(int id);

  /** No id below this one may be given. */
  void nextKeyspaceId(int id);

  /** Everything below the sequence number is in tables; older generations of the log may go. */
  void flushed(long seqno, int firstGeneration);

  /** Everything below the sequence number was durable, in tables or in the log. */
  void durable(long seqno);

  /** Of batches over several stores, the parts up to that number are in tables. */
  void parts(long gsn);

  /** A value-log segment that tables point into. */
  void addSegment(SegmentAccount segment);

  /** No table points into the segment any more. */
  void removeSegment(int number);

  /** So many more bytes of the segment are dead. */
  void addDeadBytes(int segment, long bytes);

  /** No number below this one may be given to a new value-log segment. */
  void nextSegmentNumber(int number);

  /** An option that shapes the disk, and its value. */
  void setOption(String name, String value);

  /** No number below this one may be given to a new file. */
  void nextFileNumber(long number);
}
