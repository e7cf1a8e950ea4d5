// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.Crew;
import io.github.rlsm.background.BackgroundWork;
import io.github.rlsm.background.StoreFiles;
import io.github.rlsm.background.StoreMemory;
import io.github.rlsm.kv.Durability;
import io.github.rlsm.kv.VerifyListener;
import io.github.rlsm.logdevice.DirectLog;
import io.github.rlsm.memory.MemoryComponent;
import io.github.rlsm.memory.MemoryComponent.MemtableStructure;
import io.github.rlsm.os.OsDirectory;
import io.github.rlsm.policy.CollectSettings;
import io.github.rlsm.policy.PolicySettings;
import io.github.rlsm.policy.StallPolicy;
import io.github.rlsm.table.TableWriter;
import io.github.rlsm.thread.Environment;
import io.github.rlsm.thread.ThreadScheduler;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the space on disk while values are overwritten without pause, with real files and real
 * threads. It never exceeds {@code maxSpaceAmplification} plus the documented exceptions. The
 * settings are the defaults with all byte counts and byte rates divided by {@value #SCALE}.
 *
 * <p>The system property {@code rlsm.overwrite.seed} replays a run, except for the interleaving of
 * threads.
 */
class SpaceWhileOverwritingTest {

  private static final int SCALE = 64;
  private static final int KEYS = 50_000;
  private static final int VALUE_BYTES_MIN = 1_000;
  private static final int VALUE_BYTES_MAX = 4_000;
  private static final int PASSES = 3;
  private static final int WRITERS = 2;
  private static final double KNOB = 1.3;
  private static final long SAMPLE_BYTES = 2 << 20;
  private static final int SEGMENT_BYTES = (64 << 20) / SCALE;
  private static final int SEALED_MAX = 3;

  /** Spare segments of each stream, including the segment in preparation. */
  private static final int SPARE_SEGMENTS = 5;

  private static final long SLACK_BYTES = CollectSettings.DEFAULT.slackBytes() / SCALE;
  private static final long MOVED_BYTES = CollectSettings.DEFAULT.movedBytesMin() / SCALE;

  /** A bound for level 0 and the outputs of jobs: the size of all tables, at 48 bytes per entry. */
  private static final long TABLE_BYTES = 48L * KEYS;

  private static final long SEED = Long.getLong("rlsm.overwrite.seed", 1);
  private static final byte[] PREFIX = {0};

  @TempDir
  private Path directory;

  private final AtomicLong written = new AtomicLong();

  private static EngineOpening.Settings settings() {
    PolicySettings policy = PolicySettings.DEFAULT;
    StallPolicy.Limits stall = new StallPolicy.Limits(
        SEALED_MAX + 1, 64, (4L << 30) / SCALE, 0.6, (8 << 20) / SCALE, 32_000_000);
    return new EngineOpening.Settings(
        new StoreFiles.Settings(TableWriter.Settings.DEFAULT, 1 << 30, 0, false, 4 << 20),
        new StoreMemory.Settings(
            SEGMENT_BYTES,
            512,
            new MemoryComponent.Shape(
                MemtableStructure.SORTED_RUNS, SEGMENT_BYTES / 128, SEGMENT_BYTES / 1024, 1),
            SEALED_MAX),
        new BackgroundWork.Settings(
            new PolicySettings(
                new PolicySettings.Level0(
                    policy.l0Trigger(), policy.victimCountMin(), policy.compactBytesMax() / SCALE),
                new PolicySettings.Partitions(
                    policy.partitionBytesMin() / SCALE,
                    policy.partitionBytesMax() / SCALE,
                    policy.newRangeEntriesMin() / SCALE),
                new PolicySettings.Runs(
                    policy.runCountMax(),
                    policy.linkBytesMin() / SCALE,
                    policy.deadFractionMax(),
                    policy.pinnedFractionMax()),
                SEGMENT_BYTES,
                policy.parallelism()),
            new CollectSettings(
                KNOB, KNOB, (1 + 1 / KNOB) / 2, SLACK_BYTES, MOVED_BYTES, 8 * MOVED_BYTES),
            stall,
            1_000_000_000),
        DirectLog.Settings.NONE,
        Map.of());
  }

  @Test
  void uniform() throws Exception {
    overwrite(random -> random.nextInt(KEYS));
  }

  @Test
  void zipfian() throws Exception {
    double[] upTo = new double[KEYS];
    double sum = 0;
    for (int rank = 0; rank < KEYS; rank++) {
      sum += Math.pow(rank + 1, -0.99);
      upTo[rank] = sum;
    }
    double all = sum;
    overwrite(random -> {
      int found = Arrays.binarySearch(upTo, random.nextDouble() * all);
      long rank = Math.min(KEYS - 1, found < 0 ? -1 - found : found);
      return (int) (rank * 2_654_435_761L % KEYS); // a prime: hot keys are spread among cold ones
    });
  }

  private void overwrite(ToIntFunction<SplittableRandom> draw) throws Exception {
    SplittableRandom random = new SplittableRandom(SEED);
    long live = 0;
    for (int key = 0; key < KEYS; key++) {
      live += entryBytes(key);
    }
    double limit = KNOB * live;
    double bound = limit + inFlightBytes() + TABLE_BYTES + logBytes() + SLACK_BYTES;
    try (Engine engine = Engine.open(
        OsDirectory.create(directory),
        settings(),
        new Environment(System::nanoTime, random.split(), new ThreadScheduler("overwrite", 2)))) {
      for (int key = 0; key < KEYS; key++) {
        put(engine, key);
      }
      long perWriter = PASSES * live / WRITERS;
      Crew crew = new Crew();
      for (int writer = 0; writer < WRITERS; writer++) {
        SplittableRandom own = random.split();
        crew.add(1, () -> {
          for (long bytes = 0; bytes < perWriter; ) {
            bytes += put(engine, draw.applyAsInt(own));
            sample(engine, bound);
          }
        });
      }
      crew.run();
      assertThat(engine.background.collectedBytes()).as("bytes moved").isPositive();
      engine.settle();
      assertThat((double) engine.files.directory().usedBytes())
          .as("settled, seed %d", SEED)
          .isLessThanOrEqualTo(limit + SLACK_BYTES);
      check(engine);
      engine.verify(VerifyListener.NONE).throwIfDamaged();
    }
  }

  /** The values that running jobs are about to write. */
  private static long inFlightBytes() {
    return PolicySettings.DEFAULT.parallelism() * MOVED_BYTES;
  }

  /** The segments of memory components, and the spare ones. */
  private static long logBytes() {
    return 2L * (SEALED_MAX + 1 + SPARE_SEGMENTS) * SEGMENT_BYTES;
  }

  private void sample(Engine engine, double bound) {
    // One of the two writers checks the space whenever a sample's worth of bytes was written.
    long now = written.get();
    if (now >= SAMPLE_BYTES && written.compareAndSet(now, now - SAMPLE_BYTES)) {
      long used = engine.files.directory().usedBytes();
      assertThat((double) used).as("seed %d", SEED).isLessThanOrEqualTo(bound);
    }
  }

  private static int valueBytes(int key) {
    int more = (int) (key * 2_654_435_761L % (VALUE_BYTES_MAX - VALUE_BYTES_MIN + 1));
    return VALUE_BYTES_MIN + more;
  }

  private static byte[] key(int number) {
    return ByteBuffer.allocate(16).putInt(number).array();
  }

  private static int entryBytes(int key) {
    return key(key).length + valueBytes(key);
  }

  private int put(Engine engine, int number) {
    byte[] key = key(number);
    byte[] value = new byte[valueBytes(number)];
    System.arraycopy(key, 0, value, 0, key.length);
    engine.put(WriteScratch.of(PREFIX, key, 0, key.length), value, 0, value.length, Durability.OS);
    written.addAndGet(key.length + value.length);
    return key.length + value.length;
  }

  private static void check(Engine engine) {
    for (int i = 0; i < KEYS; i++) {
      byte[] key = key(i);
      assertThat(engine.get(PREFIX, key, 0, key.length)).hasSize(valueBytes(i)).startsWith(key);
    }
  }
}
