// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.read;

import io.github.rlsm.base.EntryCursor;
import io.github.rlsm.base.EntryView;
import io.github.rlsm.base.KeyOrder;
import io.github.rlsm.base.KeyRange;
import io.github.rlsm.memory.MemoryComponent;
import io.github.rlsm.table.ReadCounters;
import io.github.rlsm.table.Table;
import io.github.rlsm.table.Table.Wanted;
import io.github.rlsm.versionset.LivePartition;
import io.github.rlsm.versionset.PinCount;
import io.github.rlsm.versionset.PinnedVersion;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The memory components and the files that a read sees: components newest first, and one pinned
 * version.
 *
 * <p>Threads: any. Readers pin and unpin the read state. The engine retires the read state after
 * installing its successor. The last unpin of a retired read state runs {@code whenUnused}.
 *
 * <p>Keeps invariant I-4 of ARCHITECTURE.md.
 */
public final class ReadState {

  private final MemoryComponent[] memory;
  private final PinnedVersion<Table> files;
  private final ReadCounters counters;
  private final PinCount pins = new PinCount();
  private final Runnable whenUnused;

  /**
   * Creates a read state without pins.
   *
   * @param memory newest first; the first component accepts writes
   * @param files pinned on behalf of the read state
   * @param counters counts the cost of lookups
   * @param whenUnused runs once, when the read state is retired and no reader pins it
   */
  public ReadState(
      List<MemoryComponent> memory,
      PinnedVersion<Table> files,
      ReadCounters counters,
      Runnable whenUnused) {
    this.memory = memory.toArray(MemoryComponent[]::new);
    this.files = files;
    this.counters = counters;
    this.whenUnused = whenUnused;
  }

  /** Pins the read state. Returns false if it is retired. */
  public boolean tryPin(int stripe) {
    return pins.tryPin(stripe);
  }

  /** Unpins the read state, on the stripe on which it was pinned. */
  public void unpin(int stripe) {
    if (pins.unpin(stripe)) {
      whenUnused.run();
    }
  }

  /** Refuses further pins. */
  public void retire() {
    if (pins.retire()) {
      whenUnused.run();
    }
  }

  /** The component that accepts writes. */
  public MemoryComponent active() {
    return memory[0];
  }

  /** The memory components, newest first. */
  public List<MemoryComponent> memory() {
    return List.of(memory);
  }

  /** The pinned version of the files. */
  public PinnedVersion<Table> files() {
    return files;
  }

