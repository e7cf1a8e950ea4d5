// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.compact;

import io.github.rlsm.base.EntryKind;
import io.github.rlsm.base.ValuePointer;
import io.github.rlsm.kv.CorruptionException;
import io.github.rlsm.log.MovedSegment;
import io.github.rlsm.version.SegmentAccount;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The place for values in segments that are to be freed: new segments, in which they stand in the
 * order of their keys.
 *
 * <p>Threads: one thread at a time.
 */
final class MovedValues implements FetchedValues.Place, AutoCloseable {

  private final TableFactory.Output output;
  private final Set<Integer> from;
  private final ValuePlaces places;
  private final List<SegmentAccount> finished = new ArrayList<>();
  private final ByteBuffer encoded =
      ByteBuffer.allocate(ValuePointer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
  private final List<MovedSegment> written = new ArrayList<>();
  private @Nullable MovedSegment current;
  private boolean kept;

  /**
   * A place for the values of some segments.
   *
   * @param from the segments that values are moved out of
   */
  MovedValues(TableFactory.Output output, Set<Integer> from, ValuePlaces places) {
    this.output = output;
    this.from = from;
    this.places = places;
  }

  @Override
  public boolean takes(ValuePointer pointer) {
    return from.contains(pointer.segment());
  }

  @Override
  public void put(EntryLot lot, int entry, ValuePointer pointer, byte[] value) {
    byte[] keys = lot.bytes().array();
    ValuePointer moved = segment()
        .append(
            lot.seqno(entry),
            keys,
            lot.keyOffset(entry),
            lot.keyLength(entry),
            value,
            pointer.valueLength());
    moved.write(encoded, 0);
    output
        .writer()
        .add(
            lot.bytes(),
            lot.keyOffset(entry),
            lot.keyLength(entry),
            EntryKind.POINTER,
            lot.seqno(entry),
            encoded,
            0,
            ValuePointer.BYTES);
  }

  @Override
  public void damaged(ValuePointer pointer, CorruptionException damage) {
    places.damaged(pointer.segment(), damage);
  }

  private MovedSegment segment() {
    if (current != null && current.isFull()) {
      end(current);
    }
    if (current == null) {
      current = places.begin();
      written.add(current);
    }
    return current;
  }

  private void end(MovedSegment segment) {
    segment.finish();
    finished.add(new SegmentAccount(segment.number(), segment.recordBytes(), 0));
    current = null;
  }

  /** Makes what was moved durable. */
  void finish() {
    if (current != null) {
      end(current);
    }
  }

  /** From now on the segments outlive this object. Returns their accounts. */
  List<SegmentAccount> keep() {
    kept = true;
    return List.copyOf(finished);
  }

  /** Deletes the new segments unless they are kept. */
  @Override
  public void close() {
    if (!kept) {
      written.forEach(MovedSegment::delete);
    }
  }
}
