// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.read;

import io.github.rlsm.base.EntryKind;
import io.github.rlsm.base.EntryView;
import io.github.rlsm.base.KeyHash;
import io.github.rlsm.base.KeyspacePrefix;
import io.github.rlsm.base.Reused;
import io.github.rlsm.base.StripedCounters;
import io.github.rlsm.base.ValuePointer;
import io.github.rlsm.io.MappedFaults;
import io.github.rlsm.kv.KvReader;
import io.github.rlsm.memory.MemoryComponent;
import io.github.rlsm.valuelog.ValueLog;
import io.github.rlsm.valuelog.ValueReader;
import io.github.rlsm.versionset.PinCount;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
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
  private final ColdGets coldGets;
  private final StripedCounters lookups = new StripedCounters();

  /**
   * Creates a lookup in the current read states.
   *
   * @param values the value log, which pointers lead into
   */
  public Lookup(ReadStates readStates, ValueLog values, LongSupplier nanoClock) {
    this.readStates = readStates;
    this.values = values;
    this.coldGets = new ColdGets(nanoClock);
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

  /**
   * The steps of a get. HotSpot compiles each of them separately, like the steps of {@link Scan}.
   * In one piece, C2 needed up to 1 s and 29 MB for them. It compiled them again after the first
   * read of a page or value from the device. During this compilation, gets were slower.
   */
  private enum Step {
    MEMORY((lookup, scratch, state) -> state.findInMemory(
        scratch.key, scratch.keyLength, scratch.hash, scratch.end, scratch.found)),
    FILES((lookup, scratch, state) -> state.findInFiles(
        scratch.key, scratch.keyLength, scratch.hash, scratch.pageCopy(), scratch.found)),
    POINTED((lookup, scratch, state) -> lookup.readPointed(scratch)),
    COPY_POINTED((lookup, scratch, state) -> lookup.copyPointed(scratch));

    /** The code of a step. It returns true if the version or the value was found. */
    private interface Code {
      boolean run(Lookup lookup, ReadScratch scratch, ReadState state);
    }

    @SuppressWarnings("ImmutableEnumChecker") // a lambda without state
    private final Code code;

    Step(Code code) {
      this.code = code;
    }
  }

  /** The answer to a question that asks for no array. */
  private static final byte[] PRESENT = new byte[0];

  /**
   * The buffers of a read, which {@linkplain Reused later reads reuse}, so that a read allocates
   * only its result.
   */
  private static final class ReadScratch {

    /** Enough for a page of ordinary keys and pointers. */
    private static final int PAGE_BYTES = 8 << 10;

    private static final Reused<ReadScratch> SCRATCHES = new Reused<>(ReadScratch::new);

    final EntryView found = new EntryView();
    final ValueReader values = new ValueReader();

    /** For pages of tables that are read by system calls; null before the first one. */
    private @Nullable ByteBuffer page;

    byte[] key = new byte[64];
    int keyLength;

    /** {@link KeyHash} of the key. */
    long hash;

    /** The seqno below which writes are visible. */
    long end;

    /** Where {@link Question#COPY} copies the value to; null for other questions. */
    @Nullable
    ByteBuffer destination;

    /** The value that {@link Step#POINTED} has read, until it is returned. */
    byte @Nullable [] value;

    /** The length of the value that {@link Question#COPY} found. */
    int valueLength;

    /** The number of values read from the value log. */
    int logReads;

    /** Whether this get reads files by system calls. */
    boolean isCold;

    /** Whether the state that {@link Question#VALUE_BEFORE} asks for is known. */
    boolean isKnown;

    /** Returns the buffer for this get's pages of tables; null to read them in place. */
    @Nullable
    ByteBuffer pageCopy() {
      if (isCold && page == null) {
        page = ByteBuffer.allocateDirect(PAGE_BYTES).order(ByteOrder.LITTLE_ENDIAN);
      }
      return isCold ? page : null;
    }

    /**
     * Returns buffers for one read, to be {@linkplain #release released} after it.
     *
     * @param prefix the first part of the key; {@code userKey} has the rest
     */
    static ReadScratch of(byte[] prefix, byte[] userKey, int offset, int length) {
      ReadScratch scratch = SCRATCHES.take();
      scratch.key = KeyspacePrefix.join(scratch.key, prefix, userKey, offset, length);
      scratch.keyLength = prefix.length + length;
      scratch.hash = KeyHash.hash(scratch.key, 0, scratch.keyLength);
      return scratch;
    }

    void release() {
      found.clear();
      destination = null;
      value = null;
      SCRATCHES.giveBack(this);
    }
  }

  /** Returns the value of a key, or null. */
  public byte @Nullable [] get(byte[] prefix, byte[] key, int offset, int length) {
    ReadScratch scratch = ReadScratch.of(prefix, key, offset, length);
    try {
      return answer(Question.VALUE, scratch, MemoryComponent.LATEST, null);
    } finally {
      scratch.release();
    }
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
      scratch.release();
    }
  }

  /** Whether a key is present; does not read its value. */
  public boolean contains(byte[] prefix, byte[] key, int offset, int length) {
    ReadScratch scratch = ReadScratch.of(prefix, key, offset, length);
    try {
      return answer(Question.PRESENCE, scratch, MemoryComponent.LATEST, null) != null;
    } finally {
      scratch.release();
    }
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
    } finally {
      scratch.release();
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
   * the caller blocks the publication of later writes. So the lookup must not wait for a write in
   * flight.
   *
   * @return null if the key already has a version at or past the seqno: the version that it
   *     replaced may be lost
   */
  @Nullable
  public Before before(byte[] prefix, byte[] key, long seqno) {
    ReadScratch scratch = ReadScratch.of(prefix, key, 0, key.length);
    try {
      byte[] value = answer(Question.VALUE_BEFORE, scratch, seqno, null);
      return scratch.isKnown ? new Before(value) : null;
    } finally {
      scratch.release();
    }
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
    scratch.end = end;
    scratch.destination = destination;
    scratch.isCold = coldGets.areExpected();
    scratch.values.setCold(scratch.isCold);
    try {
      try {
        return switch (question) {
          case VALUE -> locate(scratch, state) ? value(scratch, state) : null;
          case COPY -> locate(scratch, state) ? copyValue(scratch, state) : null;
          case PRESENCE ->
            locate(scratch, state) && scratch.found.kind() != EntryKind.DELETE ? PRESENT : null;
          case VALUE_BEFORE -> locateBelow(scratch, state) ? value(scratch, state) : null;
        };
      } finally {
        MappedFaults.check();
      }
    } catch (InternalError e) {
      throw MappedFaults.explain(e);
    } catch (IndexOutOfBoundsException | NegativeArraySizeException e) {
      throw MappedFaults.explain(e);
    }
  }

  private boolean run(Step step, ReadScratch scratch, ReadState state) {
    return step.code.run(this, scratch, state);
  }

  /**
   * Looks up the version of the key in the scratch just below the seqno in the scratch. Notes
   * whether that state is known, and returns whether it is known and has a version or a tombstone.
   */
  private boolean locateBelow(ReadScratch scratch, ReadState state) {
    scratch.found.clear();
    if (!run(Step.MEMORY, scratch, state)) {
      run(Step.FILES, scratch, state);
    }
    long newest = state.newestSeqnoInMemory(scratch.key, scratch.keyLength, scratch.hash);
    scratch.isKnown = newest < scratch.end;
    return scratch.isKnown && scratch.found.isFilled();
  }

  /** Looks up the key in the scratch. Returns whether a version or a tombstone exists. */
  private boolean locate(ReadScratch scratch, ReadState state) {
    scratch.found.clear();
    boolean inMemory = run(Step.MEMORY, scratch, state);
    boolean present = inMemory || run(Step.FILES, scratch, state);
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

  private byte @Nullable [] value(ReadScratch scratch, ReadState state) {
    EntryView found = scratch.found;
    switch (found.kind()) {
      case EntryKind.PUT -> {
        byte[] value = new byte[found.valueLength()];
        found.buffer().get(found.valueOffset(), value);
        return value;
      }
      case EntryKind.POINTER -> {
        run(Step.POINTED, scratch, state);
        return scratch.value;
      }
      default -> {
        return null;
      }
    }
  }

  private boolean readPointed(ReadScratch scratch) {
    ValuePointer pointer = pointer(scratch.found);
    long begun = coldGets.begin(scratch.logReads++);
    scratch.value = scratch.values.read(values, pointer, scratch.key, 0, scratch.keyLength);
    coldGets.end(begun);
    return true;
  }

  private byte @Nullable [] copyValue(ReadScratch scratch, ReadState state) {
    EntryView found = scratch.found;
    switch (found.kind()) {
      case EntryKind.PUT -> {
        ByteBuffer to = Objects.requireNonNull(scratch.destination);
        int fitting = Math.min(found.valueLength(), to.remaining());
        int at = to.position();
        to.put(at, found.buffer(), found.valueOffset(), fitting).position(at + fitting);
        scratch.valueLength = found.valueLength();
      }
      case EntryKind.POINTER -> run(Step.COPY_POINTED, scratch, state);
      default -> {
        return null;
      }
    }
    return PRESENT;
  }

  private boolean copyPointed(ReadScratch scratch) {
    ByteBuffer to = Objects.requireNonNull(scratch.destination);
    ValuePointer pointer = pointer(scratch.found);
    long begun = coldGets.begin(scratch.logReads++);
    scratch.valueLength =
        scratch.values.read(values, pointer, scratch.key, 0, scratch.keyLength, to);
    coldGets.end(begun);
    return true;
  }

  /**
   * Decides from the times of earlier reads of the value log whether the next get reads by system
   * calls. Such a get waits for the device once for all pages of its value, and the kernel keeps
   * the pages of tables, which are used often. Both matter only if memory is short. Otherwise a
   * system call costs more than the rest of a get.
   *
   * <p>Only gets of values in the log count. For values in tables, system calls gained nothing.
   *
   * <p>Threads: any.
   */
  static final class ColdGets {

    /** One read in this many is timed while gets read the mapping: the clock costs time too. */
    private static final int SAMPLE = 8;

    private final LongSupplier nanoClock;
    private final ColdReads cold = new ColdReads();

    ColdGets(LongSupplier nanoClock) {
      this.nanoClock = nanoClock;
    }

    /** Whether the next get reads by system calls. */
    boolean areExpected() {
      return cold.areExpected();
    }

    /**
     * Called before a value is read from the log.
     *
     * @param reads the number of earlier reads of the thread
     * @return the argument for {@link #end}; 0 if the read is not timed
     */
    long begin(int reads) {
      return cold.areExpected() || reads % SAMPLE == 0 ? nanoClock.getAsLong() : 0;
    }

    /** Called after the value was read. */
    void end(long begun) {
      if (begun != 0) {
        cold.noteRead(1, nanoClock.getAsLong() - begun);
      }
    }
  }
}
