// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.version;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * A change to the set of live files, all of it or nothing: what a flush, a compaction or a
 * collection hands to {@link VersionSet#install}. Immutable.
 *
 * <p>An edit is its encoded form, and {@link Version#apply} decodes it. So the version in memory
 * and the one that recovery reads back come from the same bytes by the same path and cannot differ.
 *
 * <p>An edit says which tables come, never which go: a table goes when the last run that names it
 * does.
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

  /** Starts an edit. */
  public static Builder builder() {
    return new Builder();
  }

  /** The edit that makes a version out of {@link Version#EMPTY}. */
  static VersionEdit of(Version version) {
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

  /** Hands the changes to a sink, in the order in which they were made. */
  void replay(EditSink sink) {
    EditLayout.decode(new FieldReader(ByteBuffer.wrap(changes), "version edit", 0), sink);
  }

  /** The encoded changes; FORMAT.md, "Version edit". Not to be written to. */
  byte[] changes() {
    return changes;
  }

  /** Whether the edit names files that no earlier one named. */
  boolean addsFiles() {
    return addsFiles;
  }

  /** Whether the edit drops a keyspace. */
  boolean dropsKeyspace() {
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
   * Collects the changes of one edit. What cannot be right in any version is refused here; what
   * does not fit the version at hand is refused by {@link Version#apply}.
   *
   * <p>Threads: one thread at a time.
   */
  public static final class Builder {

    private final EditLayout.Encoder out = new EditLayout.Encoder();
    private boolean addsFiles;
    private boolean dropsKeyspace;

    private Builder() {}

    /** A new table; a run added by the same edit must name it. */
    public Builder addTable(TableMeta table) {
      out.addTable(table);
      addsFiles = true;
      return this;
    }

    /** A run that becomes the newest of level 0: of several, add the oldest first. */
    public Builder addL0(Run run) {
      out.addL0(run);
      return this;
    }

    /** Takes the run of that table out of level 0. */
    public Builder removeL0(long table) {
      out.removeL0(table);
      return this;
    }

    /**
     * Puts partitions in the place of others: the one way to append runs, split, merge, clean,
     * widen, open or drop them. Those that come must be disjoint from each other and from those
     * that stay.
     *
     * @param before partitions as the edit's maker saw them; if one of them has changed since,
     *     {@link Version#apply} refuses the edit, so that no other job's runs are lost
     * @param after what stands there afterwards
     */
    public Builder replacePartitions(Collection<Partition> before, Collection<Partition> after) {
      for (Partition partition : before) {
        out.removePartition(partition.range(), EditLayout.fingerprint(partition));
      }
      after.forEach(out::addPartition);
      return this;
    }

    /**
     * Makes a keyspace.
     *
     * @param id {@link KeyspaceCatalog#nextId}, or above
     */
    public Builder createKeyspace(int id, String name) {
      out.createKeyspace(id, name);
      return this;
    }

    /** Drops a keyspace: every entry in it is dead from here on. */
    public Builder dropKeyspace(int id) {
      out.dropKeyspace(id);
      dropsKeyspace = true;
      return this;
    }

    /**
     * Says how far the tables reach.
     *
     * @param seqno every entry below this sequence number is in a table; never lower than before
     * @param firstGeneration the oldest generation of the log that recovery still needs; never
     *     lower than before
     */
    public Builder flushed(long seqno, int firstGeneration) {
      out.flushed(seqno, firstGeneration);
      return this;
    }

    /** Says that everything below the sequence number is durable; never lower than before. */
    public Builder durable(long seqno) {
      out.durable(seqno);
      return this;
    }

    /**
     * Says that of batches over several stores the parts up to that number are in tables; never
     * lower than before.
     */
    public Builder parts(long gsn) {
      out.parts(gsn);
      return this;
    }

    /** Opens the account of a value-log segment that tables of this edit point into. */
    public Builder addSegment(SegmentAccount segment) {
      out.addSegment(segment);
      addsFiles = true;
      return this;
    }

    /** Closes the account of a value-log segment that no table points into any more. */
    public Builder removeSegment(int number) {
      out.removeSegment(number);
      return this;
    }

    /** Counts more bytes of a value-log segment as dead. */
    public Builder addDeadBytes(int segment, long bytes) {
      out.addDeadBytes(segment, bytes);
      return this;
    }

    /** Sets the stored value of an option that shapes the disk. */
    public Builder setOption(String name, String value) {
      out.setOption(name, value);
      return this;
    }

    /** Takes care that no number below this one is ever given to a new file. */
    Builder nextFileNumber(long number) {
      out.nextFileNumber(number);
      return this;
    }

    /** The edit. */
    public VersionEdit build() {
      return new VersionEdit(out.toBytes(), addsFiles, dropsKeyspace);
    }
  }
}
