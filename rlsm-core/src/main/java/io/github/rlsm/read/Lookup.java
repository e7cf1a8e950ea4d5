// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.read;

import io.github.rlsm.base.EntryKind;
import io.github.rlsm.base.EntryView;
import io.github.rlsm.base.KeyHash;
import io.github.rlsm.base.KeyspacePrefix;
import io.github.rlsm.base.StripedCounters;
import io.github.rlsm.base.ValuePointer;
import io.github.rlsm.io.MappedFaults;
import io.github.rlsm.kv.KvReader;
import io.github.rlsm.memory.MemoryComponent;
import io.github.rlsm.valuelog.ValueLog;
import io.github.rlsm.valuelog.ValueReader;
import io.github.rlsm.versionset.PinCount;
import java.nio.ByteBuffer;
import java.util.Objects;
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
  private final MultiPageValues multiPageValues;
  private final StripedCounters lookups = new StripedCounters();

  /**
   * Creates a lookup in the current read states.
   *
   * @param values the value log, which pointers lead into
   */
  public Lookup(ReadStates readStates, ValueLog values, LongSupplier nanoClock) {
    this.readStates = readStates;
    this.values = values;
    this.multiPageValues = new MultiPageValues(values::mayNeed, nanoClock);
  }

  /** The questions that a lookup answers. The answer is null if the key is absent. */
  private enum Question {
    /** Answered by the value, in a new array. */
    VALUE,

    /** Answered by {@link #PRESENT}, after as much of the value as fits is copied. */
    COPY,

    /** Answered by {@link #PRESENT}. */
    PRESENCE,

    /** Answered as {@link #VALUE}, from the state before a seqno. */
    VALUE_BEFORE
  }

  /** The answer to a question that asks for no array. */
  private static final byte[] PRESENT = new byte[0];

  /** The buffers that a reading thread reuses, so that a read allocates only its result. */
  private static final class ReadScratch {

    private static final ThreadLocal<ReadScratch> OWN = ThreadLocal.withInitial(ReadScratch::new);

    final EntryView found = new EntryView();
    final ValueReader values = new ValueReader();
    byte[] key = new byte[64];
    int keyLength;

    /** The length of the value that {@link Question#COPY} found. */
    int valueLength;

    /** Whether the state that {@link Question#VALUE_BEFORE} asks for is known. */
    boolean isKnown;

    /** Returns this thread's buffers with the key of its next read: a prefix and a user key. */
    static ReadScratch of(byte[] prefix, byte[] userKey, int offset, int length) {
      ReadScratch scratch = OWN.get();
      scratch.key = KeyspacePrefix.join(scratch.key, prefix, userKey, offset, length);
      scratch.keyLength = prefix.length + length;
      return scratch;
    }
  }

  /** Returns the value of a key, or null. */
  public byte @Nullable [] get(byte[] prefix, byte[] key, int offset, int length) {
    ReadScratch scratch = ReadScratch.of(prefix, key, offset, length);
    return answer(Question.VALUE, scratch, MemoryComponent.LATEST, null);
  }

  /** As {@link #get(byte[], byte[], int, int)}, in the state that a handle sees. */
  public byte @Nullable [] get(
      SnapshotHandle handle, byte[] prefix, byte[] key, int offset, int length) {
    ReadScratch scratch = ReadScratch.of(prefix, key, offset, length);
    // Hold the state during the read: another thread may release the handle at any time.
    SnapshotHandle.State snapshot = handle.hold();
    try {
      return answer(Question.VALUE, scratch, snapshot.state(), snapshot.end(), null);
    } finally {
      snapshot.unpin();
    }
  }

  /** Whether a key is present; does not read its value. */
  public boolean contains(byte[] prefix, byte[] key, int offset, int length) {
    ReadScratch scratch = ReadScratch.of(prefix, key, offset, length);
    return answer(Question.PRESENCE, scratch, MemoryComponent.LATEST, null) != null;
  }

  /**
   * Copies as much of a key's value as fits, and advances the destination's position by it.
   *
   * @return the length of the value; {@link KvReader#NOT_FOUND} if the key is absent
   */
  public int get(byte[] prefix, byte[] key, int offset, int length, ByteBuffer destination) {
    ReadScratch scratch = ReadScratch.of(prefix, key, offset, length);
    int position = destination.position();
    try {
      byte[] found = answer(Question.COPY, scratch, MemoryComponent.LATEST, destination);
      return found == null ? KvReader.NOT_FOUND : scratch.valueLength;
    } catch (RuntimeException | InternalError e) {
      destination.position(position); // the copied bytes may be garbage
      throw e;
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
    ReadScratch scratch = ReadScratch.of(prefix, key, 0, key.length);
    byte[] value = answer(Question.VALUE_BEFORE, scratch, seqno, null);
    return scratch.isKnown ? new Before(value) : null;
  }

  /** Answers a question about the key in the scratch, in the current state of the store. */
  private byte @Nullable [] answer(
      Question question, ReadScratch scratch, long end, @Nullable ByteBuffer destination) {
    int stripe = PinCount.stripe();
    ReadState state = readStates.pin(stripe);
    try {
      return answer(question, scratch, state, end, destination);
    } finally {
      state.unpin(stripe);
    }
  }

  /**
   * Answers a question about the key in the scratch, and reports faults.
   *
   * @param end the seqno below which writes are visible
   * @param destination for {@link Question#COPY}
   */
  private byte @Nullable [] answer(
      Question question,
      ReadScratch scratch,
      ReadState state,
      long end,
      @Nullable ByteBuffer destination) {
    try {
      try {
        return switch (question) {
          case VALUE -> locate(scratch, state, end) ? value(scratch) : null;
          case COPY -> locate(scratch, state, end) ? copyValue(scratch, destination) : null;
          case PRESENCE ->
            locate(scratch, state, end) && scratch.found.kind() != EntryKind.DELETE
                ? PRESENT
                : null;
          case VALUE_BEFORE -> locateBelow(scratch, state, end) ? value(scratch) : null;
        };
      } finally {
        MappedFaults.check();
      }
    } catch (InternalError e) {
      throw MappedFaults.explain(e);
    } catch (IndexOutOfBoundsException | NegativeArraySizeException e) {
      throw MappedFaults.explain(e);
    } finally {
      scratch.found.clear();
    }
  }

  /**
   * Looks up the version of the key in the scratch just below a seqno. Notes whether that state is
   * known, and returns whether it is known and has a version or a tombstone.
   */
  private static boolean locateBelow(ReadScratch scratch, ReadState state, long seqno) {
    long hash = KeyHash.hash(scratch.key, 0, scratch.keyLength);
    scratch.found.clear();
    if (!state.findInMemory(scratch.key, scratch.keyLength, hash, seqno, scratch.found)) {
      state.findInFiles(scratch.key, scratch.keyLength, hash, scratch.found);
    }
    long newest = state.newestSeqnoInMemory(scratch.key, scratch.keyLength, hash);
    scratch.isKnown = newest < seqno;
    return scratch.isKnown && scratch.found.isFilled();
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
        long begun = multiPageValues.begin(pointer, scratch.keyLength);
        byte[] value = scratch.values.read(values, pointer, scratch.key, 0, scratch.keyLength);
        multiPageValues.end(begun);
        return value;
      }
      default -> {
        return null;
      }
    }
  }

  private byte @Nullable [] copyValue(ReadScratch scratch, @Nullable ByteBuffer destination) {
    ByteBuffer to = Objects.requireNonNull(destination);
    EntryView found = scratch.found;
    switch (found.kind()) {
      case EntryKind.PUT -> {
        int fitting = Math.min(found.valueLength(), to.remaining());
        int at = to.position();
        to.put(at, found.buffer(), found.valueOffset(), fitting).position(at + fitting);
        scratch.valueLength = found.valueLength();
      }
      case EntryKind.POINTER -> {
        ValuePointer pointer = pointer(found);
        long begun = multiPageValues.begin(pointer, scratch.keyLength);
        scratch.valueLength =
            scratch.values.read(values, pointer, scratch.key, 0, scratch.keyLength, to);
        multiPageValues.end(begun);
      }
      default -> {
        return null;
      }
    }
    return PRESENT;
  }

  /**
   * Prefetches the value of a get if its record spans several pages. Value segments are mapped
   * without read-ahead, because a get does not use the neighbours of its value. So without a
   * prefetch a get waits for the device once for each page. A prefetch requests all pages at once.
   *
   * <p>The position decides, not only the length: of records of 1,000 bytes, every fourth lies on
   * two pages. The reads of values on one page are not timed, so they cost nothing more.
   *
   * <p>Threads: any.
   */
  static final class MultiPageValues {

    private static final int PAGE_BYTES = 4 << 10;

    /** See {@link ValueLog#mayNeed}. */
    @FunctionalInterface
    interface Ahead {
      /** Prefetches a range of a value segment. */
      void read(int segment, long from, long to);
    }

    private final Ahead ahead;
    private final LongSupplier nanoClock;
    private final ColdValues cold = new ColdValues();

    MultiPageValues(Ahead ahead, LongSupplier nanoClock) {
      this.ahead = ahead;
      this.nanoClock = nanoClock;
    }

    /**
     * Called before a value is read.
     *
     * @return the argument for {@link #end}; 0 if the record lies on one page
     */
    long begin(ValuePointer pointer, int keyLength) {
      long from = pointer.offset();
      long end = from + ValueLog.recordBytes(keyLength, pointer);
      if (from / PAGE_BYTES == (end - 1) / PAGE_BYTES) {
        return 0;
      }
      if (cold.areExpected()) {
        ahead.read(pointer.segment(), from, end);
      }
      return nanoClock.getAsLong();
    }

    /** Called after a value was read. */
    void end(long begun) {
      if (begun != 0) {
        cold.noteRead(1, nanoClock.getAsLong() - begun);
      }
    }
  }
}
