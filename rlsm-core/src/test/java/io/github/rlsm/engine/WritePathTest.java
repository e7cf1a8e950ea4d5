// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rlsm.Crew;
import io.github.rlsm.Waiting;
import io.github.rlsm.background.BackgroundWork;
import io.github.rlsm.background.StoreFiles;
import io.github.rlsm.background.StoreMemory;
import io.github.rlsm.io.CrashStyle;
import io.github.rlsm.io.Fault;
import io.github.rlsm.io.IoEvent;
import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.kv.CorruptionException;
import io.github.rlsm.kv.DiskFullException;
import io.github.rlsm.kv.Durability;
import io.github.rlsm.kv.StoreFailedException;
import io.github.rlsm.kv.StoreIoException;
import io.github.rlsm.log.LogFixture;
import io.github.rlsm.log.LogGeneration;
import io.github.rlsm.log.RecordEncoder;
import io.github.rlsm.log.RecordEncoder.Batch;
import io.github.rlsm.log.RecordLayout;
import io.github.rlsm.logdevice.DirectLog;
import io.github.rlsm.memory.MemoryComponent;
import io.github.rlsm.memory.MemoryComponent.MemtableStructure;
import io.github.rlsm.policy.CollectSettings;
import io.github.rlsm.policy.PolicySettings;
import io.github.rlsm.policy.StallPolicy;
import io.github.rlsm.table.TableWriter;
import io.github.rlsm.thread.Environment;
import io.github.rlsm.thread.ManualScheduler;
import io.github.rlsm.thread.ThreadScheduler;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * Writes through an engine of tiny segments, so that generations change all the time.
 *
 * <p>Guards invariants I-1 and I-7 of ARCHITECTURE.md.
 */
class WritePathTest {

  private static final byte[] PREFIX = {0};
  private static final int SEGMENT_BYTES = 1 << 14;
  private static final int SEPARATION_BYTES = 100;
  private static final EngineOpening.Settings SETTINGS = new EngineOpening.Settings(
      new StoreFiles.Settings(TableWriter.Settings.DEFAULT, 1 << 20, 0, true, 1 << 20),
      new StoreMemory.Settings(
          SEGMENT_BYTES,
          SEPARATION_BYTES,
          new MemoryComponent.Shape(MemtableStructure.SORTED_RUNS, 300, 16, 1),
          3),
      new BackgroundWork.Settings(
          PolicySettings.DEFAULT,
          CollectSettings.DEFAULT,
          new StallPolicy.Limits(1000, 1000, 1L << 40, 0.9, 1 << 30, 0),
          1_000_000_000),
      DirectLog.Settings.NONE,
      Map.of());

  private final AtomicLong clock = new AtomicLong();
  private final AtomicInteger calls = new AtomicInteger();

  private Engine open(SimulatedDirectory directory) {
    return Engine.open(
        directory,
        SETTINGS,
        new Environment(
            clock::incrementAndGet, new SplittableRandom(1), new ThreadScheduler("test", 1)));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(US_ASCII);
  }

  private static void put(Engine engine, String key, String value, Durability durability) {
    byte[] k = bytes(key);
    byte[] v = bytes(value);
    engine.put(WriteScratch.of(PREFIX, k, 0, k.length), v, 0, v.length, durability);
  }

  private static String get(Engine engine, String key) {
    byte[] value = engine.get(PREFIX, bytes(key), 0, key.length());
    return value == null ? null : new String(value, US_ASCII);
  }

  /** A batch with one long value for each key. */
  @SuppressWarnings("ArrayRecordComponent") // never compared as a record
  private record LongValues(int valueLength, String... keys) implements Batch {

    @Override
    public int operations() {
      return keys.length;
    }

    @Override
    public long bytes() {
      return (long) keys.length * valueLength;
    }

    @Override
    public int encode(RecordEncoder encoder) {
      byte[] value = WritePathTest.bytes("v".repeat(valueLength));
      for (String key : keys) {
        byte[] source = new byte[key.length() + valueLength];
        System.arraycopy(WritePathTest.bytes(key), 0, source, 0, key.length());
        System.arraycopy(value, 0, source, key.length(), valueLength);
        encoder.addToBatch(PREFIX, source, 0, key.length(), key.length(), valueLength);
      }
      return valueLength;
    }
  }

