// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.memory;

import io.github.rlsm.base.KeyOrder;
import io.github.rlsm.log.LogGeneration;
import io.github.rlsm.log.RecordLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;

/**
 * A concurrent hash table that maps a key to its entry, and an entry to its newest version (FloDB
 * section 4.1). Each generation has one.
 *
 * <p>A slot holds the upper half of the key's hash and the entry number plus one. Probing is
 * linear. The table has two slots for each entry that can be claimed, so it never fills. Entries
 * are numbered in the order of their arrival, and draining follows that order.
 *
 * <p>Threads: any, without locks. A slot is published after the entry's reference, so a thread that
 * finds the slot also finds the reference.
 */
final class Membuffer {

  private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);
  private static final VarHandle CLAIMED;

  static {
    try {
      CLAIMED = MethodHandles.lookup().findVarHandle(Membuffer.class, "claimed", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final LogGeneration log;
  private final SnapshotRegistry snapshots;
  private final OlderVersions olderVersions;
  private final long[] references;
  private final long[] slots;
  private volatile int claimed;

  Membuffer(LogGeneration log, SnapshotRegistry snapshots, MembufferArrays arrays) {
    this.log = log;
    this.snapshots = snapshots;
    this.references = arrays.references();
    this.slots = arrays.slots();
    this.olderVersions = new OlderVersions(references.length);
  }

  /** The arrays, which may be reused once no thread reads the component. */
  MembufferArrays arrays() {
    return new MembufferArrays(references, slots);
  }

  /**
   * Claims {@code count} entry numbers. Returns the first one, or -1 if fewer are left.
   *
   * <p>Until the caller has reserved a place in the log, the component may be flushed and its
   * arrays reused. So a claim touches no array, whether it succeeds or fails. Entry numbers that
   * are never used stay {@link Reference#NONE}.
   */
  int claim(int count) {
    if (count > references.length - claimed) {
      return -1;
    }
    int first = (int) CLAIMED.getAndAdd(this, count);
    return first <= references.length - count ? first : -1;
  }

  /** Abandons claimed entry numbers. The caller must hold an unpublished reservation in the log. */
  void abandon(int first, int count) {
    for (int i = first; i < first + count; i++) {
      LONGS.setRelease(references, i, Reference.ABANDONED);
    }
  }

  /** The number of entry numbers claimed so far. */
  int claimed() {
    return Math.min(claimed, references.length);
  }

  int capacity() {
    return references.length;
  }

  /** Allocates the memory that insertions may need to keep old versions for snapshots. */
  void prepare(int insertions, OlderVersions.Spare spare) {
    if (snapshots.count() > 0) {
      olderVersions.prepare();
      spare.ensure(insertions);
    }
  }

  /**
   * Inserts a version of a key. Uses the claimed entry number if the key is new. Allocates nothing
   * after {@link #prepare}, unless the first snapshot was opened in between.
   */
  void insert(
      int entry, byte[] key, int keyLength, long hash, long reference, OlderVersions.Spare spare) {
    long word = (hash & 0xFFFF_FFFF_0000_0000L) | (entry + 1L);
    int mask = slots.length - 1;
    int at = (int) hash & mask;
    boolean used = false;
    while (true) {
      long slot = (long) LONGS.getAcquire(slots, at);
      if (slot == 0) {
        if (!used) {
          LONGS.setRelease(references, entry, reference);
          used = true;
        }
        slot = (long) LONGS.compareAndExchange(slots, at, 0L, word);
        if (slot == 0) {
          return;
        }
      }
      int present = (int) slot - 1;
      if ((slot ^ word) >>> Integer.SIZE == 0 && hasKey(present, key, keyLength)) {
        long unused = used ? Reference.dead(reference) : Reference.ABANDONED;
        LONGS.setRelease(references, entry, unused);
        update(present, reference, spare);
        return;
      }
      at = at + 1 & mask;
    }
  }

  private void update(int entry, long reference, OlderVersions.Spare spare) {
    while (true) {
      long current = (long) LONGS.getVolatile(references, entry);
      boolean overtaken = Reference.isNewer(current, reference);
      long older = overtaken ? reference : current;
      long newer = overtaken ? current : reference;
      if (snapshots.isNeeded(seqno(older), seqno(newer))) {
        olderVersions.add(entry, older, spare);
      }
      if (overtaken || LONGS.compareAndSet(references, entry, current, reference)) {
        return;
      }
    }
  }

  /** Returns the entry of a key; -1 if there is none. */
  int find(byte[] key, int keyLength, long hash) {
    int mask = slots.length - 1;
    int at = (int) hash & mask;
    while (true) {
      long slot = (long) LONGS.getAcquire(slots, at);
      if (slot == 0) {
        return -1;
      }
      if ((slot ^ hash) >>> Integer.SIZE == 0 && hasKey((int) slot - 1, key, keyLength)) {
        return (int) slot - 1;
      }
      at = at + 1 & mask;
    }
  }

  /** Returns the newest version of an entry; see {@link Reference#isVersion}. */
  long newest(int entry) {
    return (long) LONGS.getAcquire(references, entry);
  }

  /**
   * Returns the version of an entry that a snapshot sees.
   *
   * @param end the snapshot sees seqnos below this
   * @return {@link Reference#NONE} if the snapshot sees no version
   */
  long visible(int entry, long end) {
    long reference = (long) LONGS.getVolatile(references, entry);
    if (!Reference.isVersion(reference)) {
      return Reference.NONE;
    }
    return seqno(reference) < end
        ? reference
        : olderVersions.newestBelow(entry, end - log.baseSeqno());
  }

  long seqno(long reference) {
    return log.baseSeqno() + Reference.delta(reference);
  }

  LogGeneration log() {
    return log;
  }

  private boolean hasKey(int entry, byte[] key, int keyLength) {
    int location = Reference.location((long) LONGS.getAcquire(references, entry));
    ByteBuffer segment = log.segmentOf(location);
    int keyOffset = RecordLayout.keyOffset(segment, location);
    int length = RecordLayout.keyLength(segment, location, keyOffset);
    return KeyOrder.equal(key, 0, keyLength, segment, keyOffset, length);
  }

  /** Heap bytes of the arrays. */
  long heapBytes() {
    return arrays().heapBytes();
  }
}
