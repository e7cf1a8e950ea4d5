// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.read;

import io.github.rlsm.base.EntryKind;
import io.github.rlsm.base.EntryView;
import io.github.rlsm.base.KeyHash;
import io.github.rlsm.base.StripedCounters;
import io.github.rlsm.base.ValuePointer;
import io.github.rlsm.io.MappedFaults;
import io.github.rlsm.kv.KvReader;
import io.github.rlsm.memory.MemoryComponent;
import io.github.rlsm.valuelog.ValueLog;
import io.github.rlsm.valuelog.ValueReader;
import io.github.rlsm.versionset.PinCount;
import java.nio.ByteBuffer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Looks up single keys. Calls {@link MappedFaults#check} before it returns an answer, so that a
 * fault in a mapping never yields a wrong answer.
 *
 * <p>Threads: any, inside the store's {@link OperationGuard}.
 */
public final class Lookup {

  // The counters of lookups.
  private static final int OTHER_GETS = 0;
  private static final int MEMORY_HITS = 1;

  private final ReadStates readStates;
  private final ValueLog values;
  private final LongValues longValues;
  private final StripedCounters lookups = new StripedCounters();

  /**
   * Creates a lookup in the current read states.
   *
   * @param values the value log, which pointers lead into
   */
  public Lookup(ReadStates readStates, ValueLog values, LongSupplier nanoClock) {
    this.readStates = readStates;
    this.values = values;
    this.longValues = new LongValues(values::mayNeed, nanoClock);
  }

  /** The buffers that a reading thread reuses, so that a read allocates only its result. */
  private static final class ReadScratch {

    private static final ThreadLocal<ReadScratch> OWN = ThreadLocal.withInitial(ReadScratch::new);

    final EntryView found = new EntryView();
    final ValueReader values = new ValueReader();
    byte[] key = new byte[64];
    int keyLength;

    static ReadScratch own() {
      return OWN.get();
    }

    /** Builds the internal key from a prefix and a user key. */
    void setKey(byte[] prefix, byte[] userKey, int offset, int length) {
      keyLength = prefix.length + length;
      if (keyLength > key.length) {
        key = new byte[Integer.highestOneBit(keyLength) * 2];
      }
      for (int i = 0; i < prefix.length; i++) {
        key[i] = prefix[i];
      }
      System.arraycopy(userKey, offset, key, prefix.length, length);
    }
  }

  /** Returns the value of a key, or null. */
  public byte @Nullable [] get(byte[] prefix, byte[] key, int offset, int length) {
    ReadScratch scratch = ReadScratch.own();
    scratch.setKey(prefix, key, offset, length);
    int stripe = PinCount.stripe();
    ReadState state = readStates.pin(stripe);
    try {
      return find(scratch, state, MemoryComponent.LATEST);
    } finally {
      scratch.found.clear();
      state.unpin(stripe);
    }
  }

  /** As {@link #get(byte[], byte[], int, int)}, in the state that a handle sees. */
  public byte @Nullable [] get(
      SnapshotHandle handle, byte[] prefix, byte[] key, int offset, int length) {
    ReadScratch scratch = ReadScratch.own();
    scratch.setKey(prefix, key, offset, length);
    // Hold the state during the read: another thread may release the handle at any time.
    SnapshotHandle.State snapshot = handle.hold();
    try {
      return find(scratch, snapshot.state(), snapshot.end());
    } finally {
      scratch.found.clear();
      snapshot.unpin();
    }
  }

  private byte @Nullable [] find(ReadScratch scratch, ReadState state, long end) {
    try {
      try {
        return locate(scratch, state, end) ? value(scratch) : null;
      } finally {
        MappedFaults.check();
      }
    } catch (InternalError e) {
      throw MappedFaults.explain(e);
    } catch (IndexOutOfBoundsException | NegativeArraySizeException e) {
      throw MappedFaults.explain(e);
    }
  }

  /** Whether a key is present; does not read its value. */
  public boolean contains(byte[] prefix, byte[] key, int offset, int length) {
    ReadScratch scratch = ReadScratch.own();
    scratch.setKey(prefix, key, offset, length);
    int stripe = PinCount.stripe();
    ReadState state = readStates.pin(stripe);
    try {
      try {
        return locate(scratch, state, MemoryComponent.LATEST)
            && scratch.found.kind() != EntryKind.DELETE;
      } finally {
        MappedFaults.check();
      }
    } catch (InternalError e) {
      throw MappedFaults.explain(e);
    } catch (IndexOutOfBoundsException | NegativeArraySizeException e) {
      throw MappedFaults.explain(e);
    } finally {
      scratch.found.clear();
      state.unpin(stripe);
    }
  }

  /**
   * Copies as much of a key's value as fits, and advances the destination's position by it.
   *
   * @return the length of the value; {@link KvReader#NOT_FOUND} if the key is absent
   */
  public int get(byte[] prefix, byte[] key, int offset, int length, ByteBuffer destination) {
    ReadScratch scratch = ReadScratch.own();
    scratch.setKey(prefix, key, offset, length);
    int position = destination.position();
    int stripe = PinCount.stripe();
    ReadState state = readStates.pin(stripe);
    try {
      try {
        boolean found = locate(scratch, state, MemoryComponent.LATEST);
        return found ? copyValue(scratch, destination) : KvReader.NOT_FOUND;
      } finally {
        MappedFaults.check();
      }
    } catch (InternalError e) {
      destination.position(position);
      throw MappedFaults.explain(e);
    } catch (IndexOutOfBoundsException | NegativeArraySizeException e) {
      destination.position(position);
      throw MappedFaults.explain(e);
    } finally {
      scratch.found.clear();
      state.unpin(stripe);
    }
  }

  /**
   * The state of a key just before a seqno.
   *
   * @param value null if the key was absent
   */
  @SuppressWarnings("ArrayRecordComponent") // a result, never compared
  public record Before(byte @Nullable [] value) {}

  /**
   * Looks up the state of a key just before a seqno. Every write below the seqno is published, and
   * the caller blocks the publication of later writes. So the lookup must not wait for a batch in
   * flight.
   *
   * @return null if the key already has a version at or past the seqno: the version that it
   *     replaced may be lost
   */
  @Nullable
  public Before before(byte[] prefix, byte[] key, long seqno) {
    ReadScratch scratch = ReadScratch.own();
    scratch.setKey(prefix, key, 0, key.length);
    int stripe = PinCount.stripe();
    ReadState state = readStates.pin(stripe);
    try {
      try {
        boolean known = findBelow(scratch, state, seqno);
        byte[] value = known && scratch.found.isFilled() ? value(scratch) : null;
        return known ? new Before(value) : null;
      } finally {
        MappedFaults.check();
      }
    } catch (InternalError e) {
      throw MappedFaults.explain(e);
    } catch (IndexOutOfBoundsException | NegativeArraySizeException e) {
      throw MappedFaults.explain(e);
    } finally {
      scratch.found.clear();
      state.unpin(stripe);
    }
  }

  private static boolean findBelow(ReadScratch scratch, ReadState state, long seqno) {
    long hash = KeyHash.hash(scratch.key, 0, scratch.keyLength);
    scratch.found.clear();
    if (!state.findInMemory(scratch.key, scratch.keyLength, hash, seqno, scratch.found)) {
      state.findInFiles(scratch.key, scratch.keyLength, hash, scratch.found);
    }
    return state.newestSeqnoInMemory(scratch.key, scratch.keyLength, hash) < seqno;
  }

  /** Looks up the key in the scratch. Returns whether a version or a tombstone exists. */
  private boolean locate(ReadScratch scratch, ReadState state, long end) {
    EntryView found = scratch.found;
    found.clear();
    byte[] key = scratch.key;
    int length = scratch.keyLength;
    long hash = KeyHash.hash(key, 0, length);
    boolean inMemory = state.findInMemory(key, length, hash, end, found);
    boolean present = inMemory || state.findInFiles(key, length, hash, found);
    lookups.add(inMemory ? MEMORY_HITS : OTHER_GETS, 1);
    return present;
  }

  /** Returns the number of lookups. */
  public long gets() {
    return lookups.sum(OTHER_GETS) + memoryHits();
  }

  /** Returns the number of lookups that memory answered. */
  public long memoryHits() {
    return lookups.sum(MEMORY_HITS);
  }

  /**
   * Reads the pointer that was found. The pinned read state keeps the segment of a sound pointer
   * mapped. A garbage pointer may lead into a segment that another thread is about to unmap, which
   * would end the process. So a fault must be reported before the pointer is followed.
   */
  private static ValuePointer pointer(EntryView found) {
    ValuePointer pointer = ValuePointer.read(found.buffer(), found.valueOffset());
    MappedFaults.check();
    return pointer;
  }

  private byte @Nullable [] value(ReadScratch scratch) {
    EntryView found = scratch.found;
    switch (found.kind()) {
      case EntryKind.PUT -> {
        byte[] value = new byte[found.valueLength()];
        found.buffer().get(found.valueOffset(), value);
        return value;
      }
      case EntryKind.POINTER -> {
        ValuePointer pointer = pointer(found);
        long begun = longValues.begin(pointer, scratch.keyLength);
        byte[] value = scratch.values.read(values, pointer, scratch.key, 0, scratch.keyLength);
        longValues.end(pointer, begun);
        return value;
      }
      default -> {
        return null;
      }
    }
  }

  private int copyValue(ReadScratch scratch, ByteBuffer destination) {
    EntryView found = scratch.found;
    switch (found.kind()) {
      case EntryKind.PUT -> {
        int fitting = Math.min(found.valueLength(), destination.remaining());
        int at = destination.position();
        destination.put(at, found.buffer(), found.valueOffset(), fitting).position(at + fitting);
        return found.valueLength();
      }
      case EntryKind.POINTER -> {
        ValuePointer pointer = pointer(found);
        long begun = longValues.begin(pointer, scratch.keyLength);
        int length =
            scratch.values.read(values, pointer, scratch.key, 0, scratch.keyLength, destination);
        longValues.end(pointer, begun);
        return length;
      }
      default -> {
        return KvReader.NOT_FOUND;
      }
    }
  }
}