  /** The writes made durable by sync cannot be lost in a crash, so damage to them is reported. */
  @Test
  void theRecordAfterSyncPromisesWhatSyncMadeDurable() {
    SimulatedDirectory directory = new SimulatedDirectory();
    SimulatedDirectory withoutPromise;
    SimulatedDirectory withPromise;
    try (Engine engine = open(directory)) {
      put(engine, "a", "1", Durability.BUFFERED);
      withoutPromise = directory.afterKill();
      engine.sync();
      put(engine, "b", "2", Durability.BUFFERED);
      withPromise = directory.afterKill();
    }
    damageFirstRecord(withoutPromise);
    open(withoutPromise).close();
    damageFirstRecord(withPromise);
    assertThatThrownBy(() -> open(withPromise)).isInstanceOf(CorruptionException.class);
  }

  /** Another thread has reserved an earlier place and has not filled it yet. */
  @Test
  void acknowledgesNoWriteBeforeEveryEarlierOneIsPublished() throws Exception {
    try (Engine engine = open(new SimulatedDirectory())) {
      LogGeneration log = engine.active.front().log();
      long earlier = log.seqno(log.reserve(false, 4));
      Waiting put = Waiting.until(() -> put(engine, "a", "1", Durability.OS));
      boolean acknowledged = put.hasEnded();
      engine.memory.published().publish(earlier, earlier + 4);
      put.join();
      assertThat(acknowledged).as("acknowledged").isFalse();
    }
  }

  /** If the process died now, recovery would stop at the missing record and lose the write. */
  @Test
  void readsNoWriteBeforeEveryEarlierOneIsPublished() throws Exception {
    try (Engine engine = open(new SimulatedDirectory())) {
      put(engine, "b", "0", Durability.OS);
      LogGeneration log = engine.active.front().log();
      long earlier = log.seqno(log.reserve(false, 4));
      Waiting put = Waiting.until(() -> put(engine, "a", "1", Durability.OS));
      Waiting get = Waiting.until(() -> assertThat(get(engine, "a")).isEqualTo("1"));
      boolean isRead = get.hasEnded();
      assertThat(get(engine, "b")).isEqualTo("0");
      engine.memory.published().publish(earlier, earlier + 4);
      put.join();
      get.join();
      assertThat(isRead).as("read").isFalse();
    }
  }

  /** A condition that is checked before an earlier write is published may miss this write. */
  @Test
  void checksAConditionOnlyAfterEveryEarlierWriteIsPublished() throws Exception {
    try (Engine engine = open(new SimulatedDirectory())) {
      LogGeneration log = engine.active.front().log();
      long earlier = log.seqno(log.reserve(false, 4));
      AtomicBoolean checked = new AtomicBoolean();
      byte[] key = bytes("a");
      Waiting write = Waiting.until(() -> {
        WriteScratch scratch = WriteScratch.take();
        scratch.setKey(PREFIX, key, 0, key.length);
        boolean inValueLog = engine.writes.build(scratch, bytes("1"), Durability.OS);
        engine.writes.writeIf(scratch, inValueLog, false, Durability.OS, seqno -> {
          checked.set(true);
          return WritePath.Verdict.APPLY;
        });
      });
      boolean early = checked.get();
      engine.memory.published().publish(earlier, earlier + 4);
      write.join();
      assertThat(early).as("checked early").isFalse();
      assertThat(checked).isTrue();
      assertThat(get(engine, "a")).isEqualTo("1");
    }
  }

  /** The device fails only once. A second force would succeed, but the data may be lost already. */
  @Test
  void aFailedForceIsNeverTriedAgain() {
    SimulatedDirectory directory = new SimulatedDirectory();
    Environment environment =
        new Environment(clock::get, new SplittableRandom(1), new ManualScheduler());
    try (Engine engine = Engine.open(directory, SETTINGS, environment)) {
      put(engine, "a", "1", Durability.OS);
      directory.onEvent(event -> {
        if (event.kind() == IoEvent.Kind.FORCE && event.isBefore()) {
          calls.incrementAndGet();
        }
      });
      directory.failAt(directory.eventCount(), Fault.IO_ERROR, false);
      assertThatThrownBy(() -> put(engine, "b", "2", Durability.SYNC))
          .isInstanceOf(StoreIoException.class);
      assertThat(calls).hasValue(1);
      assertThatThrownBy(() -> put(engine, "c", "3", Durability.BUFFERED))
          .isInstanceOf(StoreFailedException.class);
      assertThatThrownBy(engine::sync).isInstanceOf(StoreFailedException.class);
      assertThat(calls).as("forces after the one that failed").hasValue(1);
    } catch (StoreIoException | StoreFailedException e) {
      assertThat(e).as("thrown by close").hasMessageContaining("simulated");
    }
  }

