// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rlsm.background.BackgroundWork;
import io.github.rlsm.background.StoreFiles;
import io.github.rlsm.background.StoreMemory;
import io.github.rlsm.base.KeyRange;
import io.github.rlsm.io.CrashStyle;
import io.github.rlsm.io.MappedFile;
import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.io.StoreDirectory;
import io.github.rlsm.kv.Durability;
import io.github.rlsm.kv.StoreFailedException;
import io.github.rlsm.logdevice.DirectLog;
import io.github.rlsm.memory.MemoryComponent;
import io.github.rlsm.memory.MemoryComponent.MemtableStructure;
import io.github.rlsm.policy.CollectSettings;
import io.github.rlsm.policy.PolicySettings;
import io.github.rlsm.policy.StallPolicy;
import io.github.rlsm.read.Scan;
import io.github.rlsm.read.Scans;
import io.github.rlsm.read.SnapshotHandle;
import io.github.rlsm.table.TableWriter;
import io.github.rlsm.thread.Environment;
import io.github.rlsm.thread.ThreadScheduler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A record gets a place in the log but cannot be stored there. The store then refuses writes and
 * serves reads.
 */
@Tag("optimized")
class ReadsAfterFailureTest {

  private static final byte[] PREFIX = {0};
  private static final Scans.Request ALL =
      new Scans.Request(KeyRange.ALL, false, Long.MAX_VALUE, false);
  private static final int SEGMENT_BYTES = 1 << 13;
  private static final int MISSING_BYTES = 96;
  private static final EngineOpening.Settings SETTINGS = new EngineOpening.Settings(
      new StoreFiles.Settings(TableWriter.Settings.DEFAULT, 1 << 20, 0, true, 1 << 20),
      new StoreMemory.Settings(
          SEGMENT_BYTES,
          1 << 20,
          new MemoryComponent.Shape(MemtableStructure.SORTED_RUNS, 300, 16, 1),
          3),
      new BackgroundWork.Settings(
          PolicySettings.DEFAULT,
          CollectSettings.DEFAULT,
          new StallPolicy.Limits(1000, 1000, 1L << 40, 0.9, 1 << 30, 0),
          Long.MAX_VALUE),
      DirectLog.Settings.NONE,
      Map.of());

  private static Engine open(StoreDirectory directory) {
    return Engine.open(
        directory,
        SETTINGS,
        new Environment(() -> 0, new SplittableRandom(1), new ThreadScheduler("test", 1)));
  }

  /**
   * Returns a directory whose new files have less memory than their length: a store to the last
   * bytes fails.
   */
  private static StoreDirectory withShortMemory(StoreDirectory real) {
    return (StoreDirectory) Proxy.newProxyInstance(
        StoreDirectory.class.getClassLoader(),
        new Class<?>[] {StoreDirectory.class},
        (proxy, method, arguments) -> {
          Object result = call(real, method, arguments);
          return method.getName().equals("createMapped") ? shortened((MappedFile) result) : result;
        });
  }

  private static MappedFile shortened(MappedFile real) {
    return (MappedFile) Proxy.newProxyInstance(
        MappedFile.class.getClassLoader(),
        new Class<?>[] {MappedFile.class},
        (proxy, method, arguments) -> method.getName().equals("memory")
            ? real.memory().slice(0, real.length() - MISSING_BYTES).order(ByteOrder.LITTLE_ENDIAN)
            : call(real, method, arguments));
  }

  private static Object call(Object target, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(US_ASCII);
  }

  private static void put(Engine engine, String key, String value, Durability durability) {
    byte[] v = bytes(value);
    engine.put(WriteScratch.of(PREFIX, bytes(key), 0, key.length()), v, 0, v.length, durability);
  }

  private static String key(int number) {
    return "key" + (1000 + number);
  }

  private static byte[] get(Engine engine, String key) {
    return engine.get(PREFIX, bytes(key), 0, key.length());
  }

  private static List<String> scan(Engine engine, SnapshotHandle handle) {
    List<String> keys = new ArrayList<>();
    try (Scan scan = engine.scan(handle, ALL)) {
      while (scan.next()) {
        keys.add(new String(scan.key(PREFIX.length), US_ASCII));
      }
    }
    return keys;
  }

  /** Writes until a write fails. Returns the keys of the successful writes. */
  private static List<String> fill(Engine engine) {
    List<String> written = new ArrayList<>();
    String value = "v".repeat(40);
    try {
      while (true) {
        put(engine, key(written.size()), value, Durability.SYNC);
        written.add(key(written.size()));
      }
    } catch (IndexOutOfBoundsException e) {
      return written;
    }
  }

  @Test
  void acknowledgedWritesAreReadableAfterTheFailure() {
    SimulatedDirectory files = new SimulatedDirectory();
    Engine engine = open(withShortMemory(files));
    SnapshotHandle before = engine.snapshot();
    List<String> written = fill(engine);
    String failed = key(written.size());
    assertThat(written).hasSizeGreaterThan(50);

    assertThatThrownBy(() -> put(engine, "later", "x", Durability.BUFFERED))
        .isInstanceOf(StoreFailedException.class)
        .hasCauseInstanceOf(IndexOutOfBoundsException.class);
    assertThat(written).allSatisfy(key -> assertThat(get(engine, key)).isNotNull());
    assertThat(get(engine, failed)).isNull();
    assertThat(scan(engine, engine.snapshot())).isEqualTo(written);
    SnapshotHandle snapshot = engine.snapshot();
    assertThat(engine.get(
            snapshot, PREFIX, bytes(written.get(0)), 0, written.get(0).length()))
        .isNotNull();
    assertThat(scan(engine, engine.share(snapshot))).isEqualTo(written);
    assertThat(scan(engine, before)).isEmpty();
    engine.release(snapshot);
    engine.close();

    for (CrashStyle style : CrashStyle.values()) {
      try (Engine again = open(files.afterCrash(style, 1))) {
        assertThat(scan(again, again.snapshot())).isEqualTo(written);
      }
    }
  }
}
