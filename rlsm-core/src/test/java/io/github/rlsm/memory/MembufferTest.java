// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.Crew;
import io.github.rlsm.base.EntryView;
import io.github.rlsm.base.KeyHash;
import io.github.rlsm.kv.TestSeed;
import io.github.rlsm.log.LogFixture;
import io.github.rlsm.memory.LoggedMemory.Stored;
import io.github.rlsm.memory.MemoryComponent.MemtableStructure;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Guards invariant I-3 of ARCHITECTURE.md. */
@Tag("optimized")
class MembufferTest {

  private static final int THREADS = 8;

  private static byte[] key(int number) {
    return LoggedMemory.bytes("\0key" + number);
  }

  private static int find(Membuffer membuffer, byte[] key) {
    return membuffer.find(key, key.length, KeyHash.hash(key, 0, key.length));
  }

  @Test
  void findsInsertedKeys() {
    SplittableRandom random = new SplittableRandom(TestSeed.get());
    for (RandomKeys shape : RandomKeys.values()) {
      LoggedMemory memory = new LoggedMemory(MemtableStructure.SORTED_RUNS, 500, 2 << 20);
      List<byte[]> keys = new ArrayList<>(shape.draw(random, 500));
      int half = keys.size() / 2;
      keys.subList(0, half).forEach(memory::add);
      for (int i = 0; i < keys.size(); i++) {
        assertThat(find(memory.membuffer, keys.get(i))).isEqualTo(i < half ? i : -1);
      }
    }
  }

  @Test
  void probesPastEqualHashesAndWrapsAround() {
    LoggedMemory memory = new LoggedMemory(MemtableStructure.SORTED_RUNS, 64, 1 << 16);
    long hash = -1; // the last slot, so probing wraps around to the first
    for (int i = 0; i < 64; i++) {
      byte[] key = key(i);
      Stored stored = memory.store(key, null);
      int entry = memory.membuffer.claim(1);
      memory.membuffer.insert(
          entry, key, key.length, hash, stored.reference(), OlderVersions.Spare.NONE);
    }
    for (int i = 0; i < 64; i++) {
      assertThat(memory.membuffer.find(key(i), key(i).length, hash)).isEqualTo(i);
    }
    assertThat(memory.membuffer.find(key(64), key(64).length, hash)).isEqualTo(-1);
  }

  /** Writers draw their seqnos in one order and insert in another. */
  @Test
  void theNewestWinsWhateverTheOrderOfArrival() throws Exception {
    for (int round = 0; round < 60; round++) {
      LoggedMemory memory = new LoggedMemory(MemtableStructure.SORTED_RUNS, 2000, 1 << 17);
      Map<String, Long> newest = new ConcurrentHashMap<>();
      int keys = 1 + round % 7;
      new Crew()
          .add(THREADS, () -> {
            ThreadLocalRandom random = ThreadLocalRandom.current();
            for (int i = 0; i < 200; i++) {
              byte[] key = key(random.nextInt(keys));
              int entry = memory.membuffer.claim(1);
              Stored stored = memory.store(key, null);
              newest.merge(Arrays.toString(key), stored.seqno(), Math::max);
              if (random.nextInt(4) == 0) {
                Thread.onSpinWait();
              }
              memory.membuffer.insert(
                  entry,
                  key,
                  key.length,
                  stored.hash(),
                  stored.reference(),
                  OlderVersions.Spare.NONE);
            }
          })
          .run();
      Set<Integer> live = new HashSet<>();
      for (int k = 0; k < keys; k++) {
        int entry = find(memory.membuffer, key(k));
        live.add(entry);
        assertThat(memory.membuffer.seqno(memory.membuffer.newest(entry)))
            .isEqualTo(newest.get(Arrays.toString(key(k))));
      }
      for (int entry = 0; entry < memory.membuffer.claimed(); entry++) {
        assertThat(Reference.isVersion(memory.membuffer.newest(entry)))
            .isEqualTo(live.contains(entry));
      }
    }
  }

  /** The version with the smaller seqno arrives last, and a snapshot still sees it. */
  @Test
  void aLateArrivalDoesNotReplaceANewerVersion() {
    LoggedMemory memory = new LoggedMemory(MemtableStructure.SORTED_RUNS, 8, 1 << 12);
    Stored older = memory.store(key(1), null);
    Stored newer = memory.store(key(1), null);
    int ticket = memory.snapshots.enter();
    memory.snapshots.set(ticket, newer.seqno());
    for (Stored arriving : List.of(newer, older)) {
      int entry = memory.membuffer.claim(1);
      memory.membuffer.insert(
          entry,
          key(1),
          key(1).length,
          arriving.hash(),
          arriving.reference(),
          OlderVersions.Spare.NONE);
    }
    int entry = find(memory.membuffer, key(1));
    assertThat(memory.membuffer.newest(entry)).isEqualTo(newer.reference());
    assertThat(memory.membuffer.visible(entry, newer.seqno()))
        .as("what the snapshot sees")
        .isEqualTo(older.reference());
    assertThat(memory.membuffer.visible(entry, older.seqno()))
        .as("what an earlier snapshot sees")
        .isEqualTo(Reference.NONE);
    memory.snapshots.leave(ticket);
  }

