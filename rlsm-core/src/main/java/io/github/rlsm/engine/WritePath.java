// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import io.github.rlsm.background.BackgroundError;
import io.github.rlsm.background.BackgroundWork;
import io.github.rlsm.background.StoreMemory;
import io.github.rlsm.base.KeyHash;
import io.github.rlsm.base.PartHeader;
import io.github.rlsm.engine.WriteScratch.Place;
import io.github.rlsm.io.MappedFaults;
import io.github.rlsm.kv.Durability;
import io.github.rlsm.kv.StoreFailedException;
import io.github.rlsm.log.LogGeneration;
import io.github.rlsm.log.PublishedSeqno;
import io.github.rlsm.log.RecordEncoder;
import io.github.rlsm.log.RecordLayout;
import io.github.rlsm.log.SegmentFiles;
import io.github.rlsm.memory.MemoryComponent;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes records to the log and inserts them into memory, in the order that the package description
 * gives.
 *
 * <p>Threads: any. A write takes a lock only if its generation is full, and once per mebibyte of
 * log to tell the throttle how much memory is unflushed.
 */
final class WritePath {

  private final ActiveGeneration active;
  private final StoreMemory memory;
  private final SegmentFiles segments;
  private final PublishedSeqno published;
  private final int separationBytes;
  private final CommittedSeqno committed;
  private final BackgroundWork background;
  private final BackgroundError errors;
  private final LongAdder operations = new LongAdder();
  private final LongAdder userBytes = new LongAdder();
  private final LongAdder syncedWrites = new LongAdder();

  /**
   * The highest durability promise of any record. Racing threads may promise the same seqno twice,
   * which costs 8 bytes, or a lower one, which the next record corrects.
   */
  private volatile long promised;

  WritePath(
      ActiveGeneration active,
      StoreMemory memory,
      CommittedSeqno committed,
      BackgroundWork background) {
    this.active = active;
    this.memory = memory;
    this.segments = memory.segments();
    this.published = memory.published();
    this.separationBytes = memory.settings().separationBytes();
    this.committed = committed;
    this.background = background;
    this.errors = background.errors();
    this.promised = committed.get();
  }

  // ----- puts, deletes and batches

  /**
   * Returns the seqno up to which a record promises durability; negative for no promise. Every SYNC
   * record has a promise. The first record of any kind after a force has one too, so that a call of
   * {@link #sync} leaves a trace in the log.
   */
  private long promise(Durability durability) {
    long reached = committed.get();
    if (reached > promised) {
      promised = reached;
      return reached;
    }
    return durability == Durability.SYNC ? reached : -1;
  }

  void put(WriteScratch scratch, byte[] value, int offset, int length, Durability durability) {
    scratch.encoder.put(scratch.key, scratch.keyLength, value, offset, length, promise(durability));
    write(scratch, length >= separationBytes, durability);
  }

  void delete(WriteScratch scratch, Durability durability) {
    scratch.encoder.delete(scratch.key, scratch.keyLength, promise(durability));
    write(scratch, false, durability);
  }

  private void write(WriteScratch scratch, boolean inValueLog, Durability durability) {
    errors.check();
    long hash = KeyHash.hash(scratch.key, 0, scratch.keyLength);
    Place place = reserve(scratch, inValueLog);
    try {
      fill(scratch, place);
      insert(scratch, place, hash);
      published.publish(place.start(), place.end());
    } catch (RuntimeException | Error e) {
      try {
        unfinished(e, place);
      } catch (RuntimeException | Error noStack) {
        published.stuck = true; // needs no call, so it works without stack
      }
      throw e;
    }
    acknowledge(place, durability);
  }

  /**
   * Builds a put, or a delete if the value is null. Returns whether the record goes to the value
   * log.
   */
  boolean build(WriteScratch scratch, byte @Nullable [] value, Durability durability) {
    if (value == null) {
      scratch.encoder.delete(scratch.key, scratch.keyLength, promise(durability));
      return false;
    }
    scratch.encoder.put(
        scratch.key, scratch.keyLength, value, 0, value.length, promise(durability));
    return value.length >= separationBytes;
  }

