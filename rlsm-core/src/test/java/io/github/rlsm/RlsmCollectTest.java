// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rlsm.io.Fault;
import io.github.rlsm.io.IoEvent.Kind;
import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.kv.CorruptionException;
import io.github.rlsm.kv.DiskFullException;
import io.github.rlsm.kv.Durability;
import io.github.rlsm.kv.KvIterator;
import io.github.rlsm.kv.Snapshot;
import io.github.rlsm.kv.StoreHealth;
import io.github.rlsm.kv.WriteBatch;
import io.github.rlsm.thread.Environment;
import io.github.rlsm.thread.ThreadScheduler;
import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the effects of collections that users observe. */
class RlsmCollectTest {

  private static final int VALUE_BYTES = 1000;
  private static final int LONG_VALUE_BYTES = 4000;
  private static final double KNOB = 1.3;

  private final SimulatedDirectory directory = new SimulatedDirectory();

  private static RlsmOptions options() {
    return RlsmOptions.builder()
        .memoryBudget(1 << 20)
        .logSegmentBytes(64 << 10)
        .separationThreshold(200)
        .partitionBytes(1 << 20)
        .maxSpaceAmplification(KNOB)
        .backgroundThreads(1)
        .build();
  }

  private RlsmStore open() {
    return RlsmStore.open(directory, options(), InlineScheduler.environment(1));
  }

  private static byte[] key(int number) {
    return String.format(Locale.ROOT, "user%08d", number).getBytes(US_ASCII);
  }

  /** Returns a value that names its key and version. */
  private static byte[] value(int key, int version) {
    return value(key, version, VALUE_BYTES);
  }

  private static byte[] value(int key, int version, int length) {
    byte[] value = new byte[length];
    Arrays.fill(value, (byte) version);
    byte[] text = (key + " " + version + " ").getBytes(US_ASCII);
    System.arraycopy(text, 0, value, 0, text.length);
    return value;
  }

  private static void load(RlsmStore store, int keys) {
    for (int i = 0; i < keys; i++) {
      store.put(key(i), value(i, 0));
    }
  }

  private long valueLogBytes() {
    return directory.list().stream()
        .filter(name -> name.startsWith("val-"))
        .mapToLong(directory::size)
        .sum();
  }

  /** Overwrites keys in many passes. After each pass the store must be within its space limit. */
  private void overwrite(IntUnaryOperator draw) {
    int keys = 8_000;
    int[] versions = new int[keys];
    double live = keys * (double) (LONG_VALUE_BYTES + key(0).length);
    RlsmOptions options =
        RlsmOptions.builder().memoryBudget(2 << 20).maxSpaceAmplification(KNOB).build();
    try (RlsmStore store = RlsmStore.open(directory, options, InlineScheduler.environment(1))) {
      for (int i = 0; i < keys; i++) {
        store.put(key(i), value(i, 0, LONG_VALUE_BYTES));
      }
      for (int pass = 0; pass < 3; pass++) {
        for (int i = 0; i < keys; i++) {
          int key = draw.applyAsInt(keys);
          store.put(key(key), value(key, ++versions[key], LONG_VALUE_BYTES));
        }
        store.settle();
        assertThat(directory.usedBytes() / live).as("after pass %d", pass).isLessThan(KNOB);
      }
      store.verify();
      for (int i = 0; i < keys; i++) {
        assertThat(store.get(key(i))).isEqualTo(value(i, versions[i], LONG_VALUE_BYTES));
      }
      assertThat(store.stats().space().freedSegments()).isPositive();
      assertThat(store.stats().writes().bytesByCause().get("collect")).isPositive();
    }
  }

  @Test
  void uniformOverwritesStayWithinTheKnob() {
    SplittableRandom random = new SplittableRandom(1);
    overwrite(random::nextInt);
  }

  @Test
  void zipfianOverwritesStayWithinTheKnob() {
    SplittableRandom random = new SplittableRandom(2);
    // The inverse of the distribution function of an exponent-1 zipfian, spread over the keys.
    overwrite(keys -> {
      int rank = (int) Math.pow(keys, random.nextDouble());
      return (int) (rank * 2_654_435_761L % keys);
    });
  }

