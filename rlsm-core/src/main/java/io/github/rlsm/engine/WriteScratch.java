// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import io.github.rlsm.base.KeyspacePrefix;
import io.github.rlsm.base.Reused;
import io.github.rlsm.log.LogGeneration;
import io.github.rlsm.log.RecordEncoder;
import io.github.rlsm.log.RecordWriter;
import io.github.rlsm.memory.MemoryComponent;
import io.github.rlsm.memory.OlderVersions;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The buffers of a write, which {@linkplain Reused later writes reuse}, so that a write allocates
 * nothing. Hold the key of the write.
 *
 * <p>Threads: one thread at a time.
 */
public final class WriteScratch {

  private static final Reused<WriteScratch> SCRATCHES = new Reused<>(WriteScratch::new);

  final RecordEncoder encoder = new RecordEncoder();

  final RecordWriter writer = new RecordWriter();

  final Place place = new Place();
  final OlderVersions.Spare versions = new OlderVersions.Spare();

  /** The internal key. */
  byte[] key = new byte[64];

  int keyLength;

  /** The length of the internal key without its prefix. */
  int userKeyLength;

  /** The accumulated delay that was too short for a pause, in nanoseconds. */
  long owedNanos;

  /** Returns buffers for one write, which ends with {@link #release}. */
  static WriteScratch take() {
    return SCRATCHES.take();
  }

  /**
   * Returns buffers for one write, which ends with {@link #release}.
   *
   * @param prefix the first part of the key; {@code userKey} has the rest
   */
  public static WriteScratch of(byte[] prefix, byte[] userKey, int offset, int length) {
    WriteScratch scratch = take();
    scratch.setKey(prefix, userKey, offset, length);
    return scratch;
  }

  /** Ensures room for a key of this length. */
  void ensureKey(int length) {
    key = KeyspacePrefix.ensure(key, length);
  }

  /**
   * Ends the write. Drops the user's value, and memory that only a huge write needed. The buffers
   * must not be used after that.
   */
  void release() {
    place.clear();
    versions.trim();
    encoder.release();
    SCRATCHES.giveBack(this);
  }

  /** Builds the internal key from a prefix and a user key. */
  void setKey(byte[] prefix, byte[] userKey, int offset, int length) {
    key = KeyspacePrefix.join(key, prefix, userKey, offset, length);
    userKeyLength = length;
    keyLength = prefix.length + length;
  }

  /** Reads an internal key from a buffer; see {@link #ensureKey}. */
  void setKey(ByteBuffer buffer, int offset, int length) {
    ensureKey(length);
    keyLength = length;
    buffer.get(offset, key, 0, length);
  }

  /**
   * The place in the log and in memory that a write has reserved. Reused, so that a reservation
   * allocates nothing.
   *
   * <p>Threads: one thread at a time.
   */
  static final class Place {

    private @Nullable MemoryComponent memory;
    private boolean inValueLog;
    private int entry;
    private long reserved;
    private int padding;
    private int units;

    /**
     * Stores a reservation.
     *
     * @param paddingUnits units to skip before the record
     * @param recordUnits length of the record
     */
    void set(
        MemoryComponent to,
        boolean inValueStream,
        int firstEntry,
        long reservation,
        int paddingUnits,
        int recordUnits) {
      memory = to;
      inValueLog = inValueStream;
      entry = firstEntry;
      reserved = reservation;
      padding = paddingUnits;
      units = recordUnits;
    }

    /** Drops the component, so that an idle thread does not retain it. */
    void clear() {
      memory = null;
    }

    MemoryComponent memory() {
      return Objects.requireNonNull(memory);
    }

    LogGeneration log() {
      return memory().log();
    }

    boolean inValueLog() {
      return inValueLog;
    }

    /** Returns the first of the reserved entry numbers. */
    int entry() {
      return entry;
    }

    /** Returns the units to skip before the record. */
    int padding() {
      return padding;
    }

    /** Returns the whole reservation, which begins with the padding. */
    long reserved() {
      return reserved;
    }

    /** Returns the record's part of the reservation. */
    long reservation() {
      return LogGeneration.afterPadding(reserved, padding);
    }

    /** Returns the byte offset of the record in its segment. */
    int offset() {
      return LogGeneration.offset(reservation(), inValueLog);
    }

    /** Returns the seqno of the record. */
    long seqno() {
      return log().seqno(reservation());
    }

    /** Returns the seqno of the padding, or of the record if it has none. */
    long start() {
      return log().seqno(reserved);
    }

    /** Returns the seqno after the record. */
    long end() {
      return seqno() + units;
    }

    /** Returns whether the record, or its padding, crosses a mebibyte boundary of its segment. */
    boolean passesMebibyte() {
      return LogGeneration.passesMebibyte(reserved, inValueLog, padding + units);
    }
  }
}
