// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.rlsm.kv.DiskFullException;
import io.github.rlsm.kv.ResourceExhaustedException;
import io.github.rlsm.kv.StoreIoException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests a simulated directory beyond the contract, except for crashes: events, faults, damage. */
class SimulatedDirectoryTest extends StoreDirectoryContract {

  private final SimulatedDirectory directory = new SimulatedDirectory();

  @Override
  protected StoreDirectory newDirectory() {
    return new SimulatedDirectory();
  }

  @Test
  void callsAreNumberedAndReportedBeforeAndAfter() {
    List<String> seen = new ArrayList<>();
    directory.onEvent(event -> seen.add(event.index()
        + " "
        + event.kind()
        + " "
        + event.file()
        + (event.isBefore() ? " before " : " after ")
        + directory.exists("a")));
    AppendFile file = directory.create("a");
    file.append(ByteBuffer.allocate(3));
    file.force();
    file.close();
    directory.rename("a", "b");
    directory.syncDirectory();
    assertThat(seen)
        .containsExactly(
            "0 CREATE a before false",
            "0 CREATE a after true",
            "1 APPEND a before true",
            "1 APPEND a after true",
            "2 FORCE a before true",
            "2 FORCE a after true",
            "3 RENAME a before true",
            "3 RENAME a after false",
            "4 SYNC_DIRECTORY simulated before false",
            "4 SYNC_DIRECTORY simulated after false");
    assertThat(directory.eventCount()).isEqualTo(5);
  }

  private static final int PAGE = 4096;

  /** Returns a mapped file of two pages. The first byte of each is 1 and safe. */
  private MappedFile safePages() {
    MappedFile file = directory.createMapped("m", 2 * PAGE);
    put(file, 1);
    file.force(0, 2 * PAGE);
    directory.syncDirectory();
    return file;
  }

  private static void put(MappedFile file, int value) {
    file.memory().put(0, (byte) value).put(PAGE, (byte) value);
  }

  private void failForce(MappedFile file, int offset, int length) {
    directory.failAt(directory.eventCount(), Fault.FORCE_ERROR, false);
    assertThatExceptionOfType(StoreIoException.class).isThrownBy(() -> file.force(offset, length));
    file.close();
    directory.mend();
  }

  private static List<Byte> pages(SimulatedDirectory directory) {
    return List.of(directory.bytes("m")[0], directory.bytes("m")[PAGE]);
  }

  private List<Byte> pagesAfterCrash(CrashStyle style) {
    return pages(directory.afterCrash(style, 1));
  }

  @Test
  void aFailedForceLeavesPagesThatNoLaterForceWrites() {
    MappedFile failing = safePages();
    put(failing, 2);
    failForce(failing, 0, 2 * PAGE);
    assertThat(pages(directory)).containsExactly((byte) 2, (byte) 2);
    try (MappedFile again = directory.openMapped("m")) {
      again.force(0, 2 * PAGE);
      assertThat(pagesAfterCrash(CrashStyle.DROP_UNSYNCED)).containsExactly((byte) 1, (byte) 1);
      assertThat(pagesAfterCrash(CrashStyle.KEEP_UNSYNCED)).containsExactly((byte) 1, (byte) 1);
      again.memory().put(0, (byte) 3);
      again.force(0, 2 * PAGE);
      assertThat(pagesAfterCrash(CrashStyle.DROP_UNSYNCED)).containsExactly((byte) 1, (byte) 1);
    }
    directory.replaceByCopy("m", "temporary");
    directory.syncDirectory();
    assertThat(pagesAfterCrash(CrashStyle.DROP_UNSYNCED)).containsExactly((byte) 3, (byte) 2);
  }

  @Test
  void droppedLostPagesReadAsBefore() {
    MappedFile failing = safePages();
    put(failing, 2);
    failForce(failing, PAGE, PAGE);
    SimulatedDirectory killed = directory.kill();
    for (int i = 0; i < 100; i++) {
      killed.dropLostPages(new SplittableRandom(i));
    }
    assertThat(pages(killed)).containsExactly((byte) 2, (byte) 1);
  }

  @Test
  void namesThatCouldNotBeForcedNeverAreUntilTheyChangeAgain() {
    directory.create("a").close();
    directory.failAt(directory.eventCount(), Fault.FORCE_ERROR, false);
    assertThatExceptionOfType(StoreIoException.class).isThrownBy(directory::syncDirectory);
    directory.mend();
    assertThatExceptionOfType(StoreIoException.class).isThrownBy(directory::syncDirectory);
    directory.close();
    directory.syncDirectory();
    assertThat(directory.list()).containsExactly("a");
    assertThat(directory.afterCrash(CrashStyle.KEEP_UNSYNCED, 1).list()).isEmpty();
    directory.rename("a", "b");
    directory.syncDirectory();
    assertThat(directory.afterCrash(CrashStyle.DROP_UNSYNCED, 1).list()).containsExactly("b");
  }

