// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.logdevice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rlsm.io.BlockDevice;
import io.github.rlsm.io.CrashStyle;
import io.github.rlsm.io.Fault;
import io.github.rlsm.io.IoEvent;
import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.io.StoreFileName;
import io.github.rlsm.kv.CorruptionException;
import io.github.rlsm.kv.FormatVersionException;
import io.github.rlsm.kv.StoreIoException;
import io.github.rlsm.kv.StoreLockedException;
import io.github.rlsm.log.LogFixture;
import io.github.rlsm.log.LogGeneration;
import io.github.rlsm.log.PublishedSeqno;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Tests logs on a simulated device: laps, torn and stale blocks, damage, and devices of other
 * stores.
 *
 * <p>Guards invariant I-10 of ARCHITECTURE.md.
 */
class DirectLogTest {

  private static final String DEVICE = "device";
  private static final int RING_BLOCKS = 20;
  private static final int SECTOR_BYTES = 512;
  private static final int GROUPS = 90;
  private static final DirectLog.Settings SETTINGS = new DirectLog.Settings(DEVICE, false);

  private final SplittableRandom random = new SplittableRandom(5);
  private final SimulatedDirectory directory = withDevice(RING_BLOCKS);
  private final PublishedSeqno published = new PublishedSeqno(0);
  private final LogFixture log = new LogFixture(directory);
  private final List<LogGeneration> generations = new ArrayList<>(List.of(log.generation));
  private long forces;

  private static SimulatedDirectory withDevice(int ringBlocks) {
    SimulatedDirectory directory = new SimulatedDirectory();
    directory.addDevice(DEVICE, RingSuperblock.COUNT + ringBlocks);
    format(directory, 1);
    return directory;
  }

  private static void format(SimulatedDirectory directory, long seed) {
    try (BlockDevice device = directory.openDevice(DEVICE)) {
      DirectLog.format(device, new SplittableRandom(seed));
    }
  }

  private DirectLog open() {
    log.segments.expectNoForces(generations);
    DirectLog direct = DirectLog.open(directory, LogFixture.STORE_ID, SETTINGS, published, random);
    directory.onEvent(event -> {
      boolean isForce = event.kind() == IoEvent.Kind.FORCE && event.isBefore();
      forces += isForce ? 1 : 0;
    });
    return direct;
  }

  /** Writes a record to either stream, in a new generation if the current one is full. */
  private void put() {
    boolean large = random.nextInt(4) == 0;
    String value = "v".repeat(random.nextInt(large ? 1500 : 300));
    int needed = 64 + value.length();
    if (Math.max(log.generation.usedBytes(false), log.generation.usedBytes(true)) + needed
        > LogFixture.SEGMENT_BYTES) {
      log.next();
      generations.add(log.generation);
    }
    long start = log.generation.endSeqno();
    log.put(large, "\0" + log.history.size(), value, LogFixture.NOTHING);
    published.publish(start, log.generation.endSeqno());
  }

  private long force(DirectLog direct) {
    return direct.force(generations, published.get());
  }

  private static long recover(SimulatedDirectory crashed) {
    long blocks = DirectLog.recover(crashed, LogFixture.STORE_ID, 1, SETTINGS);
    DirectLog.retire(crashed, LogFixture.STORE_ID, SETTINGS, new SplittableRandom(2));
    return blocks;
  }

  /**
   * Returns the state after a power loss that drops all unforced data, with the given device
   * content.
   */
  private SimulatedDirectory afterPowerLoss(byte[] device) {
    SimulatedDirectory crashed = directory.afterCrash(CrashStyle.DROP_UNSYNCED, 1);
    System.arraycopy(device, 0, crashed.deviceBytes(DEVICE), 0, device.length);
    return crashed;
  }

  private static List<String> entries(SimulatedDirectory crashed) {
    recover(crashed);
    return LogFixture.replay(crashed).entries;
  }

  @Test
  void aWriteThatIsTornAnywhereLosesOnlyItself() {
    DirectLog direct = open();
    int torn = 0;
    for (int group = 0; group < GROUPS; group++) {
      int durable = log.history.size();
      for (int i = random.nextInt(6); i >= 0; i--) {
        put();
      }
      byte[] before = directory.deviceBytes(DEVICE).clone();
      force(direct);
      byte[] after = directory.deviceBytes(DEVICE).clone();
      assertThat(entries(afterPowerLoss(after))).isEqualTo(log.said());
      for (int at = 0; at < after.length; at += SECTOR_BYTES) {
        if (!same(before, after, at)) {
          byte[] device = after.clone();
          System.arraycopy(before, at, device, at, SECTOR_BYTES);
          List<String> left = entries(afterPowerLoss(device));
          assertThat(log.isPrefix(left)).isTrue();
          assertThat(left).startsWith(log.said(durable).toArray(String[]::new));
          torn++;
        }
      }
    }
    assertThat(torn).isGreaterThan(GROUPS);
    assertThat(direct.writtenBytes()).isGreaterThan(4L * RING_BLOCKS * BlockDevice.BLOCK_BYTES);
    direct.close();
  }