  /** Each pass replaces all values. A move before its entries leave level 0 has little to copy. */
  @Test
  void valuesReplacedByLevel0AreNotMoved() {
    int keys = 2_000;
    try (RlsmStore store = open()) {
      for (int pass = 0; pass < 8; pass++) {
        for (int i = 0; i < keys; i++) {
          int key = 7 * i % keys;
          store.put(key(key), value(key, pass));
        }
      }
      assertThat(store.stats().writes().bytesByCause().get("collect"))
          .isLessThan((long) keys * VALUE_BYTES);
      for (int i = 0; i < keys; i++) {
        assertThat(store.get(key(i))).isEqualTo(value(i, 7));
      }
      store.verify();
    }
  }

  /** The limit while clients write is 2 by default, the target at rest 1.3. */
  @Test
  void storeWithoutWritesShrinksToTheSmallerTarget() {
    int keys = 8_000;
    double live = keys * (double) (LONG_VALUE_BYTES + key(0).length);
    RlsmOptions options = RlsmOptions.builder().memoryBudget(2 << 20).build();
    try (RlsmStore store = RlsmStore.open(directory, options, InlineScheduler.environment(1))) {
      for (int i = 0; i < keys; i++) {
        store.put(key(i), value(i, 0, LONG_VALUE_BYTES));
      }
      SplittableRandom random = new SplittableRandom(3);
      for (int i = 0; i < keys * 3 / 5; i++) {
        int key = random.nextInt(keys);
        store.put(key(key), value(key, 1, LONG_VALUE_BYTES));
      }
      store.flush();
      assertThat(directory.usedBytes() / live).as("while it is written to").isBetween(1.4, 2.0);
      assertThat(store.stats().writes().bytesByCause().get("collect")).isZero();
      store.settle();
      assertThat(directory.usedBytes() / live).as("at rest").isLessThan(1.3);
      store.verify();
    }
  }

  @Test
  void collectReclaimsDeadValues() {
    try (RlsmStore store = open()) {
      load(store, 1_000);
      assertThat(valueLogBytes()).isGreaterThan(1_000L * VALUE_BYTES);
      for (int i = 0; i < 1_000; i++) {
        if (i % 3 != 0) {
          store.delete(key(i));
        }
      }
      store.collect();
      assertThat(store.collect()).isZero();
      assertThat(valueLogBytes()).isLessThan(600L * VALUE_BYTES);
      store.verify();
    }
    try (RlsmStore store = open()) {
      for (int i = 0; i < 1_000; i++) {
        assertThat(store.get(key(i))).isEqualTo(i % 3 == 0 ? value(i, 0) : null);
      }
      store.verify();
    }
  }