  @ParameterizedTest
  @EnumSource(Fault.class)
  void everyCallCanFailOnce(Fault fault) {
    SimulatedDirectory healthy = new SimulatedDirectory();
    List<IoEvent> events = new ArrayList<>();
    healthy.onEvent(event -> events.add(event));
    everyCall(healthy);
    List<IoEvent> calls = events.stream().filter(IoEvent::isBefore).toList();
    assertThat(calls.stream().map(IoEvent::kind).distinct()).hasSize(IoEvent.Kind.values().length);
    for (IoEvent call : calls) {
      SimulatedDirectory failing = new SimulatedDirectory();
      failing.failAt(call.index(), fault, false);
      if (fault.appliesTo(call.kind())) {
        assertThatExceptionOfType(StoreIoException.class)
            .as("%s", call)
            .isThrownBy(() -> everyCall(failing))
            .withMessageContaining(call.file())
            .matches(e -> e instanceof ResourceExhaustedException == isShortage(fault, call));
        assertThat(failing.hasFailed()).isTrue();
        assertThat(failing.eventCount()).isEqualTo(call.index() + 1);
        assertThat(failing.openHandles()).isEmpty();
      } else {
        everyCall(failing);
        assertThat(failing.hasFailed()).isFalse();
      }
    }
  }

  /**
   * Whether a fault means a missing resource. Failed forces of memory or of names do not, and
   * failed writes to reserved space do not.
   */
  private static boolean isShortage(Fault fault, IoEvent call) {
    return switch (fault) {
      case NO_SPACE ->
        call.kind() != IoEvent.Kind.SYNC_DIRECTORY
            && call.kind() != IoEvent.Kind.WRITE
            && !(call.kind() == IoEvent.Kind.FORCE && call.file().equals("m"));
      case NO_DESCRIPTORS, NO_MAPPINGS -> true;
      default -> false;
    };
  }

  private static void everyCall(SimulatedDirectory directory) {
    try (StoreDirectory.Lock lock = directory.lock();
        AppendFile file = directory.create("a")) {
      assertThat(lock).isNotNull();
      file.append(ByteBuffer.allocate(3));
      file.force();
    }
    try (MappedFile file = directory.createMapped("m", 100)) {
      assertThat(file.write(5, 10, ByteBuffer.allocateDirect(20))).isTrue();
      file.force(0, 10);
      file.truncate(50);
    }
    directory.holeBytes(2);
    directory.punch("m", new long[] {2L << 32 | 4});
    directory.openAppend("a").close();
    directory.openMapped("m").close();
    directory.openReadOnly("m").close();
    directory.rename("a", "b");
    directory.delete("b");
    directory.list();
    directory.exists("a");
    directory.size("m");
    directory.freeBytes();
    directory.syncDirectory();
    directory.addDevice("device", 2);
    try (BlockDevice device = directory.openDevice("device")) {
      device.write(1, BlockDevice.buffer(1));
      device.read(0, BlockDevice.buffer(2));
    }
  }

  @Test
  void faultsMayLastUntilMended() {
    directory.failAt(1, Fault.IO_ERROR, true);
    directory.create("a").close();
    for (int i = 0; i < 3; i++) {
      assertThatExceptionOfType(StoreIoException.class).isThrownBy(directory::list);
    }
    directory.mend();
    assertThat(directory.list()).containsExactly("a");
  }

  @Test
  void failedAppendLeavesHalf() {
    AppendFile file = directory.create("a");
    directory.failAt(directory.eventCount(), Fault.IO_ERROR, false);
    assertThatExceptionOfType(StoreIoException.class)
        .isThrownBy(() -> file.append(ByteBuffer.wrap(new byte[] {1, 2, 3, 4})));
    assertThat(directory.bytes("a")).containsExactly(1, 2);
    assertThatExceptionOfType(StoreIoException.class)
        .isThrownBy(() -> file.append(ByteBuffer.allocate(1)));
    assertThatExceptionOfType(StoreIoException.class).isThrownBy(file::force);
    assertThat(directory.bytes("a")).containsExactly(1, 2);
  }

