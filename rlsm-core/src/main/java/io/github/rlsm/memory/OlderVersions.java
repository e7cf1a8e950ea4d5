// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * A hash table of versions that were replaced in place while a snapshot still needed them. It is
 * keyed by entry number and has lock-free chains, newest version first.
 *
 * <p>The table is empty unless snapshots or scans run concurrently with writes to the same keys. So
 * the first write that finds an open snapshot allocates it. Adding a version allocates nothing,
 * because a writer that has reserved its place in the log must not fail.
 *
 * <p>Threads: any. Versions are only added and never removed, so an insertion into a chain takes
 * one compare-and-set of a link.
 */
public final class OlderVersions {

  /** The number of entries per chain. */
  private static final int ENTRIES_PER_CHAIN = 8;

  private static final VarHandle OLDER;

  static {
    try {
      OLDER = MethodHandles.lookup().findVarHandle(Version.class, "older", Version.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /**
   * A replaced version of an entry. Its fields are written before the version is linked into a
   * chain.
   */
  static final class Version {

    private int entry;
    private long reference;

    /** The next version of the chain, or of a writer's {@link Spare}. */
    volatile @Nullable Version older;
  }

  private final int chainCount;

  /** The newest version of each chain; null until the first snapshot is seen. */
  private volatile @Nullable AtomicReferenceArray<@Nullable Version> chains;

  /** Creates an empty table for a component with the given number of entries. */
  OlderVersions(int entries) {
    this.chainCount = Integer.highestOneBit(Math.max(1, entries / ENTRIES_PER_CHAIN));
  }

  /** Allocates the table if there is none yet. */
  void prepare() {
    if (chains == null) {
      makeChains();
    }
  }

  private synchronized AtomicReferenceArray<@Nullable Version> makeChains() {
    AtomicReferenceArray<@Nullable Version> made = chains;
    if (made == null) {
      made = new AtomicReferenceArray<>(chainCount);
      chains = made;
    }
    return made;
  }

  /** Keeps a version of an entry. Its seqno determines its position in the chain. */
  void add(int entry, long reference, Spare spare) {
    AtomicReferenceArray<@Nullable Version> all = chains;
    if (all == null) {
      all = makeChains(); // a snapshot was opened after the writer called prepare()
    }
    Version added = spare.take();
    added.entry = entry;
    added.reference = reference;
    int chain = entry & chainCount - 1;
    boolean done = false;
    while (!done) {
      Version newer = null;
      Version next = all.get(chain);
      while (next != null && Reference.isNewer(next.reference, reference)) {
        newer = next;
        next = next.older;
      }
      if (next != null && next.reference == reference) {
        return; // another writer has already kept this version
      }
      added.older = next;
      done = newer == null
          ? all.compareAndSet(chain, next, added)
          : OLDER.compareAndSet(newer, next, added);
    }
  }

  /**
   * Returns the newest kept version of an entry with a seqno delta below the bound; 0 if there is
   * none.
   */
  long newestBelow(int entry, long deltaBound) {
    AtomicReferenceArray<@Nullable Version> all = chains;
    Version version = all == null ? null : all.get(entry & chainCount - 1);
    while (version != null) {
      if (version.entry == entry && Reference.delta(version.reference) < deltaBound) {
        return version.reference;
      }
      version = version.older;
    }
    return 0;
  }

  /**
   * Memory for the old versions that a write may have to keep for snapshots. The writer allocates
   * it before it reserves its place in the log, so that the insertion allocates nothing.
   *
   * <p>Threads: one thread at a time; each write has its own instance.
   */
  public static final class Spare {

    /** An empty instance for inserts that may allocate. It stays empty, so threads may share it. */
    static final Spare NONE = new Spare();

    /**
     * A concurrent write to the same key makes an insert keep one version more than it replaces.
     */
    private static final int EXTRA = 4;

    /** The most versions that stay allocated for later writes after a large batch. */
    private static final int KEPT_MAX = 64;

    private @Nullable Version first;
    private int count;

    /** Allocates versions until there are enough for a number of insertions. */
    void ensure(int insertions) {
      while (count < insertions + EXTRA) {
        Version added = new Version();
        added.older = first;
        first = added;
        count++;
      }
    }

    /** Returns an unused version; allocates one if none is left. */
    Version take() {
      Version taken = first;
      if (taken == null) {
        return new Version();
      }
      first = taken.older;
      count--;
      return taken;
    }

    /** Releases the versions that a large batch allocated and did not need. */
    public void trim() {
      if (count > KEPT_MAX) {
        first = null;
        count = 0;
      }
    }
  }
}
