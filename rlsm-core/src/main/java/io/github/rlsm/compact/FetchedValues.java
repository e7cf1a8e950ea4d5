// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.compact;

import io.github.rlsm.base.EntryCursor;
import io.github.rlsm.base.EntryKind;
import io.github.rlsm.base.ValuePointer;
import io.github.rlsm.kv.CorruptionException;
import io.github.rlsm.log.ValueLog;
import io.github.rlsm.log.ValueReader;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;

/**
 * Writes entries to tables, and gives some of their values in the value log another place.
 *
 * <p>Values stand in the log in the order in which they were written, so each is a read of its own.
 * Entries are gathered, and the values of a lot asked for together, in the order of their places,
 * while those of the lot before are copied: so the device always has enough to do.
 *
 * <p>Threads: one thread at a time.
 */
final class FetchedValues implements Consumer<EntryCursor> {

  /** Where values go. */
  interface Place {

    /** Whether the value that a pointer points to is to go there. */
    boolean takes(ValuePointer pointer);

    /**
     * Writes an entry with its value.
     *
     * @param value array that begins with the value, good until this returns
     */
    void put(EntryLot lot, int entry, ValuePointer pointer, byte[] value);

    /** A value that cannot be read stays where it is: whoever asks for its key is told of it. */
    void damaged(ValuePointer pointer, CorruptionException damage);
  }

  private final TableFactory.Output output;
  private final ValueLog log;
  private final DeadValues dead;
  private final Place place;
  private final ValueReader reader = new ValueReader();
  private EntryLot gathered = new EntryLot();
  private EntryLot askedFor = new EntryLot();

  /**
   * Fetches for a place.
   *
   * @param dead told of the places in the log that nothing points to any more
   */
  FetchedValues(TableFactory.Output output, ValueLog log, DeadValues dead, Place place) {
    this.output = output;
    this.log = log;
    this.dead = dead;
    this.place = place;
  }

  /** Adds the entry that a cursor is on. */
  @Override
  public void accept(EntryCursor entry) {
    if (!gathered.hasRoom()) {
      swap();
    }
    gathered.add(entry);
  }

  /** Writes what was gathered and is not in a table yet. */
  void finish() {
    swap();
    swap();
  }

  private void swap() {
    askFor(gathered);
    write(askedFor);
    EntryLot written = askedFor;
    written.clear();
    askedFor = gathered;
    gathered = written;
  }

  private record Wanted(ValuePointer pointer, int keyLength) {}

  private void askFor(EntryLot lot) {
    List<Wanted> wanted = new ArrayList<>();
    for (int i = 0; i < lot.count(); i++) {
      if (isTaken(lot, i)) {
        wanted.add(new Wanted(lot.pointer(i), lot.keyLength(i)));
      }
    }
    wanted.sort(Comparator.comparingInt((Wanted each) -> each.pointer().segment())
        .thenComparingInt(each -> each.pointer().offset()));
    wanted.forEach(each -> log.willNeed(each.pointer(), each.keyLength()));
  }

  private void write(EntryLot lot) {
    for (int i = 0; i < lot.count(); i++) {
      if (!isTaken(lot, i) || !writeElsewhere(lot, i)) {
        output
            .writer()
            .add(
                lot.bytes(),
                lot.keyOffset(i),
                lot.keyLength(i),
                lot.kind(i),
                lot.seqno(i),
                lot.bytes(),
                lot.valueOffset(i),
                lot.valueLength(i));
      }
    }
  }

  private boolean isTaken(EntryLot lot, int entry) {
    return lot.kind(entry) == EntryKind.POINTER && place.takes(lot.pointer(entry));
  }

  /** Returns whether the value could be read. */
  private boolean writeElsewhere(EntryLot lot, int entry) {
    ValuePointer pointer = lot.pointer(entry);
    int keyLength = lot.keyLength(entry);
    byte[] value;
    try {
      value = reader.readShared(log, pointer, lot.bytes().array(), lot.keyOffset(entry), keyLength);
    } catch (CorruptionException e) {
      place.damaged(pointer, e);
      return false;
    }
    place.put(lot, entry, pointer, value);
    dead.add(keyLength, pointer);
    return true;
  }
}
