// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.version;

import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The set of live files at one moment, and other state that the store must remember. Immutable:
 * applying an edit gives another version.
 *
 * <p>Invariants:
 *
 * <ol>
 *   <li>Partitions are in ascending order and disjoint; there may be gaps between them.
 *   <li>Every run names a table of the version, and every table is named by a run.
 *   <li>Every table's number is below {@link #nextFileNumber}.
 * </ol>
 */
public final class Version {

  /** The version of a new store, without files. */
  public static final Version EMPTY = new Version();

  private final TableSet tables;
  private final List<Run> l0;
  private final PartitionIndex index;
  private final KeyspaceCatalog keyspaces;
  private final SortedMap<String, String> options;
  private final SortedMap<Integer, SegmentAccount> segments;
  private final long flushedSeqno;
  private final long durableSeqno;
  private final long partsGsn;
  private final int firstGeneration;
  private final long nextFileNumber;
  private final int nextSegmentNumber;

  private Version() {
    tables = TableSet.EMPTY;
    l0 = List.of();
    index = PartitionIndex.EMPTY;
    keyspaces = KeyspaceCatalog.EMPTY;
    options = Collections.unmodifiableSortedMap(new TreeMap<>());
    segments = new TreeMap<>();
    flushedSeqno = 0;
    durableSeqno = 0;
    partsGsn = 0;
    firstGeneration = 1;
    nextFileNumber = 1;
    nextSegmentNumber = 1;
  }

  Version(VersionBuilder built, TableSet tables, PartitionIndex index) {
    this.tables = tables;
    this.index = index;
    l0 = List.copyOf(built.l0());
    keyspaces = built.keyspaces();
    options = Collections.unmodifiableSortedMap(built.options());
    segments = built.segments();
    flushedSeqno = built.flushedSeqno();
    durableSeqno = built.durableSeqno();
    partsGsn = built.partsGsn();
    firstGeneration = built.firstGeneration();
    nextFileNumber = built.nextFileNumber();
    nextSegmentNumber = built.nextSegmentNumber();
  }

  /**
   * Applies an edit and returns the resulting version.
   *
   * @throws IllegalStateException if the edit does not fit this version: a run names an unknown
   *     table, partitions overlap, or a replaced partition has changed. Also if an added element
   *     exists already, or a removed one does not
   */
  public Version apply(VersionEdit edit) {
    VersionBuilder builder = new VersionBuilder(this);
    edit.replay(builder);
    return builder.build();
  }

  /**
   * Applies an edit that was read from a manifest and returns the resulting version.
   *
   * @param changes the bytes of {@link VersionEdit#changes}
   * @param file the name of the manifest, for messages
   * @param offset the offset of the changes in the manifest, for messages
   * @throws io.github.rlsm.kv.CorruptionException if the bytes are not an edit
   * @throws io.github.rlsm.kv.FormatVersionException if a newer release wrote the edit
   * @throws IllegalArgumentException if a field has an impossible value
   * @throws IllegalStateException if the edit does not fit this version
   */
  public Version apply(ByteBuffer changes, String file, int offset) {
    VersionBuilder builder = new VersionBuilder(this);
    EditLayout.decode(new EditFields.Reader(changes, file, offset), builder);
    return builder.build();
  }

  /** The runs of level 0, newest first, which is the order of reads. Ranges may overlap. */
  public List<Run> l0() {
    return l0;
  }

  /** The partitions of level 1 in ascending order. */
  public List<Partition> partitions() {
    return index.partitions();
  }

  /**
   * The index in {@link #partitions} of the partition whose range holds the key {@code key[offset,
   * offset + length)}; -1 if there is none.
   */
  public int partitionOf(byte[] key, int offset, int length) {
    return index.find(key, offset, length);
  }

  /**
   * The index in {@link #partitions} where a scan from a key begins: the last partition whose range
   * begins at or before the key; -1 if all ranges begin after it.
   */
  public int floorPartition(byte[] key, int offset, int length) {
    return index.floor(key, offset, length);
  }

  /** The live tables in ascending order of their numbers. */
  public List<TableMeta> tables() {
    return tables.tables();
  }

  /** The live table with this number, or null. */
  public @Nullable TableMeta table(long number) {
    return tables.find(number);
  }

  /** The named keyspaces. */
  public KeyspaceCatalog keyspaces() {
    return keyspaces;
  }

  /** The options that shape the disk, as set when the store was created, by name; unmodifiable. */
  public SortedMap<String, String> options() {
    return options;
  }

  /** The value-log segments that tables point into, in ascending order of their numbers. */
  public Collection<SegmentAccount> segments() {
    return Collections.unmodifiableCollection(segments.values());
  }

  /** The account of the value-log segment with this number, or null. */
  public @Nullable SegmentAccount segment(int number) {
    return segments.get(number);
  }

  /** Every entry below this sequence number is in a table; 0 before the first flush. */
  public long flushedSeqno() {
    return flushedSeqno;
  }

  /** Every entry below this sequence number was durable when the store was last closed. */
  public long durableSeqno() {
    return durableSeqno;
  }

  /** This store's parts of cross-store batches up to this number are in tables; 0 for none. */
  public long partsGsn() {
    return partsGsn;
  }

  /** The oldest generation of the log that recovery still needs; 1 before the first flush. */
  public int firstGeneration() {
    return firstGeneration;
  }

  /** The lowest number that was never assigned to a table or manifest. */
  public long nextFileNumber() {
    return nextFileNumber;
  }

  /**
   * The lowest number that was never assigned to a value-log segment with an account. Numbers are
   * not reused, so a pointer never refers to another value.
   */
  public int nextSegmentNumber() {
    return nextSegmentNumber;
  }

  PartitionIndex index() {
    return index;
  }

  TableSet tableSet() {
    return tables;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Version version
        && tables.equals(version.tables)
        && l0.equals(version.l0)
        && partitions().equals(version.partitions())
        && keyspaces.equals(version.keyspaces)
        && options.equals(version.options)
        && segments.equals(version.segments)
        && flushedSeqno == version.flushedSeqno
        && durableSeqno == version.durableSeqno
        && partsGsn == version.partsGsn
        && firstGeneration == version.firstGeneration
        && nextFileNumber == version.nextFileNumber
        && nextSegmentNumber == version.nextSegmentNumber;
  }

  @Override
  public int hashCode() {
    return tables.hashCode();
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "version of %d tables, %d runs in level 0, %d partitions, flushed to seqno %d",
        tables().size(),
        l0.size(),
        partitions().size(),
        flushedSeqno);
  }
}