  private static boolean same(byte[] a, byte[] b, int at) {
    return Arrays.equals(a, at, at + SECTOR_BYTES, b, at, at + SECTOR_BYTES);
  }

  @Test
  void damageToABlockThatWasDurableIsReported() {
    DirectLog direct = open();
    int durable = 0;
    for (int group = 0; group < GROUPS; group++) {
      durable = log.history.size();
      put();
      force(direct);
    }
    byte[] device = directory.deviceBytes(DEVICE).clone();
    int reported = 0;
    for (int block = RingSuperblock.COUNT; block < RingSuperblock.COUNT + RING_BLOCKS; block++) {
      byte[] damaged = device.clone();
      damaged[block * BlockDevice.BLOCK_BYTES + 700] ^= 4;
      SimulatedDirectory crashed = afterPowerLoss(damaged);
      try {
        List<String> left = entries(crashed);
        // Either the block is no longer needed, or no later block says that it was ever complete.
        assertThat(left).isIn(log.said(), log.said(durable));
      } catch (CorruptionException e) {
        assertThat(e).hasMessageContaining("every block below").hasMessageContaining(DEVICE);
        reported++;
      }
      assertThat(crashed.openHandles()).isEmpty();
    }
    assertThat(reported).isGreaterThan(RING_BLOCKS / 2).isLessThan(RING_BLOCKS);
    direct.close();
  }

  @Test
  void filesAreNotForcedUntilTheRingIsScarce() {
    DirectLog direct = open();
    for (int i = 0; i < RING_BLOCKS * 3 / 4; i++) {
      put();
      force(direct);
    }
    assertThat(forces).isLessThanOrEqualTo(2L * 2 * generations.size()); // lengths of new files
    long before = forces;
    int generationsBefore = generations.size();
    for (int i = 0; i < 3 * RING_BLOCKS; i++) {
      put();
      force(direct);
    }
    assertThat(forces - before).isGreaterThan(4L * (generations.size() - generationsBefore));
    direct.close();
  }

  @Test
  void generationsInTablesFreeTheirBlocks() {
    DirectLog direct = open();
    while (generations.size() < 12) {
      put();
      force(direct);
      if (generations.size() > 2) {
        generations.remove(0);
      }
      long forSwitches = forces;
      if (log.history.size() % 5 == 0) {
        force(direct); // nothing to do
      }
      assertThat(forces).isEqualTo(forSwitches);
      if (log.history.size() > 200) {
        break;
      }
    }
    assertThat(direct.writtenBytes()).isGreaterThan(3L * RING_BLOCKS * BlockDevice.BLOCK_BYTES);
    direct.close();
  }

  @Test
  void aGroupTooLongForOneWriteIsForcedInPlace() {
    DirectLog direct = open();
    for (int i = 0; i < 120; i++) {
      put();
    }
    force(direct);
    assertThat(direct.writtenBytes()).isZero();
    assertThat(entries(directory.afterCrash(CrashStyle.DROP_UNSYNCED, 1))).isEqualTo(log.said());
    direct.close();
  }

  /** The ring must hold only final bytes, and an unfilled record may still change. */
  @Test
  void aGroupWithARecordThatStaysUnfilledIsForcedInPlace() {
    DirectLog direct = open();
    put();
    int durable = log.history.size();
    log.hole(false, 4);
    long reached = force(direct);
    assertThat(reached).isEqualTo(published.get());
    assertThat(direct.writtenBytes()).isZero();
    assertThat(entries(directory.afterCrash(CrashStyle.DROP_UNSYNCED, 1)))
        .isEqualTo(log.said(durable));
    direct.close();
  }

  @Test
  void aKilledProcessLosesNothingByTheReplay() {
    DirectLog direct = open();
    for (int i = 0; i < 30; i++) {
      put();
      if (i % 3 == 0) {
        force(direct);
      }
    }
    SimulatedDirectory left = directory.afterKill();
    assertThat(entries(left)).isEqualTo(log.said());
    assertThat(recover(left)).isZero(); // the note is gone
    direct.close();
  }

  @Test
  void blocksOfAnEarlierEpochAreNeverReplayed() {
    DirectLog direct = open();
    for (int i = 0; i < 8; i++) {
      put();
      force(direct);
    }
    direct.detach(generations);
    direct.close();
    SimulatedDirectory left = directory.afterCrash(CrashStyle.DROP_UNSYNCED, 1);
    assertThat(left.exists(StoreFileName.LOG_DEVICE)).isFalse();
    assertThat(LogFixture.replay(left).entries).isEqualTo(log.said());
    DirectLog again = DirectLog.open(left, LogFixture.STORE_ID, SETTINGS, published, random);
    again.close();
    assertThat(recover(left.afterCrash(CrashStyle.DROP_UNSYNCED, 1))).isZero();
  }

