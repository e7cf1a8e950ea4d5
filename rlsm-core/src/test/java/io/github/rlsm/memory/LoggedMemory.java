// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.memory;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.github.rlsm.base.CursorEntry;
import io.github.rlsm.base.EntryCursor;
import io.github.rlsm.base.KeyHash;
import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.log.LogFixture;
import io.github.rlsm.log.LogGeneration;
import io.github.rlsm.log.LogRecovery;
import io.github.rlsm.log.LogStart;
import io.github.rlsm.log.ManifestPosition;
import io.github.rlsm.log.PublishedSeqno;
import io.github.rlsm.log.RecordEncoder;
import io.github.rlsm.log.RecordLayout;
import io.github.rlsm.log.RecoveredLog;
import io.github.rlsm.log.SegmentFiles;
import io.github.rlsm.log.SegmentLayout;
import io.github.rlsm.memory.MemoryComponent.MemtableStructure;
import java.util.Set;

/** A memory component over a log in a simulated directory, written as the engine writes it. */
final class LoggedMemory {

  /** The number of entries after which a drain is due. */
  static final int DRAIN_BATCH = 64;

  private static final long STORE_ID = 1;
  private static final int VALUE_LOG_SHARE = 3;

  final LogGeneration log;
  final PublishedSeqno published = new PublishedSeqno(0);
  final SnapshotRegistry snapshots = new SnapshotRegistry();
  final MembufferArrays arrays;
  final MemoryComponent component;

  /** A separate lower tier with its own arrays, for tests of single parts. */
  final Membuffer membuffer;

  final KeySource keys;

  LoggedMemory(MemtableStructure kind, int capacity, int segmentBytes) {
    SimulatedDirectory directory = new SimulatedDirectory();
    RecoveredLog nothing = LogRecovery.read(
        directory,
        STORE_ID,
        new LogStart(0, 1, 0, 0, Set.of(), ManifestPosition.NONE),
        new NoRecords());
    log = new SegmentFiles(
            directory,
            new SegmentLayout.Heads(STORE_ID, () -> 7, () -> ManifestPosition.NONE),
            segmentBytes,
            nothing,
            1,
            1)
        .begin(0, segmentBytes, segmentBytes);
    MemoryComponent.Shape shape = new MemoryComponent.Shape(kind, capacity, DRAIN_BATCH, 1);
    component = new MemoryComponent(log, published, snapshots, shape, null);
    arrays = MembufferArrays.forCapacity(capacity);
    membuffer = new Membuffer(log, snapshots, arrays);
    keys = new KeySource(membuffer);
  }

  private static final class NoRecords implements RecoveredLog.Visitor {

    @Override
    public void generation(LogGeneration generation) {
      throw new AssertionError("a generation in an empty directory");
    }

    @Override
    public void entry(int location, long seqno) {
      throw new AssertionError("an entry in an empty directory");
    }
  }

  /** A record in the log. */
  @SuppressWarnings("ArrayRecordComponent") // never compared as a record
  record Stored(byte[] key, int location, long seqno, long end) {

    long hash() {
      return KeyHash.hash(key, 0, key.length);
    }

    /** The reference in the notation of the Membuffer; the generation's base is 0. */
    long reference() {
      return Reference.of(seqno, location);
    }
  }

  /** Stores a put, or a delete if the value is null. Some records go to the value log. */
  Stored store(byte[] key, byte[] value) {
    RecordEncoder encoder = new RecordEncoder();
    if (value == null) {
      encoder.delete(key, key.length, -1);
    } else {
      encoder.put(key, key.length, value, 0, value.length, -1);
    }
    boolean inValueLog = value != null && key[key.length - 1] % VALUE_LOG_SHARE == 0;
    long place = log.reserve(inValueLog, encoder.units());
    if (place == LogGeneration.FULL) {
      throw new AssertionError("the log is full");
    }
    LogFixture.write(encoder, log, inValueLog, place);
    int offset = LogGeneration.offset(place, inValueLog);
    long seqno = log.seqno(place);
    return new Stored(
        key, RecordLayout.location(inValueLog, false, offset), seqno, seqno + encoder.units());
  }

  /** Writes to the log and the component. Returns false if no entry number is left. */
  boolean write(byte[] key, byte[] value) {
    int entry = component.claim(1);
    if (entry < 0) {
      return false;
    }
    Stored stored = store(key, value);
    insert(entry, stored);
    published.publish(stored.seqno, stored.end);
    return true;
  }

  void insert(int entry, Stored stored) {
    long reference = component.reference(stored.location, stored.seqno);
    component.insert(
        entry, stored.key, stored.key.length, stored.hash(), reference, OlderVersions.Spare.NONE);
  }

  /** Puts a key into {@link #membuffer}. Returns the number of its entry. */
  int add(byte[] key) {
    Stored stored = store(key, new byte[0]);
    int entry = membuffer.claim(1);
    membuffer.insert(
        entry, key, key.length, stored.hash(), stored.reference(), OlderVersions.Spare.NONE);
    return entry;
  }

  static byte[] bytes(String text) {
    return text.getBytes(ISO_8859_1);
  }

  static String key(EntryCursor cursor) {
    CursorEntry entry = cursor.entry();
    byte[] key = new byte[entry.keyLength()];
    entry.buffer().get(entry.keyOffset(), key);
    return new String(key, ISO_8859_1);
  }
}