  /** A long record is written by a system call. Half of it may be in the log after a failure. */
  @Test
  void aFailedWriteToTheLogIsNeverTriedAgain() {
    SimulatedDirectory directory = new SimulatedDirectory();
    Environment environment =
        new Environment(clock::get, new SplittableRandom(1), new ManualScheduler());
    SimulatedDirectory survivor = directory;
    try (Engine engine = Engine.open(directory, SETTINGS, environment)) {
      put(engine, "a", "1", Durability.OS);
      directory.onEvent(event -> {
        if (event.kind() == IoEvent.Kind.WRITE && event.isBefore()) {
          calls.incrementAndGet();
        }
      });
      directory.failWhen(event -> event.kind() == IoEvent.Kind.WRITE, Fault.SHORT_TRANSFER);
      assertThatThrownBy(() -> put(engine, "b", "v".repeat(5000), Durability.OS))
          .isInstanceOf(StoreIoException.class);
      directory.mend();
      assertThatThrownBy(() -> put(engine, "b", "v".repeat(5000), Durability.OS))
          .isInstanceOf(StoreFailedException.class);
      assertThat(calls).hasValue(1);
      assertThat(get(engine, "a")).isEqualTo("1");
      assertThat(get(engine, "b")).isNull();
      survivor = directory.afterKill();
    } catch (StoreIoException | StoreFailedException e) {
      assertThat(e).as("thrown by close").hasMessageContaining("simulated");
    }
    try (Engine engine = open(survivor)) {
      assertThat(get(engine, "a")).isEqualTo("1");
      assertThat(get(engine, "b")).isNull();
    }
  }

  /** Without waiting, a snapshot would miss the write and yet claim to see it. */
  @Test
  void aSnapshotWaitsForTheWritesBelowIt() throws Exception {
    try (Engine engine = open(new SimulatedDirectory())) {
      LogGeneration log = engine.active.front().log();
      long earlier = log.seqno(log.reserve(false, 4));
      Waiting snapshot = Waiting.until(() -> engine.release(engine.snapshot()));
      boolean taken = snapshot.hasEnded();
      engine.memory.published().publish(earlier, earlier + 4);
      snapshot.join();
      assertThat(taken).as("taken").isFalse();
    }
  }

  private static void damageFirstRecord(SimulatedDirectory directory) {
    directory.flipBit("wal-00000001.log", 8L * (64 + 18));
  }

  /** Threads increment the same few counters by compare-and-set. No increment may be lost. */
  @Test
  void conditionalWritesUnderContention() throws Exception {
    int threads = 6;
    int each = 400;
    try (Engine engine = open(new SimulatedDirectory())) {
      new Crew()
          .add(threads, () -> {
            for (int i = 0; i < each; i++) {
              increment(engine, "cell" + i % 3);
              if (i % 50 == 0) {
                engine.write(new LongValues(20, "beside" + i, "besides"), Durability.BUFFERED);
              }
            }
          })
          .add(1, () -> {
            for (int i = 0; i < 10; i++) {
              engine.flush();
            }
          })
          .run();
      int sum = 0;
      for (int cell = 0; cell < 3; cell++) {
        sum += Integer.parseInt(get(engine, "cell" + cell).strip());
      }
      assertThat(sum).isEqualTo(threads * each);
    }
  }

  /** Increments a counter. Every other value is long, so that both streams of the log are used. */
  private static void increment(Engine engine, String key) {
    byte[] k = bytes(key);
    while (true) {
      byte[] before = engine.get(PREFIX, k, 0, k.length);
      int count = before == null ? 0 : Integer.parseInt(new String(before, US_ASCII).strip());
      String after = count + 1 + (count % 2 == 0 ? " ".repeat(SEPARATION_BYTES) : "");
      if (engine.replace(PREFIX, k, before, bytes(after), Durability.BUFFERED).applied()) {
        return;
      }
    }
  }

  @Test
  void onlyOneOfManyConditionalCreatesSucceeds() throws Exception {
    try (Engine engine = open(new SimulatedDirectory())) {
      for (int round = 0; round < 100; round++) {
        byte[] key = bytes("new" + round);
        AtomicInteger created = new AtomicInteger();
        new Crew()
            .add(4, () -> {
              byte[] mine = bytes(Thread.currentThread().getName());
              Engine.Conditional done =
                  engine.replace(PREFIX, key, null, mine, Durability.BUFFERED);
              created.addAndGet(done.applied() ? 1 : 0);
              byte[] now = engine.get(PREFIX, key, 0, key.length);
              assertThat(now).isEqualTo(done.applied() ? mine : done.found());
            })
            .run();
        assertThat(created).hasValue(1);
      }
    }
  }