  /**
   * Dead values stay on a full device. Reads and writes work, and the health reports the problem.
   */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aCollectionWithoutRoomIsReportedAndResumes(boolean asked) {
    InlineScheduler scheduler = new InlineScheduler();
    try (RlsmStore store = RlsmStore.open(directory, options(), scheduler.environmentOf(1))) {
      load(store, 1_000);
      store.settle();
      for (int i = 0; i < 1_000; i++) {
        if (i % 2 != 0) {
          store.delete(key(i));
        }
      }
      store.flush();
      long before = valueLogBytes();
      directory.failWhen(
          event -> event.kind() == Kind.CREATE_MAPPED && event.file().startsWith("val-"),
          Fault.NO_SPACE);
      assertThatThrownBy(store::collect).isInstanceOf(DiskFullException.class);
      StoreHealth health = store.health();
      assertThat(health.state()).isEqualTo(StoreHealth.State.DEGRADED);
      assertThat(health.retry().waiting()).contains("collection of dead values");
      scheduler.elapse();
      assertThat(store.health().retry().waiting()).contains("collection of dead values");
      store.put(key(1), value(1, 1), Durability.SYNC);

      directory.mend();
      if (asked) {
        store.resume();
      } else {
        scheduler.elapse();
      }
      assertThat(store.health()).isEqualTo(StoreHealth.HEALTHY);
      store.collect();
      assertThat(valueLogBytes()).isLessThan(before);
      store.verify();
      for (int i = 2; i < 1_000; i++) {
        assertThat(store.get(key(i))).isEqualTo(i % 2 == 0 ? value(i, 0) : null);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void collectEvictsPagesThatWereNotInMemory(boolean inMemory) {
    directory.pageCache().holdsAll(inMemory);
    directory.pageCache().freeBytes(0);
    try (RlsmStore store = open()) {
      load(store, 500);
      for (int i = 0; i < 500; i += 2) {
        store.put(key(i), value(i, 1));
      }
      store.settle();
      assertThat(store.collect()).isPositive();
      assertThat(directory.pageCache().forgotten())
          .allMatch(name -> name.startsWith("val-") || name.startsWith("tab-"));
      assertThat(
              directory.pageCache().forgotten().stream().noneMatch(name -> name.startsWith("val-")))
          .isEqualTo(inMemory);
      assertThat(directory.pageCache().forgotten().isEmpty()).isEqualTo(inMemory);
      assertThat(directory.pageCache().inLargePages())
          .containsAll(directory.pageCache().forgotten());
      for (int i = 0; i < 500; i++) {
        assertThat(store.get(key(i))).isEqualTo(value(i, 1 - i % 2));
      }
    }
  }

  @Test
  void collectMovesLiveValuesOutOfBatches() {
    try (RlsmStore store = open()) {
      for (int i = 0; i < 300; i += 10) {
        WriteBatch batch = new WriteBatch();
        for (int j = i; j < i + 10; j++) {
          batch.put(store, key(j), j % 4 == 0 ? key(j) : value(j, 0));
        }
        store.write(batch);
      }
      for (int i = 0; i < 300; i += 2) {
        store.put(key(i), key(i));
      }
      assertThat(store.collect()).isPositive();
      store.verify();
      for (int i = 0; i < 300; i++) {
        assertThat(store.get(key(i))).isEqualTo(i % 2 == 0 ? key(i) : value(i, 0));
      }
    }
  }

  @Test
  void snapshotsAndScansSurviveCollection() {
    try (RlsmStore store = open()) {
      load(store, 500);
      store.flush();
      Snapshot snapshot = store.snapshot();
      KvIterator scan = store.scan();
      for (int i = 0; i < 100; i++) {
        assertThat(scan.next()).isTrue();
      }
      for (int i = 0; i < 500; i++) {
        if (i % 5 != 0) {
          store.delete(key(i));
        }
      }
      long full = valueLogBytes();
      assertThat(store.collect()).isPositive();
      assertThat(valueLogBytes()).isGreaterThanOrEqualTo(full);
      for (int i = 100; i < 500; i++) {
        assertThat(scan.next()).isTrue();
        assertThat(scan.value()).isEqualTo(value(i, 0));
      }
      assertThat(scan.next()).isFalse();
      scan.close();
      for (int i = 0; i < 500; i++) {
        assertThat(snapshot.get(key(i))).isEqualTo(value(i, 0));
        assertThat(store.get(key(i))).isEqualTo(i % 5 == 0 ? value(i, 0) : null);
      }
      snapshot.close();
      store.flush();
      assertThat(valueLogBytes()).isLessThan(full / 2);
    }
  }

  /** Dead values that span whole blocks become holes, so no value has to be relocated. */
  @Test
  void longDeadValuesBecomeHoles() {
    directory.holeBytes(64);
    RlsmOptions options =
        RlsmOptions.builder().memoryBudget(2 << 20).maxSpaceAmplification(KNOB).build();
    int keys = 6_000;
    try (RlsmStore store = RlsmStore.open(directory, options, InlineScheduler.environment(1))) {
      for (int i = 0; i < 4 * keys; i++) {
        store.put(key(i % keys), value(i % keys, i / keys, LONG_VALUE_BYTES));
      }
      store.settle();
      assertThat(directory.usedBytes() / (keys * (LONG_VALUE_BYTES + 8.0))).isLessThan(KNOB);
      assertThat(store.stats().writes().bytesByCause().get("collect")).isZero();
      store.verify();
    }
    long used = directory.usedBytes();
    try (RlsmStore store = RlsmStore.open(directory, options, InlineScheduler.environment(1))) {
      store.settle();
      store.verify();
      for (int i = 0; i < keys; i++) {
        assertThat(store.get(key(i))).isEqualTo(value(i, 3, LONG_VALUE_BYTES));
      }
      // Holes are known after a restart, so no value is relocated for the space of a hole.
      assertThat(store.stats().writes().bytesByCause().get("collect")).isZero();
      assertThat(directory.usedBytes()).isLessThanOrEqualTo(used + (1 << 20));
    }
  }

  @Test
  void holesWaitForReaders() {
    directory.holeBytes(64);
    try (RlsmStore store = open()) {
      load(store, 500);
      store.flush();
      Snapshot snapshot = store.snapshot();
      for (int i = 0; i < 500; i++) {
        if (i % 5 != 0) {
          store.put(key(i), value(i, 1));
        }
      }
      long full = directory.usedBytes();
      store.collect();
      for (int i = 0; i < 500; i++) {
        assertThat(snapshot.get(key(i))).isEqualTo(value(i, 0));
        assertThat(store.get(key(i))).isEqualTo(value(i, i % 5 == 0 ? 0 : 1));
      }
      snapshot.close();
      store.flush();
      assertThat(directory.usedBytes()).isLessThan(full);
      store.verify();
    }
  }

  @Test
  void spaceOfADroppedKeyspaceIsReclaimed() {
    try (RlsmStore store = open()) {
      load(store, 100);
      for (int i = 0; i < 1_000; i++) {
        store.keyspace("gone").put(key(i), value(i, 0));
      }
      store.flush();
      assertThat(valueLogBytes()).isGreaterThan(1_000L * VALUE_BYTES);
      store.dropKeyspace("gone");
      store.collect();
      assertThat(valueLogBytes()).isLessThan(400L * VALUE_BYTES);
      store.verify();
      assertThat(store.get(key(7))).isEqualTo(value(7, 0));
    }
  }

  @Test
  void damagedSegmentIsNotCollected() {
    try (RlsmStore store = open()) {
      load(store, 60);
      store.flush();
      for (int i = 0; i < 30; i++) {
        store.put(key(i), key(i));
      }
    }
    directory.flipBit("val-00000001.log", 8 * (50 * (VALUE_BYTES + 40) + 500)); // about key 50
    try (RlsmStore store = open()) {
      assertThatThrownBy(store::collect).isInstanceOf(CorruptionException.class);
      assertThat(directory.exists("val-00000001.log")).isTrue();
      assertThatThrownBy(store::collect).isInstanceOf(CorruptionException.class);
      store.put(key(1), value(1, 1));
      assertThat(store.get(key(1))).isEqualTo(value(1, 1));
      assertThat(store.get(key(55))).isEqualTo(value(55, 0));
    }
  }

  /** Each thread overwrites its own keys and reads them back during permanent collections. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void collectRunsConcurrentlyWithWritersAndReaders(int threads) throws Exception {
    int writers = 3;
    int keys = 60;
    AtomicInteger left = new AtomicInteger(writers);
    AtomicIntegerArray last = new AtomicIntegerArray(writers * keys);
    try (RlsmStore store = RlsmStore.open(
        directory,
        options(),
        new Environment(
            System::nanoTime, new SplittableRandom(1), new ThreadScheduler("test", threads)))) {
      AtomicInteger next = new AtomicInteger();
      new Crew()
          .add(writers, () -> {
            int mine = next.getAndIncrement() * keys;
            SplittableRandom random = new SplittableRandom(mine);
            for (int i = 1; i <= 3_000; i++) {
              int key = mine + random.nextInt(keys);
              if (i % 7 == 0) {
                store.delete(key(key));
                last.set(key, -1);
              } else {
                store.put(key(key), value(key, i));
                last.set(key, i);
              }
              int other = mine + random.nextInt(keys);
              assertThat(store.get(key(other))).isEqualTo(expected(other, last.get(other)));
            }
            left.decrementAndGet();
          })
          .add(1, () -> {
            while (left.get() > 0) {
              store.collect();
            }
          })
          .run();
      store.collect();
      store.verify();
      for (int i = 0; i < writers * keys; i++) {
        assertThat(store.get(key(i))).isEqualTo(expected(i, last.get(i)));
      }
    }
    assertThat(directory.openHandles()).isEmpty();
  }

  private static byte[] expected(int key, int version) {
    return version <= 0 ? null : value(key, version);
  }
}