  @Test
  void failedForceMakesNothingSafeAndIsFinal() {
    MappedFile file = directory.createMapped("m", 10);
    file.force(0, 10);
    directory.syncDirectory();
    file.memory().put(0, (byte) 1);
    directory.failAt(directory.eventCount(), Fault.IO_ERROR, false);
    assertThatExceptionOfType(StoreIoException.class).isThrownBy(() -> file.force(0, 10));
    assertThatExceptionOfType(StoreIoException.class).isThrownBy(() -> file.force(0, 10));
    assertThat(directory.afterCrash(CrashStyle.DROP_UNSYNCED, 1).bytes("m")).containsOnly(0);
  }

  @Test
  void errorAfterTheWorkIsDone() {
    directory.failAt(0, Fault.IO_ERROR_AFTER, false);
    assertThatExceptionOfType(StoreIoException.class).isThrownBy(() -> directory.create("a"));
    assertThat(directory.list()).containsExactly("a");
    directory.failAt(directory.eventCount(), Fault.IO_ERROR_AFTER, false);
    assertThatExceptionOfType(StoreIoException.class).isThrownBy(directory::syncDirectory);
    assertThat(directory.crash(CrashStyle.DROP_UNSYNCED, 1).list()).containsExactly("a");
  }

  @Test
  void capacityIsShared() {
    directory.capacity(100);
    AppendFile file = directory.create("a");
    file.append(ByteBuffer.allocate(60));
    assertThat(directory.freeBytes()).isEqualTo(40);
    assertThatExceptionOfType(DiskFullException.class)
        .isThrownBy(() -> directory.createMapped("m", 41))
        .withMessageContaining("m");
    assertThat(directory.exists("m")).isFalse();
    assertThatExceptionOfType(DiskFullException.class)
        .isThrownBy(() -> file.append(ByteBuffer.allocate(50)));
    assertThat(directory.freeBytes()).isZero();
    directory.delete("a");
    assertThat(directory.freeBytes()).as("deleted, but open").isZero();
    file.close();
    assertThat(directory.freeBytes()).isEqualTo(100);
    directory.createMapped("m", 100).close();
    assertThat(directory.kill().freeBytes()).isZero();
  }

  @Test
  void openHandlesAreListed() {
    AppendFile file = directory.create("a");
    MappedFile written = directory.createMapped("m", 10);
    MappedFile read = directory.openReadOnly("m");
    StoreDirectory.Lock lock = directory.lock();
    assertThat(directory.openHandles())
        .containsExactly("LOCK (locked)", "a (appending)", "m (mapped read-only)", "m (mapped)");
    file.close();
    read.close();
    lock.close();
    assertThat(directory.openHandles()).containsExactly("m (mapped)");
    written.close();
    assertThat(directory.openHandles()).isEmpty();
  }

  @Test
  void readersSeeDamage() {
    directory.replace("a", new byte[] {1, 2, 3});
    MappedFile open = directory.openReadOnly("a");
    directory.flipBit("a", 9);
    assertThat(directory.bytes("a")).containsExactly(1, 0, 3);
    assertThat(open.memory().get(1)).isZero();
    directory.truncate("a", 1);
    assertThat(directory.bytes("a")).containsExactly(1);
    assertThat(open.memory().get(2)).isEqualTo((byte) 3);
    directory.truncate("a", 2);
    assertThat(directory.crash(CrashStyle.DROP_UNSYNCED, 1).bytes("a")).containsExactly(1, 0);
  }

  @Test
  void damageToACopyDoesNotAffectTheOriginal() {
    directory.replace("a", new byte[] {1, 2, 3});
    for (int bit = 0; bit < 24; bit++) {
      SimulatedDirectory copy = directory.afterKill();
      copy.flipBit("a", bit);
      assertThat(copy.bytes("a")).isNotEqualTo(new byte[] {1, 2, 3});
    }
    assertThat(directory.bytes("a")).containsExactly(1, 2, 3);
  }

  @Test
  void observedThreadsTakeTurns() throws InterruptedException {
    AtomicInteger inside = new AtomicInteger();
    List<Long> indexes = new ArrayList<>();
    directory.onEvent(event -> {
      assertThat(inside.incrementAndGet()).isEqualTo(1);
      if (event.isBefore()) {
        indexes.add(event.index());
      }
      inside.decrementAndGet();
    });
    List<Thread> threads = LongStream.range(0, 4)
        .mapToObj(t -> new Thread(() -> LongStream.range(0, 200).forEach(i -> touch(t, i))))
        .toList();
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(indexes)
        .containsExactlyInAnyOrderElementsOf(LongStream.range(0, 1600).boxed().toList());
  }

  private void touch(long thread, long i) {
    String name = thread + "-" + i;
    directory.create(name).close();
    directory.delete(name);
  }
}