  /** Writers often encounter sealed generations, while flushes free their components. */
  @Test
  void nothingIsLostWhileGenerationsChange() throws Exception {
    int threads = 6;
    int each = 1500;
    try (Engine engine = open(new SimulatedDirectory())) {
      new Crew()
          .add(threads, () -> {
            String name = Thread.currentThread().getName();
            for (int i = 0; i < each; i++) {
              put(engine, name + i, "v".repeat(i % 130), Durability.BUFFERED);
              assertThat(get(engine, name + i)).hasSize(i % 130);
            }
            for (int i = 0; i < each; i++) {
              assertThat(get(engine, name + i)).as(name + i).hasSize(i % 130);
            }
          })
          .run();
    }
  }

  @Test
  void aHugeBatchSurvivesCloseAndPowerLoss() {
    SimulatedDirectory directory = new SimulatedDirectory();
    LongValues inWal = new LongValues(SEPARATION_BYTES - 1, keys(400));
    try (Engine engine = open(directory)) {
      engine.write(inWal, Durability.BUFFERED);
      put(engine, "last", "x", Durability.BUFFERED);
    }
    for (CrashStyle style : CrashStyle.values()) {
      try (Engine engine = open(directory.afterCrash(style, 1))) {
        assertThat(get(engine, "k399")).hasSize(SEPARATION_BYTES - 1);
        assertThat(get(engine, "last")).isEqualTo("x");
      }
    }
  }

  private static String[] keys(int count) {
    String[] keys = new String[count];
    for (int i = 0; i < count; i++) {
      keys[i] = "k" + i;
    }
    return keys;
  }

  @Test
  void aFullDiskRefusesAHugeWriteAndNoOther() {
    SimulatedDirectory directory = new SimulatedDirectory();
    try (Engine engine = open(directory)) {
      put(engine, "a", "1", Durability.SYNC);
      directory.capacity(8 * SEGMENT_BYTES);
      String huge = "h".repeat(64 * SEGMENT_BYTES);
      assertThatThrownBy(() -> put(engine, "huge", huge, Durability.SYNC))
          .isInstanceOf(DiskFullException.class);
      put(engine, "b", "2", Durability.SYNC);
      directory.capacity(Long.MAX_VALUE);
      put(engine, "huge", huge, Durability.SYNC);
      assertThat(get(engine, "huge")).hasSize(huge.length());
    }
  }

  /** After a kill the recovered records are in the page cache alone. A sync must force them. */
  @Test
  void syncAfterAKillForcesRecoveredRecords() {
    SimulatedDirectory directory = new SimulatedDirectory();
    Engine killed = open(directory);
    put(killed, "a", "1", Durability.BUFFERED);
    SimulatedDirectory second = directory.kill();
    Engine engine = open(second);
    engine.sync();
    try (Engine third = open(second.crash(CrashStyle.DROP_UNSYNCED, 1))) {
      assertThat(get(third, "a")).isEqualTo("1");
    }
  }

  /**
   * The promise of SYNC for a write covers all earlier writes, even if the call itself writes
   * nothing.
   */
  @Test
  void syncAndEmptyBatchesForceEarlierWrites() {
    List<Consumer<Engine>> calls =
        List.of(Engine::sync, engine -> engine.write(new LongValues(0), Durability.SYNC));
    for (Consumer<Engine> call : calls) {
      SimulatedDirectory directory = new SimulatedDirectory();
      try (Engine engine = open(directory)) {
        put(engine, "small", "1", Durability.OS);
        put(engine, "large", "v".repeat(SEPARATION_BYTES), Durability.BUFFERED);
        call.accept(engine);
        try (Engine after = open(directory.afterCrash(CrashStyle.DROP_UNSYNCED, 1))) {
          assertThat(get(after, "small")).isEqualTo("1");
          assertThat(get(after, "large")).hasSize(SEPARATION_BYTES);
        }
      }
    }
  }

  /**
   * The first promise after a kill must not cover records that were only read from the page cache.
   */
  @Test
  void powerLossAfterAKillIsNotReportedAsDamage() {
    SimulatedDirectory directory = new SimulatedDirectory();
    Engine killed = open(directory);
    put(killed, "a", "1", Durability.BUFFERED);
    SimulatedDirectory second = directory.kill();
    try (Engine engine = open(second)) {
      AtomicInteger crashes = new AtomicInteger();
      second.onEvent(event -> {
        if (event.kind() == IoEvent.Kind.FORCE) {
          crashes.addAndGet(recoverFromCrashes(second));
        }
      });
      put(engine, "b", "2", Durability.SYNC);
      assertThat(crashes.get()).isPositive();
      second.onEvent(event -> {});
    }
  }