  /**
   * Writes a batch if {@code consent} is given. A batch without consent leaves a void record, since
   * its place was reserved.
   *
   * @param header identifies the cross-shard batch that the batch is part of, null for none
   * @param consent asked once, after the last step that can fail for lack of a resource and before
   *     the first step that is visible to other threads; must not throw
   * @return whether the batch was written
   */
  boolean writeBatch(
      WriteScratch scratch,
      RecordEncoder.Batch batch,
      Durability durability,
      @Nullable PartHeader header,
      BooleanSupplier consent) {
    scratch.encoder.beginBatch(batch.operations(), promise(durability), header);
    boolean inValueLog = batch.encode(scratch.encoder) >= separationBytes;
    errors.check();
    scratch.encoder.finishBatch();
    scratch.ensureKey(scratch.encoder.longestKey());
    CommittedSeqno.@Nullable Part part = header == null ? null : committed.part(header.gsn());
    Place place = reserve(scratch, inValueLog);
    boolean isWritten;
    try {
      isWritten = consent.getAsBoolean();
      if (isWritten) {
        fill(scratch, place);
        insertBatch(scratch, place);
        if (part != null) {
          place.log().hasPart(part.gsn());
          committed.partWritten(part, place.end());
        }
      } else {
        scratch.encoder.setBatchVoid();
        fill(scratch, place);
        place.memory().abandon(place.entry(), scratch.encoder.operations());
        MappedFaults.check();
      }
      published.publish(place.start(), place.end());
    } catch (RuntimeException | Error e) {
      try {
        unfinished(e, place);
      } catch (RuntimeException | Error noStack) {
        published.stuck = true;
      }
      throw e;
    }
    acknowledge(place, durability);
    return isWritten;
  }

  // ----- conditional writes

  /** The condition of a conditional write. */
  @FunctionalInterface
  interface Premise {

    /** Decides on the write. All writes below {@code seqno} are published, and only they count. */
    Verdict check(long seqno);
  }

  /** The decision on a conditional write. */
  enum Verdict {
    /** Apply the write. */
    APPLY,
    /** Leave the record void. */
    WITHDRAW,
    /** A later write replaced the state just before this one. Try again with a new record. */
    RETRY
  }

  /**
   * Writes the single record in the scratch's encoder if a condition holds at its place in the
   * history.
   *
   * <p>The record is first stored as void. Then the writer waits until all earlier writes are
   * published, so that no other write can come before the record. If the condition holds in that
   * state, the record becomes valid and is inserted; otherwise it stays void.
   */
  Verdict writeIf(
      WriteScratch scratch,
      boolean inValueLog,
      boolean isDelete,
      Durability durability,
      Premise premise) {
    errors.check();
    long hash = KeyHash.hash(scratch.key, 0, scratch.keyLength);
    scratch.encoder.setVoid(true, isDelete);
    // Wait for most earlier writes before the reservation, because later writes wait for a reserved
    // place.
    awaitPublished(active.tailSeqno());
    Place place = reserve(scratch, inValueLog);
    long seqno = place.seqno();
    Verdict verdict = Verdict.WITHDRAW;
    Throwable unreadable = null;
    try {
      fill(scratch, place);
      MappedFaults.check();
      published.awaitAtLeast(place.start());
      try {
        verdict = premise.check(seqno);
      } catch (RuntimeException | Error e) {
        // Damage, or too little memory: the record stays void and affects no other write.
        unreadable = e;
      }
      if (verdict == Verdict.APPLY) {
        scratch.encoder.setVoid(false, isDelete);
        fill(scratch, place);
        insert(scratch, place, hash);
      } else {
        place.memory().abandon(place.entry(), 1);
      }
      published.publish(place.start(), place.end());
    } catch (RuntimeException | Error e) {
      try {
        unfinished(e, place);
      } catch (RuntimeException | Error noStack) {
        published.stuck = true;
      }
      throw e;
    }
    acknowledge(place, verdict == Verdict.APPLY ? durability : Durability.BUFFERED);
    if (unreadable instanceof Error error) {
      throw error;
    }
    if (unreadable != null) {
      throw (RuntimeException) unreadable;
    }
    return verdict;
  }

  // ----- the steps of a write

  /**
   * Reserves a place for the record in the scratch's encoder. After the reservation the write must
   * not allocate, and only its stores into memory may fail: later writes wait for this one.
   */
  private Place reserve(WriteScratch scratch, boolean inValueLog) {
    int count = scratch.encoder.operations();
    int units = scratch.encoder.units();
    boolean isPadded = inValueLog && !scratch.encoder.isBatch();
    scratch.writer.ensure(units, isPadded);
    while (true) {
      MemoryComponent to = active.front();
      to.prepare(count, scratch.versions);
      int entry = to.claim(count);
      if (entry >= 0) {
        long reservation =
            isPadded ? to.log().reservePadded(units) : to.log().reserve(inValueLog, units);
        if (reservation != LogGeneration.FULL) {
          int padding = isPadded ? LogGeneration.padding(reservation, units) : 0;
          scratch.place.set(to, inValueLog, entry, reservation, padding, units);
          return scratch.place;
        }
        // Do not give the claimed numbers back: by now the component may be flushed and its arrays
        // reused.
      }
      long bytes = LogGeneration.segmentBytesFor(units);
      active.switchFrom(to, inValueLog ? 0 : bytes, inValueLog ? bytes : 0, count);
    }
  }

