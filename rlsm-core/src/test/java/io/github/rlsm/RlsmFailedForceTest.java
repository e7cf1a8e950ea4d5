// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rlsm.io.CrashStyle;
import io.github.rlsm.io.Fault;
import io.github.rlsm.io.IoEvent;
import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.kv.Durability;
import io.github.rlsm.kv.StoreFailedException;
import io.github.rlsm.kv.StoreIoException;
import io.github.rlsm.kv.TestBytes;
import io.github.rlsm.kv.TestSeed;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A force fails as it does on Linux: its pages stay in memory, count as clean, and no later force
 * writes them. The store is closed and opened again. All promises after the reopening must survive
 * a power loss.
 *
 * <p>Guards invariant I-7 of ARCHITECTURE.md.
 */
class RlsmFailedForceTest {

  private static final int SMALL = 20;
  private static final int LARGE = 2_000;
  private static final TinyOptions OPTIONS = TinyOptions.ROOMY;

  private final List<byte[]> values = new ArrayList<>();
  private SimulatedDirectory directory = OPTIONS.directory();

  private static RlsmStore open(SimulatedDirectory directory) {
    return RlsmStore.open(directory, OPTIONS.options(), InlineScheduler.environment(1));
  }

  /** As {@link #open}, without background work: the recovered records stay in the log. */
  private static RlsmStore openIdle(SimulatedDirectory directory) {
    return RlsmStore.open(directory, OPTIONS.options(), InlineScheduler.held().environmentOf(1));
  }

  private static byte[] key(int i) {
    return TestBytes.bytes("key" + i);
  }

  private void put(RlsmStore store, int length, Durability durability) {
    int i = values.size();
    values.add(TestBytes.random(i, length));
    store.put(key(i), values.get(i), durability);
  }

  /** Lets the next force of a matching file fail. */
  private void failForce(Predicate<String> file) {
    directory.onEvent(event -> {
      boolean isForce =
          event.kind() == IoEvent.Kind.FORCE || event.kind() == IoEvent.Kind.SYNC_DIRECTORY;
      if (isForce && event.isBefore() && file.test(event.file())) {
        directory.onEvent(any -> {});
        directory.failAt(event.index(), Fault.IO_ERROR, false);
      }
    });
  }

  private void closeFailed(RlsmStore store) {
    try {
      store.close();
    } catch (StoreIoException | StoreFailedException e) {
      // The failure is expected. The cause is removed below, and the test opens the store again.
    }
    directory.mend();
    directory.onEvent(any -> {});
  }

  private void checkAll(RlsmStore store, int count) {
    for (int i = 0; i < count; i++) {
      assertThat(store.get(key(i))).as("key %d of %d", i, count).isEqualTo(values.get(i));
    }
    store.verify();
  }