  private int recoverFromCrashes(SimulatedDirectory directory) {
    int crashes = 0;
    for (CrashStyle style : CrashStyle.values()) {
      for (int seed = 0; seed < 8; seed++) {
        try (Engine engine = open(directory.afterCrash(style, seed))) {
          assertThat(get(engine, "a")).isIn("1", null);
          assertThat(get(engine, "b")).isIn("2", null);
          crashes++;
        }
      }
    }
    return crashes;
  }

  /** A batch that cannot be encoded must release its memory. */
  @Test
  void failedBatchReleasesItsMemory() {
    Batch failing = new Batch() {
      @Override
      public int operations() {
        return 2;
      }

      @Override
      public long bytes() {
        return 1;
      }

      @Override
      public int encode(RecordEncoder encoder) {
        encoder.addToBatch(PREFIX, new byte[5 << 20], 0, 1, 1, 4 << 20);
        throw new IllegalStateException("no more");
      }
    };
    try (Engine engine = open(new SimulatedDirectory())) {
      assertThatThrownBy(() -> engine.write(failing, Durability.OS)).hasMessage("no more");
      assertThat(LogFixture.heldBytes(WriteScratch.take().encoder)).isLessThanOrEqualTo(1 << 20);
      put(engine, "a", "1", Durability.OS);
      assertThat(get(engine, "a")).isEqualTo("1");
    }
  }

  /**
   * The condition cannot be read for lack of memory. The record stays void and affects no other
   * write.
   */
  @Test
  void failedConditionAffectsNoOtherWrite() {
    try (Engine engine = open(new SimulatedDirectory())) {
      WriteScratch scratch = WriteScratch.take();
      scratch.setKey(PREFIX, bytes("a"), 0, 1);
      boolean inValueLog = engine.writes.build(scratch, bytes("1"), Durability.OS);
      OutOfMemoryError none = new OutOfMemoryError("none");
      assertThatThrownBy(
              () -> engine.writes.writeIf(scratch, inValueLog, false, Durability.OS, seqno -> {
                throw none;
              }))
          .isSameAs(none);
      put(engine, "b", "2", Durability.SYNC);
      assertThat(get(engine, "a")).isNull();
      assertThat(get(engine, "b")).isEqualTo("2");
    }
  }

  /** A record that fits into a page lies in one page, except at the beginning of a segment. */
  @Test
  void valuesBeginAtPages() throws Exception {
    SimulatedDirectory directory = new SimulatedDirectory();
    String value = "v".repeat(2000);
    AtomicInteger threads = new AtomicInteger();
    try (Engine engine = open(directory)) {
      new Crew()
          .add(3, () -> {
            int thread = threads.getAndIncrement();
            for (int i = 10; i < 50; i++) {
              String key = "key" + thread + i;
              if (i % 2 == 0) {
                put(engine, key, value, Durability.BUFFERED);
              } else {
                engine.replace(PREFIX, bytes(key), null, bytes(value), Durability.BUFFERED);
              }
            }
          })
          .run();
      checkPages(directory);
      try (Engine after = open(directory.afterKill())) {
        for (int i = 0; i < 120; i++) {
          assertThat(get(after, "key" + i / 40 + (10 + i % 40))).isEqualTo(value);
        }
      }
    }
  }

  private static void checkPages(SimulatedDirectory directory) {
    int records = 0;
    for (String name : directory.list()) {
      if (!name.startsWith("val-")) {
        continue;
      }
      ByteBuffer segment = ByteBuffer.wrap(directory.bytes(name)).order(ByteOrder.LITTLE_ENDIAN);
      int acrossPages = 0;
      int length = 0;
      for (int at = 64;
          at < segment.capacity() - 24;
          at += RecordLayout.units(length) * RecordLayout.UNIT) {
        length = RecordLayout.length(segment, at);
        if (length == 0) {
          break;
        }
        if (length > 2000) {
          records++;
          acrossPages += at / 4096 == (at + length - 1) / 4096 ? 0 : 1;
        }
      }
      assertThat(acrossPages).as(name).isLessThanOrEqualTo(1);
    }
    assertThat(records).isGreaterThan(20);
  }
}
