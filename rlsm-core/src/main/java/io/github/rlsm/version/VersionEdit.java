// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.version;

import io.github.rlsm.base.KeyRange;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * An atomic change to the set of live files. Flushes, compactions and collections create edits for
 * {@code VersionSet.install}. Immutable.
 *
 * <p>An edit is stored in its encoded form, and {@link Version#apply} decodes it. So the version in
 * memory and the version that recovery reads come from the same bytes through the same code, and
 * cannot differ.
 *
 * <p>An edit lists added tables but no removed ones. A table is removed together with the last run
 * that names it.
 */
public final class VersionEdit {

  private final byte[] changes;
  private final boolean addsFiles;

  private final boolean dropsKeyspace;

  private VersionEdit(byte[] changes, boolean addsFiles, boolean dropsKeyspace) {
    this.changes = changes;
    this.addsFiles = addsFiles;
    this.dropsKeyspace = dropsKeyspace;
  }

  /** Starts a new edit. */
  public static Builder builder() {
    return new Builder();
  }

  /** Returns the edit that turns {@link Version#EMPTY} into {@code version}. */
  public static VersionEdit of(Version version) {
    Builder edit = new Builder();
    EditLayout.Encoder out = edit.out;
    version.options().forEach(out::setOption);
    version.keyspaces().names().forEach(out::createKeyspace);
    out.nextKeyspaceId(version.keyspaces().nextId());
    out.nextFileNumber(version.nextFileNumber());
    version.tables().forEach(out::addTable);
    for (int i = version.l0().size() - 1; i >= 0; i--) {
      out.addL0(version.l0().get(i));
    }
    version.partitions().forEach(out::addPartition);
    out.flushed(version.flushedSeqno(), version.firstGeneration());
    if (version.durableSeqno() > 0) {
      out.durable(version.durableSeqno());
    }
    if (version.partsGsn() > 0) {
      out.parts(version.partsGsn());
    }
    version.segments().forEach(out::addSegment);
    out.nextSegmentNumber(version.nextSegmentNumber());
    return edit.build();
  }

  /** Passes the changes to a sink, in the order in which they were added. */
  void replay(Sink sink) {
    EditLayout.decode(new EditFields.Reader(ByteBuffer.wrap(changes), "version edit", 0), sink);
  }

  /** The encoded changes; see FORMAT.md, "Version edit". Callers must not modify the array. */
  public byte[] changes() {
    return changes;
  }

  /** Whether the edit names files that no earlier edit has named. */
  public boolean addsFiles() {
    return addsFiles;
  }

  /** Whether the edit drops a keyspace. */
  public boolean dropsKeyspace() {
    return dropsKeyspace;
  }

  /** Whether the edit changes nothing. */
  public boolean isEmpty() {
    return changes.length == 0;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof VersionEdit edit && Arrays.equals(changes, edit.changes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(changes);
  }

  @Override
  public String toString() {
    return "an edit of " + changes.length + " bytes";
  }

  /**
   * A receiver of the changes in an edit, with one method for each kind of change; see FORMAT.md,
   * "Version edit".
   *
   * <p>{@link EditLayout.Encoder} encodes the changes and {@link VersionBuilder} applies them. Both
   * implement this interface, so neither can omit a kind.
   */
  interface Sink {

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

  /**
   * Collects the changes of one edit. The builder refuses changes that fit no version.
   * {@link Version#apply} refuses changes that do not fit its version.
   *
   * <p>Threads: one thread at a time.
   */
  public static final class Builder {

    private final EditLayout.Encoder out = new EditLayout.Encoder();
    private boolean addsFiles;
    private boolean dropsKeyspace;

    private Builder() {}

    /** Adds a table. A run added by the same edit must name it. */
    public Builder addTable(TableMeta table) {
      out.addTable(table);
      addsFiles = true;
      return this;
    }

    /** Adds a run to level 0, as the newest. Of several runs, add the oldest first. */
    public Builder addL0(Run run) {
      out.addL0(run);
      return this;
    }

    /** Removes the run of a table from level 0. */
    public Builder removeL0(long table) {
      out.removeL0(table);
      return this;
    }

    /**
     * Replaces partitions. This is the only way to append runs to partitions, and to split, merge,
     * clean, widen, open or drop them. The new partitions must be disjoint from each other and from
     * all partitions that stay.
     *
     * @param before partitions as they were when the edit was created. If one of them has changed
     *     since, {@link Version#apply} refuses the edit, so that no other job's runs are lost
     * @param after their replacements
     */
    public Builder replacePartitions(Collection<Partition> before, Collection<Partition> after) {
      for (Partition partition : before) {
        out.removePartition(partition.range(), EditLayout.fingerprint(partition));
      }
      after.forEach(out::addPartition);
      return this;
    }

    /**
     * Creates a keyspace.
     *
     * @param id {@link KeyspaceCatalog#nextId}, or higher
     */
    public Builder createKeyspace(int id, String name) {
      out.createKeyspace(id, name);
      return this;
    }

    /** Drops a keyspace. All its entries are dead from then on. */
    public Builder dropKeyspace(int id) {
      out.dropKeyspace(id);
      dropsKeyspace = true;
      return this;
    }

    /**
     * Records the result of a flush.
     *
     * @param seqno every entry below this seqno is in a table; never lower than before
     * @param firstGeneration the oldest log generation that recovery still needs; never lower than
     *     before
     */
    public Builder flushed(long seqno, int firstGeneration) {
      out.flushed(seqno, firstGeneration);
      return this;
    }

    /** Records that every entry below the seqno is durable; never lower than before. */
    public Builder durable(long seqno) {
      out.durable(seqno);
      return this;
    }

    /**
     * Records that this store's parts of cross-store batches up to this number are in tables; never
     * lower than before.
     */
    public Builder parts(long gsn) {
      out.parts(gsn);
      return this;
    }

    /** Opens the account of a value-log segment. Tables of this edit point into it. */
    public Builder addSegment(SegmentAccount segment) {
      out.addSegment(segment);
      addsFiles = true;
      return this;
    }

    /** Closes the account of a value-log segment that no table points into. */
    public Builder removeSegment(int number) {
      out.removeSegment(number);
      return this;
    }

    /** Adds dead bytes to the account of a value-log segment. */
    public Builder addDeadBytes(int segment, long bytes) {
      out.addDeadBytes(segment, bytes);
      return this;
    }

    /** Sets the stored value of an option that shapes the disk. */
    public Builder setOption(String name, String value) {
      out.setOption(name, value);
      return this;
    }

    /** Ensures that no number below this one is assigned to a new file. */
    public Builder nextFileNumber(long number) {
      out.nextFileNumber(number);
      return this;
    }

    /** Returns the edit. */
    public VersionEdit build() {
      return new VersionEdit(out.toBytes(), addsFiles, dropsKeyspace);
    }
  }
}