  private static void fill(WriteScratch scratch, Place place) {
    scratch.writer.write(
        place.log(), place.inValueLog(), place.reserved(), place.padding(), scratch.encoder);
  }

  private static void insert(WriteScratch scratch, Place place, long hash) {
    int location = RecordLayout.location(place.inValueLog(), false, place.offset());
    insert(scratch, place, place.entry(), hash, location, place.seqno());
    MappedFaults.check();
  }

  private static void insert(
      WriteScratch scratch, Place place, int entry, long hash, int location, long seqno) {
    MemoryComponent to = place.memory();
    long reference = to.reference(location, seqno);
    to.insert(entry, scratch.key, scratch.keyLength, hash, reference, scratch.versions);
  }

  /** Inserts the operations of a batch. Reads their keys back from the stored record. */
  private static void insertBatch(WriteScratch scratch, Place place) {
    ByteBuffer segment = place.log().segment(place.inValueLog());
    int at = place.offset() + scratch.encoder.firstOperationOffset();
    long seqno = place.seqno();
    for (int i = 0; i < scratch.encoder.operations(); i++) {
      int location = RecordLayout.location(place.inValueLog(), true, at);
      int keyOffset = RecordLayout.keyOffset(segment, location);
      scratch.setKey(segment, keyOffset, RecordLayout.keyLength(segment, location, keyOffset));
      long hash = KeyHash.hash(scratch.key, 0, scratch.keyLength);
      insert(scratch, place, place.entry() + i, hash, location, seqno + i);
      at = RecordLayout.nextOperation(segment, at);
    }
    MappedFaults.check();
  }

  /**
   * Reports a reserved record that will never be complete. No later write may be acknowledged, and
   * no thread may wait for this record.
   */
  private void unfinished(Throwable cause, Place place) {
    // Set the state that other threads wait for first. This allocates nothing, except to explain a
    // fault.
    published.fail(MappedFaults.cause(cause), place.start(), place.end());
    errors.set(cause);
  }

  private void acknowledge(Place place, Durability durability) {
    long end = place.end();
    awaitPublished(end);
    if (durability == Durability.SYNC) {
      if (segments.expectForces()) {
        active.forcesBegin();
      }
      committed.awaitAtLeast(end);
      syncedWrites.increment();
    }
    memory.written(place.memory(), place.entry());
    if (place.passesMebibyte()) {
      background.filled();
    }
  }

  /** Waits for the writes before a seqno. If one of them failed, the store takes no more writes. */
  private void awaitPublished(long seqno) {
    try {
      published.awaitAtLeast(seqno);
    } catch (StoreFailedException e) {
      errors.set(e.getCause() == null ? e : e.getCause());
      throw e;
    }
  }

  // ----- durability

  /**
   * Makes everything written so far durable, because a client asks for it. Frequent calls end the
   * use of large pages, which may wait for a flush.
   */
  void sync() {
    errors.check();
    long unforced = active.tailSeqno() - committed.get();
    if (segments.noteForce(unforced * RecordLayout.UNIT)) {
      active.forcesBegin();
    }
    forceAll();
  }

  /** Makes everything written so far durable. Waits for no flush. */
  void forceAll() {
    errors.check();
    long end = active.tailSeqno();
    awaitPublished(end);
    committed.awaitAtLeast(end);
  }

  /** Makes parts of cross-shard batches durable, and promises nothing. */
  void forceParts() {
    committed.forceParts();
  }

  /** Whether {@link #forceParts} has anything to do. */
  boolean hasUnforcedPart() {
    return committed.hasUnforcedPart();
  }

  /** Seals the data in memory. Returns once all of it is in tables. */
  void flush() {
    errors.check();
    long end = active.tailSeqno();
    published.awaitAtLeast(end);
    active.seal();
    background.flushUpTo(end);
  }

  // ----- statistics

  /** Counts a successful write of the user. */
  void count(int operationCount, long bytes) {
    operations.add(operationCount);
    userBytes.add(bytes);
  }

  /** Returns the number of operations written. */
  long operations() {
    return operations.sum();
  }

  /** Returns the bytes of keys and values written. */
  long userBytes() {
    return userBytes.sum();
  }

  /** Returns the number of SYNC writes. */
  long syncedWrites() {
    return syncedWrites.sum();
  }
}