  @Test
  void replayingTwiceGivesTheSame() {
    DirectLog direct = open();
    for (int i = 0; i < 8; i++) {
      put();
      force(direct);
    }
    SimulatedDirectory left = directory.afterCrash(CrashStyle.DROP_UNSYNCED, 1);
    List<SimulatedDirectory> crashes = new ArrayList<>();
    left.onEvent(event -> {
      if (event.kind().changesState()) {
        crashes.add(left.afterCrash(CrashStyle.values()[crashes.size() % 5], crashes.size()));
      }
    });
    recover(left);
    assertThat(crashes).hasSizeGreaterThan(6);
    for (SimulatedDirectory crash : crashes) {
      assertThat(entries(crash)).isEqualTo(log.said());
    }
    direct.close();
  }

  @Test
  void aDeviceOfAnotherStoreIsRefused() {
    open().close();
    SimulatedDirectory other = directory.afterKill();
    other.delete(StoreFileName.LOG_DEVICE);
    assertThatExceptionOfType(FormatVersionException.class)
        .isThrownBy(() -> DirectLog.open(other, 7, SETTINGS, published, random))
        .withMessageContaining("log device of store 1122334455667788")
        .withMessageContaining("release it");
    assertThat(other.openHandles()).isEmpty();
    DirectLog.Settings lenient = new DirectLog.Settings(DEVICE, true);
    assertThat(DirectLog.open(other, 7, lenient, published, random)).isNull();
  }

  @Test
  void originalOfACopyThatReplayedTheDeviceIsRefused() {
    DirectLog direct = open();
    put();
    force(direct);
    direct.close();
    SimulatedDirectory original = directory.afterKill();
    SimulatedDirectory copy = directory.afterKill();
    assertThat(entries(copy)).isEqualTo(log.said());
    byte[] taken = copy.deviceBytes(DEVICE);
    System.arraycopy(taken, 0, original.deviceBytes(DEVICE), 0, taken.length);
    assertThatExceptionOfType(CorruptionException.class)
        .isThrownBy(() -> recover(original))
        .withMessageContaining("a copy of the store");
    assertThat(original.openHandles()).isEmpty();
  }

  @Test
  void aStoreThatNeedsItsDeviceDoesNotOpenWithoutIt() {
    open().close();
    SimulatedDirectory left = directory.afterKill();
    left.removeDevice(DEVICE);
    assertThatExceptionOfType(StoreIoException.class)
        .isThrownBy(() -> recover(left))
        .withMessageContaining(DEVICE);
    left.addDevice(DEVICE, 40);
    assertThatThrownBy(() -> recover(left)).isInstanceOf(CorruptionException.class);
    format(left, 99);
    assertThatExceptionOfType(FormatVersionException.class)
        .isThrownBy(() -> recover(left))
        .withMessageContaining("another log device");
    assertThat(left.openHandles()).isEmpty();
  }

  @Test
  void aDeviceIsFoundAgainUnderAnotherName() {
    DirectLog direct = open();
    put();
    force(direct);
    direct.close();
    SimulatedDirectory left = directory.afterCrash(CrashStyle.DROP_UNSYNCED, 1);
    byte[] bytes = left.deviceBytes(DEVICE);
    left.removeDevice(DEVICE);
    left.addDevice("renamed", bytes.length / BlockDevice.BLOCK_BYTES);
    System.arraycopy(bytes, 0, left.deviceBytes("renamed"), 0, bytes.length);
    DirectLog.Settings settings = new DirectLog.Settings("renamed", false);
    DirectLog.recover(left, LogFixture.STORE_ID, 1, settings);
    DirectLog.retire(left, LogFixture.STORE_ID, settings, random);
    assertThat(LogFixture.replay(left).entries).isEqualTo(log.said());
  }

  @Test
  void aDeviceIsOpenInOneStore() {
    DirectLog direct = open();
    assertThatThrownBy(this::open).isInstanceOf(StoreLockedException.class);
    direct.close();
    open().close();
  }

  @Test
  void aFailedWriteIsFinal() {
    DirectLog direct = open();
    put();
    directory.failAt(directory.eventCount(), Fault.IO_ERROR, false);
    assertThatThrownBy(() -> force(direct)).isInstanceOf(StoreIoException.class);
    directory.mend();
    assertThatThrownBy(() -> force(direct)).isInstanceOf(StoreIoException.class);
    direct.close();
  }

  @Test
  void aMissingSegmentIsReported() {
    DirectLog direct = open();
    put();
    force(direct);
    direct.close();
    SimulatedDirectory left = directory.afterKill();
    left.delete("wal-00000001.log");
    assertThatExceptionOfType(CorruptionException.class)
        .isThrownBy(() -> recover(left))
        .withMessageContaining("wal-00000001.log")
        .withMessageContaining("missing");
    assertThat(left.openHandles()).isEmpty();
  }
}