  private void checkAfterPowerLoss() {
    try (RlsmStore store = open(directory.afterCrash(CrashStyle.DROP_UNSYNCED, 1))) {
      checkAll(store, values.size());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {SMALL, LARGE})
  void aSyncWriteAfterReopeningIsDurable(int length) {
    RlsmStore store = open(directory);
    put(store, length, Durability.SYNC);
    failForce(name -> name.endsWith(".log"));
    assertThatThrownBy(() -> put(store, length, Durability.SYNC))
        .isInstanceOf(StoreIoException.class);
    closeFailed(store);
    try (RlsmStore again = openIdle(directory)) {
      checkAll(again, 2);
      put(again, length, Durability.SYNC);
      checkAfterPowerLoss();
    }
    checkAfterPowerLoss();
  }

  @ParameterizedTest
  @ValueSource(ints = {SMALL, LARGE})
  void aFlushAfterReopeningIsDurable(int length) {
    RlsmStore store = open(directory);
    put(store, length, Durability.OS);
    failForce(name -> name.endsWith(".log"));
    assertThatThrownBy(store::sync).isInstanceOf(StoreIoException.class);
    closeFailed(store);
    try (RlsmStore again = open(directory)) {
      checkAll(again, 1);
      again.flush();
      checkAfterPowerLoss();
    }
  }

  /** The kernel's own write-back fails, and no thread requested it. */
  @Test
  void unnoticedWriteBackFailureLosesNothing() {
    RlsmStore store = open(directory);
    for (int i = 0; i < 40; i++) {
      put(store, i % 3 == 0 ? LARGE : SMALL, Durability.OS);
    }
    directory.failWriteBack();
    directory = directory.kill();
    assertThatThrownBy(store::close).isInstanceOf(StoreIoException.class);
    try (RlsmStore again = open(directory)) {
      checkAll(again, 40);
      again.sync();
      checkAfterPowerLoss();
    }
  }

  /** Pages that the kernel drops have their old content again. The store must notice in time. */
  @Test
  void pagesMayLeaveMemoryAtAnyMoment() {
    long seed = TestSeed.get();
    SplittableRandom random = new SplittableRandom(seed);
    for (int round = 0; round < 200; round++) {
      values.clear();
      directory = OPTIONS.directory();
      RlsmStore store = open(directory);
      int acknowledged = 1 + random.nextInt(20);
      for (int i = 0; i < acknowledged; i++) {
        put(store, random.nextInt(3) == 0 ? LARGE : SMALL, Durability.OS);
      }
      store.sync();
      failForce(name -> name.endsWith(".log"));
      put(store, random.nextBoolean() ? LARGE : SMALL, Durability.OS);
      assertThatThrownBy(() -> put(store, LARGE, Durability.SYNC))
          .isInstanceOfAny(StoreIoException.class, StoreFailedException.class);
      closeFailed(store);
      directory.onEvent(event -> directory.dropLostPages(random));
      boolean isIdle = random.nextBoolean();
      try (RlsmStore again = isIdle ? openIdle(directory) : open(directory)) {
        int found = acknowledged;
        while (found < values.size() && again.get(key(found)) != null) {
          found++;
        }
        checkAll(again, found);
        again.sync();
        try (RlsmStore after = open(directory.afterCrash(CrashStyle.DROP_UNSYNCED, 1))) {
          checkAll(after, found);
        }
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError(TestSeed.howToReplay(seed) + ", round " + round, e);
      }
    }
  }

  /**
   * An edit of the manifest that is only in memory is written again before any operation relies on
   * it.
   */
  @Test
  void aFailedEditIsDurableOnceTheStoreIsOpen() {
    RlsmStore store = open(directory);
    put(store, LARGE, Durability.OS);
    failForce(name -> name.startsWith("MANIFEST"));
    assertThatThrownBy(store::flush).isInstanceOf(StoreFailedException.class);
    closeFailed(store);
    try (RlsmStore again = open(directory)) {
      checkAll(again, 1);
      again.sync();
      checkAfterPowerLoss();
    }
  }

  @Test
  void aKeyspaceThatCouldNotBeMadeStopsWrites() {
    try (RlsmStore store = open(directory)) {
      failForce(name -> name.startsWith("MANIFEST"));
      assertThatThrownBy(() -> store.keyspace("users")).isInstanceOf(StoreIoException.class);
      directory.mend();
      assertThatExceptionOfType(StoreFailedException.class)
          .isThrownBy(() -> store.put(key(1), key(1)));
    }
  }

  @Test
  void aKeyspaceThatCouldNotBeDroppedStopsWrites() {
    try (RlsmStore store = open(directory)) {
      store.keyspace("users");
      failForce(name -> name.startsWith("MANIFEST"));
      assertThatThrownBy(() -> store.dropKeyspace("users")).isInstanceOf(StoreIoException.class);
      directory.mend();
      assertThatExceptionOfType(StoreFailedException.class)
          .isThrownBy(() -> store.put(key(1), key(1)));
    }
  }
}