  /**
   * Looks a key up in memory only.
   *
   * @param end seqnos below this are visible
   * @return whether a version was found; it may be a tombstone
   */
  public boolean findInMemory(byte[] key, int length, long hash, long end, EntryView found) {
    for (MemoryComponent component : memory) {
      if (component.find(key, length, hash, end, found)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns the seqno of the newest version of a key in memory, published or not; -1 if memory has
   * no version.
   */
  public long newestSeqnoInMemory(byte[] key, int length, long hash) {
    long newest = -1;
    for (MemoryComponent component : memory) {
      newest = Math.max(newest, component.newestSeqno(key, length, hash));
    }
    return newest;
  }

  /**
   * Looks a key up in the files only. Returns whether a version was found; it may be a tombstone.
   *
   * @param copy null, or a buffer for pages that may be missing in memory, see
   *     {@link Table#find(byte[], int, int, long, ByteBuffer, EntryView)}
   */
  public boolean findInFiles(
      byte[] key, int length, long hash, @Nullable ByteBuffer copy, EntryView found) {
    int negatives = 0;
    int searched = 0;
    for (int i = 0; i < files.l0Count(); i++) {
      Table table = files.l0Table(i);
      if (!table.mightContain(hash)) {
        negatives++;
      } else {
        searched++;
        if (table.find(key, 0, length, hash, copy, found)) {
          counters.countLookup(negatives, searched, true);
          return true;
        }
      }
    }
    LivePartition<Table> partition = files.partitionFor(key, 0, length);
    if (partition == null) {
      counters.countLookup(negatives, searched, false);
      return false;
    }
    boolean present = false;
    for (int i = partition.runCount() - 1; i >= 0 && !present; i--) {
      // A run may be a slice of its table. Entries of the table outside the slice were rewritten
      // since, and newer versions or tombstones may exist.
      if (partition.run(i).range().contains(key, 0, length)) {
        Table table = partition.table(i);
        if (!table.mightContain(hash)) {
          negatives++;
        } else {
          searched++;
          present = table.find(key, 0, length, hash, copy, found);
        }
      }
    }
    counters.countLookup(negatives, searched, present);
    return present;
  }

  /**
   * Returns a cursor over the newest version, below a seqno, of each key, tombstones included. The
   * cursor may also show entries outside the range. The range only saves reads of sources that hold
   * no key in it.
   *
   * @param end seqnos below this are visible; all of them must be published
   * @param wanted how many entries the caller probably reads; only read-ahead depends on it
   */
  public EntryCursor cursor(long end, KeyRange range, boolean descending, Wanted wanted) {
    List<EntryCursor> sources = new ArrayList<>();
    for (MemoryComponent component : memory) {
      if (!component.isEmpty()) {
        sources.addAll(component.cursors(end, descending));
      }
    }
    addL0(range, descending, wanted, sources);
    if (files.partitionCount() == 0) {
      return MergingCursor.of(sources, descending);
    }
    return new MergingCursor(sources, new PartitionGroups(files, descending, wanted), descending);
  }

  /** Adds the runs of level 0 that may hold keys of the range. */
  private void addL0(KeyRange range, boolean descending, Wanted wanted, List<EntryCursor> sources) {
    // Beside level 1, a run of level 0 has a small part of the entries: one page at once.
    double share = files.partitionCount() == 0 ? 1.0 / Math.max(1, files.l0Count()) : 0;
    for (int i = 0; i < files.l0Count(); i++) {
      if (files.l0Keys(i).meets(range)) {
        sources.add(files.l0Table(i).cursor(range, descending, wanted.shared(share)));
      }
    }
  }

  /**
   * Presents level 1 as groups of a merge: one group for each partition, its runs newest first.
   *
   * <p>Threads: one thread at a time.
   */
  static final class PartitionGroups implements MergingCursor.Groups {

    private final PinnedVersion<Table> files;
    private final boolean descending;
    private final Wanted wanted;
    private final int count;
    private int index;

    /** The runs of the group, newest first, as indices into the runs of the partition. */
    private int[] members = new int[0];

    /**
     * Presents all of level 1 of a pinned version.
     *
     * @param wanted how many entries the caller probably reads
     */
    PartitionGroups(PinnedVersion<Table> files, boolean descending, Wanted wanted) {
      this.files = files;
      this.descending = descending;
      this.wanted = wanted;
      this.count = files.partitionCount();
    }

    @Override
    public int first() {
      index = descending ? count - 1 : 0;
      return take(null, 0, 0);
    }

    @Override
    public int next() {
      index += descending ? -1 : 1;
      return take(null, 0, 0);
    }

    @Override
    public int seek(byte[] key, int offset, int length) {
      int floor = files.version().floorPartition(key, offset, length);
      index = !descending && floor < 0 ? 0 : floor;
      int taken = take(key, offset, length);
      return taken > 0 ? taken : next();
    }

    /**
     * Makes the runs of a partition the group, except runs that end before a key. Returns their
     * number; 0 if the index is outside level 1.
     *
     * @param key null to take all runs
     */
    private int take(byte @Nullable [] key, int offset, int length) {
      if (index < 0 || index >= count) {
        return 0;
      }
      LivePartition<Table> partition = files.partition(index);
      members = new int[partition.runCount()];
      int taken = 0;
      for (int i = partition.runCount() - 1; i >= 0; i--) {
        if (key == null || !endsBefore(partition.run(i).range(), key, offset, length)) {
          members[taken++] = i;
        }
      }
      return taken;
    }

    /** Whether all keys of a range precede a key in the direction of the merge. */
    private boolean endsBefore(KeyRange keys, byte[] key, int offset, int length) {
      byte[] end = descending ? keys.from() : keys.to();
      if (end == null) {
        return false;
      }
      int order = KeyOrder.compare(end, 0, end.length, key, offset, length);
      return descending ? order > 0 : order <= 0;
    }

    @Override
    public byte @Nullable [] start(int source) {
      KeyRange keys = files.partition(index).run(members[source]).range();
      return descending ? keys.to() : keys.from();
    }

    @Override
    public EntryCursor open(int source) {
      LivePartition<Table> partition = files.partition(index);
      KeyRange range = partition.partition().range();
      int i = members[source];
      KeyRange keys = range.intersection(partition.run(i).range());
      return partition.table(i).cursor(keys, descending, wanted.shared(share(partition, i)));
    }

    /** The share of a partition's entries that a run has, if it matters. */
    private double share(LivePartition<Table> partition, int run) {
      if (wanted.atOnce() == 0) {
        return 0;
      }
      double all = 0;
      for (int i = 0; i < partition.runCount(); i++) {
        all += partition.run(i).entries();
      }
      return partition.run(run).entries() / Math.max(1, all);
    }
  }
}
