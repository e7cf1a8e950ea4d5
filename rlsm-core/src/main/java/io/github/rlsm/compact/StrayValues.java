// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.compact;

import io.github.rlsm.base.EntryCursor;
import io.github.rlsm.base.EntryKind;
import io.github.rlsm.base.ValuePointer;
import io.github.rlsm.kv.CorruptionException;
import io.github.rlsm.log.ValueLog;
import io.github.rlsm.log.ValueReader;
import io.github.rlsm.policy.ScanCosts;
import io.github.rlsm.version.Version;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;

/**
 * Writes entries to tables with their small values, which it takes out of the value log.
 *
 * <p>Values stand in the log in the order in which they were written, so each is a read of its own.
 * Entries are gathered, and the values of a lot asked for together, in the order of their places,
 * while those of the lot before are copied: so the device always has enough to do.
 *
 * <p>Threads: one thread at a time.
 */
final class StrayValues implements Consumer<EntryCursor> {

  private final TableFactory.Output output;
  private final ValueLog log;
  private final Version version;
  private final DeadValues dead;
  private final ValueReader reader = new ValueReader();
  private final ByteBuffer value = ByteBuffer.allocate(ScanCosts.STRAY_BYTES_MAX);
  private EntryLot gathered = new EntryLot();
  private EntryLot askedFor = new EntryLot();

  /**
   * @param version the version that is read: it is what keeps segments of the log from being
   *     deleted. A pointer into a segment it does not know has been shadowed since long and stays
   *     what it is
   * @param dead told of the places in the log that nothing points to any more
   */
  StrayValues(TableFactory.Output output, ValueLog log, Version version, DeadValues dead) {
    this.output = output;
    this.log = log;
    this.version = version;
    this.dead = dead;
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
      if (!isTaken(lot, i) || !writeWithValue(lot, i)) {
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
    if (lot.kind(entry) != EntryKind.POINTER) {
      return false;
    }
    ValuePointer pointer = lot.pointer(entry);
    return pointer.valueLength() <= ScanCosts.STRAY_BYTES_MAX
        && version.segment(pointer.segment()) != null;
  }

  /**
   * Returns whether the value could be read. What is damaged stays where it is: whoever asks for
   * this key is told of it then, and nobody else.
   */
  private boolean writeWithValue(EntryLot lot, int entry) {
    ValuePointer pointer = lot.pointer(entry);
    int keyLength = lot.keyLength(entry);
    value.clear();
    try {
      reader.read(log, pointer, lot.bytes().array(), lot.keyOffset(entry), keyLength, value);
    } catch (CorruptionException e) {
      return false;
    }
    output
        .writer()
        .add(
            lot.bytes(),
            lot.keyOffset(entry),
            keyLength,
            EntryKind.PUT,
            lot.seqno(entry),
            value,
            0,
            pointer.valueLength());
    dead.add(keyLength, pointer);
    return true;
  }
}
