// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.memory;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.Crew;
import io.github.rlsm.Waiting;
import io.github.rlsm.base.CursorEntry;
import io.github.rlsm.base.EntryKind;
import io.github.rlsm.base.EntryView;
import io.github.rlsm.base.KeyHash;
import io.github.rlsm.log.LogFixture;
import io.github.rlsm.log.LogGeneration;
import io.github.rlsm.log.RecordEncoder;
import io.github.rlsm.log.RecordLayout;
import io.github.rlsm.memory.LoggedMemory.Stored;
import io.github.rlsm.memory.MemoryComponent.MemtableStructure;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MemoryComponentTest {

  private static final int WRITERS = 4;
  private static final int WRITES = 8000;
  private static final int KEYS = 40;

  private static byte[] key(int number) {
    return LoggedMemory.bytes("\0key" + number % 7 + "-" + number);
  }

  /** Only the first of two operations is in memory, and the batch is not published. */
  @Test
  void readersSeeNoPartOfABatch() throws Exception {
    LoggedMemory memory = new LoggedMemory(MemtableStructure.SORTED_RUNS, 8, 1 << 12);
    byte[] key = key(1);
    RecordEncoder encoder = new RecordEncoder();
    encoder.beginBatch(2, -1, null);
    encoder.addToBatch(new byte[0], key, 0, key.length, key.length, -1);
    encoder.addToBatch(new byte[0], key(2), 0, key(2).length, key(2).length, -1);
    encoder.finishBatch();
    long place = memory.log.reserve(false, encoder.units());
    LogFixture.write(encoder, memory.log, false, place);
    int offset = LogGeneration.offset(place, false) + encoder.firstOperationOffset();
    int location = RecordLayout.location(false, true, offset);
    long seqno = memory.log.seqno(place);
    long hash = KeyHash.hash(key, 0, key.length);
    long reference = memory.component.reference(location, seqno);
    int entry = memory.component.claim(2);
    memory.component.insert(entry, key, key.length, hash, reference, OlderVersions.Spare.NONE);
    Waiting find = Waiting.until(() -> assertThat(
            memory.component.find(key, key.length, hash, MemoryComponent.LATEST, new EntryView()))
        .isTrue());
    assertThat(find.hasEnded()).as("seen").isFalse();
    memory.published.publish(seqno, seqno + encoder.units());
    find.join();
  }

  /** The result of one scan or of a series of lookups: the seqno of each key's version. */
  private record Seen(long end, Map<String, Long> seqnos) {}

  private final Map<String, NavigableSet<Long>> written = new ConcurrentHashMap<>();
  private final ConcurrentLinkedQueue<Seen> seen = new ConcurrentLinkedQueue<>();
  private final AtomicInteger writing = new AtomicInteger(WRITERS);

  /**
   * A snapshot always sees the newest version of each key below its end, during any concurrent
   * work. The test uses few keys, so that all of them are overwritten all the time.
   */
  @ParameterizedTest
  @EnumSource
  void snapshotsSeeExactlyTheVersionsBelowTheirEnd(MemtableStructure kind) throws Exception {
    int capacity = WRITERS * WRITES;
    LoggedMemory memory = new LoggedMemory(kind, capacity, capacity * 48);
    new Crew()
        .add(WRITERS, () -> writeAll(memory))
        .add(2, () -> scanWhileWriting(memory))
        .add(1, () -> drainWhileWriting(memory))
        .run();
    scan(memory, false);
    assertThat(seen).hasSizeGreaterThan(3);
    seen.forEach(this::check);
    assertThat(memory.snapshots.count()).isZero();
  }

  private void writeAll(LoggedMemory memory) {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    try {
      for (int i = 0; i < WRITES; i++) {
        // The number of keys grows, so that new keys are inserted concurrently, too.
        byte[] key = key(random.nextInt(KEYS) + (i / 100) * 3);
        int entry = memory.component.claim(1);
        Stored stored = memory.store(key, random.nextInt(5) == 0 ? null : new byte[3]);
        written
            .computeIfAbsent(new String(key, ISO_8859_1), name -> new ConcurrentSkipListSet<>())
            .add(stored.seqno());
        memory.insert(entry, stored);
        memory.published.publish(stored.seqno(), stored.end());
      }
    } finally {
      writing.decrementAndGet();
    }
  }

  private void scanWhileWriting(LoggedMemory memory) {
    // At least once in both directions, even if the writers finish first.
    for (int i = 0; i < 2 || writing.get() > 0; i++) {
      scan(memory, i % 2 == 0);
      Thread.onSpinWait();
    }
  }

  private void drainWhileWriting(LoggedMemory memory) {
    while (writing.get() > 0) {
      if (memory.component.wantsDraining(LoggedMemory.DRAIN_BATCH - 1)) {
        memory.component.drain();
      }
      Thread.onSpinWait();
    }
  }

  private void scan(LoggedMemory memory, boolean descending) {
    int ticket = memory.snapshots.enter();
    long end = memory.log.endSeqno();
    memory.snapshots.set(ticket, Math.max(1, end));
    memory.published.awaitAtLeast(end);
    Map<String, Long> found = new TreeMap<>();
    for (MemoryCursor cursor : memory.component.cursors(end, descending)) {
      String last = null;
      for (boolean more = cursor.seekFirst(); more; more = cursor.next()) {
        String key = LoggedMemory.key(cursor);
        int order = last == null ? 1 : descending ? last.compareTo(key) : key.compareTo(last);
        assertThat(order).isPositive();
        last = key;
        assertThat(found.put(key, cursor.entry().seqno()))
            .as("a key returned twice")
            .isNull();
      }
    }
    seen.add(new Seen(end, found));
    lookUp(memory, end);
    memory.snapshots.leave(ticket);
  }

  private void lookUp(LoggedMemory memory, long end) {
    Map<String, Long> found = new TreeMap<>();
    EntryView view = new EntryView();
    for (String name : written.keySet()) {
      byte[] key = LoggedMemory.bytes(name);
      long hash = KeyHash.hash(key, 0, key.length);
      if (memory.component.find(key, key.length, hash, end, view)) {
        found.put(name, LogFixture.seqno(view, key.length));
      }
    }
    seen.add(new Seen(end, found));
  }

  private void check(Seen one) {
    Map<String, Long> expected = new TreeMap<>();
    written.forEach((key, seqnos) -> {
      Long newest = seqnos.lower(one.end);
      if (newest != null) {
        expected.put(key, newest);
      }
    });
    assertThat(one.seqnos).as("below " + one.end).isEqualTo(expected);
  }

  @ParameterizedTest
  @EnumSource
  void entriesThatAreClaimedAndNotFilledAreDrainedLater(MemtableStructure kind) {
    LoggedMemory memory = new LoggedMemory(kind, 1000, 1 << 16);
    int first = memory.component.claim(1);
    for (int i = 0; i < 200; i++) {
      memory.write(key(i), null);
    }
    int second = memory.component.claim(2);
    memory.write(key(200), null);
    memory.component.drain();
    assertThat(count(memory)).isEqualTo(201);
    memory.insert(second + 1, memory.store(key(300), null));
    memory.component.drain();
    assertThat(count(memory)).isEqualTo(202);
    memory.insert(first, memory.store(key(301), null));
    memory.component.abandon(second, 1);
    assertThat(count(memory)).isEqualTo(203);
    assertThat(count(memory)).isEqualTo(203);
    assertThat(memory.component.claimedEntries()).isEqualTo(204);
  }

  private static int count(LoggedMemory memory) {
    int count = 0;
    MemoryCursor cursor = memory.component.inOrder();
    String last = "";
    for (boolean more = cursor.seekFirst(); more; more = cursor.next()) {
      assertThat(LoggedMemory.key(cursor)).isGreaterThan(last);
      last = LoggedMemory.key(cursor);
      count++;
    }
    return count;
  }

  @Test
  void cursorShowsThePlaceOfAVersion() {
    LoggedMemory memory = new LoggedMemory(MemtableStructure.SORTED_RUNS, 10, 4096);
    assertThat(memory.component.isEmpty()).isTrue();
    memory.write(LoggedMemory.bytes("\0c"), LoggedMemory.bytes("in the value log"));
    memory.write(LoggedMemory.bytes("\0b"), LoggedMemory.bytes("beside its key"));
    memory.write(LoggedMemory.bytes("\0a"), null);
    List<MemoryCursor> cursors = memory.component.cursors(MemoryComponent.LATEST, true);
    assertThat(cursors).hasSize(1);
    MemoryCursor cursor = cursors.get(0);
    assertThat(cursor.seekFirst()).isTrue();
    check(memory, cursor, "\0c", "in the value log");
    assertThat(cursor.next()).isTrue();
    check(memory, cursor, "\0b", "beside its key");
    assertThat(cursor.next()).isTrue();
    assertThat(cursor.entry().kind()).isEqualTo(EntryKind.DELETE);
    assertThat(cursor.entry().valueLength()).isZero();
    assertThat(cursor.next()).isFalse();
  }

  private static void check(LoggedMemory memory, MemoryCursor cursor, String key, String value) {
    assertThat(LoggedMemory.key(cursor)).isEqualTo(key);
    CursorEntry entry = cursor.entry();
    byte[] bytes = new byte[entry.valueLength()];
    entry.buffer().get(entry.valueOffset(), bytes);
    assertThat(bytes).isEqualTo(LoggedMemory.bytes(value));
    assertThat(entry.kind()).isEqualTo(EntryKind.PUT);
    assertThat(memory.log.segmentOf(cursor.location())).isSameAs(entry.buffer());
  }
}