  /** All threads insert the same new keys at the same time. */
  @Test
  void newKeysInsertedAtOnceBecomeOneEntry() throws Exception {
    int keys = 3000;
    LoggedMemory memory =
        new LoggedMemory(MemtableStructure.SORTED_RUNS, keys * THREADS, keys * THREADS * 32 + 4096);
    new Crew()
        .add(THREADS, () -> {
          for (int i = 0; i < keys; i++) {
            memory.add(key(i));
          }
        })
        .run();
    Set<Integer> entries = new HashSet<>();
    for (int i = 0; i < keys; i++) {
      entries.add(find(memory.membuffer, key(i)));
    }
    assertThat(entries).hasSize(keys).doesNotContain(-1);
    int versions = 0;
    for (int entry = 0; entry < memory.membuffer.claimed(); entry++) {
      versions += Reference.isVersion(memory.membuffer.newest(entry)) ? 1 : 0;
    }
    assertThat(versions).isEqualTo(keys);
  }

  @Test
  void claimsEachNumberOnceAndNoMoreThanThereAre() throws Exception {
    for (int round = 0; round < 50; round++) {
      LoggedMemory memory = new LoggedMemory(MemtableStructure.SORTED_RUNS, 100, 4096);
      ConcurrentLinkedQueue<Integer> claimed = new ConcurrentLinkedQueue<>();
      AtomicInteger refused = new AtomicInteger();
      new Crew()
          .add(THREADS, () -> {
            for (int i = 0; i < 10; i++) {
              int count = ThreadLocalRandom.current().nextInt(1, 5);
              int first = memory.membuffer.claim(count);
              for (int j = 0; first >= 0 && j < count; j++) {
                claimed.add(first + j);
              }
              refused.addAndGet(first < 0 ? 1 : 0);
            }
          })
          .run();
      assertThat(claimed).doesNotHaveDuplicates().allMatch(entry -> entry >= 0 && entry < 100);
      assertThat(refused.get()).isPositive();
      assertThat(memory.membuffer.claimed()).isLessThanOrEqualTo(100);
      assertThat(memory.membuffer.claim(200)).isEqualTo(-1);
    }
  }

  /** A delayed writer claims from a component whose arrays already serve another component. */
  @Test
  void refusedClaimDoesNotChangeTheArrays() {
    LoggedMemory memory = new LoggedMemory(MemtableStructure.SORTED_RUNS, 10, 4096);
    memory.membuffer.claim(8);
    MembufferArrays arrays = memory.membuffer.arrays();
    long[] before = arrays.references().clone();
    assertThat(memory.membuffer.claim(1)).isEqualTo(8);
    assertThat(memory.membuffer.claim(2)).isEqualTo(-1);
    assertThat(memory.component.claim(11)).isEqualTo(-1);
    assertThat(arrays.references()).isEqualTo(before);
  }

  @Test
  void clearEmptiesTheArrays() {
    LoggedMemory memory = new LoggedMemory(MemtableStructure.SORTED_RUNS, 10, 4096);
    memory.add(key(1));
    memory.arrays.clear();
    assertThat(memory.arrays.references()).containsOnly(0);
    assertThat(memory.arrays.slots()).containsOnly(0);
    assertThat(MembufferArrays.forCapacity(1).slots().length).isGreaterThanOrEqualTo(2);
    assertThat(MembufferArrays.forCapacity(1000).slots()).hasSize(2048);
    assertThat(MembufferArrays.forCapacity(1024).slots()).hasSize(2048);
    assertThat(MembufferArrays.forCapacity(1025).slots()).hasSize(4096);
  }

  @Test
  void keepsAnOldVersionWhileASnapshotNeedsIt() {
    LoggedMemory memory = new LoggedMemory(MemtableStructure.SORTED_RUNS, 20, 4096);
    MemoryComponent component = memory.component;
    EntryView found = new EntryView();
    byte[] key = key(1);
    long hash = KeyHash.hash(key, 0, key.length);
    memory.write(key, null);
    memory.write(key, null);
    assertThat(versions(memory, key)).hasSize(1);
    int ticket = memory.snapshots.enter();
    long end = memory.log.endSeqno();
    memory.snapshots.set(ticket, end);
    long seen = component.newestSeqno(key, key.length, hash);
    for (int i = 0; i < 5; i++) {
      memory.write(key, null);
    }
    assertThat(versions(memory, key)).hasSize(2).contains(seen);
    assertThat(component.find(key, key.length, hash, end, found)).isTrue();
    assertThat(LogFixture.seqno(found, key.length)).isEqualTo(seen);
    assertThat(component.find(key, key.length, hash, seen, found)).isFalse();
    memory.snapshots.leave(ticket);
    memory.write(key, null);
    assertThat(versions(memory, key)).hasSize(2).contains(seen);
    assertThat(component.find(key, key.length, hash, MemoryComponent.LATEST, found))
        .isTrue();
    assertThat(LogFixture.seqno(found, key.length))
        .isEqualTo(component.newestSeqno(key, key.length, hash));
  }

  /** Returns the seqnos of the versions of a key that lookups of all moments find. */
  private static Set<Long> versions(LoggedMemory memory, byte[] key) {
    Set<Long> found = new HashSet<>();
    EntryView view = new EntryView();
    long hash = KeyHash.hash(key, 0, key.length);
    for (long end = 0; end <= memory.log.endSeqno(); end++) {
      if (memory.component.find(key, key.length, hash, end, view)) {
        found.add(LogFixture.seqno(view, key.length));
      }
    }
    return found;
  }
}
