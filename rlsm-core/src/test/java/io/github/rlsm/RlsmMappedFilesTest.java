// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.io.FilterDirectory;
import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.io.StoreDirectory;
import io.github.rlsm.kv.KvIterator;
import io.github.rlsm.kv.KvReader;
import io.github.rlsm.kv.ScanOptions;
import io.github.rlsm.kv.Snapshot;
import io.github.rlsm.kv.Stats;
import io.github.rlsm.kv.TestBytes;
import io.github.rlsm.os.OsDirectory;
import io.github.rlsm.proof.Proof;
import io.github.rlsm.thread.Environment;
import io.github.rlsm.thread.ThreadScheduler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests a store with more files than the mapping limit: few files are mapped, and all are readable.
 */
@Tag("optimized")
class RlsmMappedFilesTest {

  private static final int KEYS = 1500;
  private static final int MAPPED_MAX = 12;

  private static byte[] key(int i) {
    return TestBytes.bytes("key" + (10_000 + i));
  }

  private static byte[] value(int i) {
    return TestBytes.random(i, 20 + i % 400);
  }

  private static void fill(RlsmStore store) {
    for (int i = 0; i < KEYS; i++) {
      store.put(key(i * 7 % KEYS), value(i * 7 % KEYS));
    }
    store.flush();
  }

  private static void check(KvReader reader, int i) {
    assertThat(reader.get(key(i))).as("key %d", i).isEqualTo(value(i));
  }

  private static int scan(KvReader reader) {
    int count = 0;
    try (KvIterator it = reader.scan(ScanOptions.all())) {
      while (it.next()) {
        assertThat(it.value()).isEqualTo(value(count));
        count++;
      }
    }
    return count;
  }

  @ParameterizedTest
  @EnumSource(
      value = TinyOptions.class,
      names = {"COPYING", "SEPARATING", "MIXED", "LZ4"})
  void fewFilesAreMapped(TinyOptions options) {
    SimulatedDirectory directory = options.directory();
    directory.mappingsMax(MAPPED_MAX);
    try (RlsmStore store =
        RlsmStore.open(directory, options.options(), InlineScheduler.environment(1))) {
      fill(store);
      for (int i = 0; i < KEYS; i++) {
        check(store, i);
        assertThat(directory.mappedReadOnly()).isLessThanOrEqualTo(MAPPED_MAX + 2);
      }
      assertThat(store.stats().resources().mappings().open()).isLessThanOrEqualTo(MAPPED_MAX + 2);
      assertThat(store.stats().resources().mappings().max()).isEqualTo(MAPPED_MAX);
      try (Snapshot then = store.snapshot()) {
        store.delete(key(0));
        assertThat(scan(then)).isEqualTo(KEYS);
        for (int i = 0; i < KEYS; i += 3) {
          check(then, i);
          check(store, 1 + i);
        }
      }
      store.put(key(0), value(0));
      store.settle();
      store.verify();
      assertThat(scan(store)).isEqualTo(KEYS);
      store.collect();
      assertThat(scan(store)).isEqualTo(KEYS);
      assertThat(directory.mappedReadOnly()).isLessThanOrEqualTo(MAPPED_MAX + 2);
    }
    assertThat(directory.openHandles()).isEmpty();
  }

  /** The limit on mapped files assumes this number. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void aFileTakesTwoMappingsAtMost(@TempDir Path directory) throws IOException {
    try (RlsmStore store = RlsmStore.open(directory, TinyOptions.MIXED.options())) {
      fill(store);
      assertThat(scan(store)).isEqualTo(KEYS);
      Map<String, Long> mappings;
      try (Stream<String> lines = Files.lines(Path.of("/proc/self/maps"))) {
        mappings = lines
            .filter(line -> line.contains(directory.toString() + "/"))
            .map(line -> line.substring(line.lastIndexOf('/') + 1))
            .collect(Collectors.groupingBy(name -> name, Collectors.counting()));
      }
      assertThat(mappings).hasSizeGreaterThan(20);
      assertThat(mappings.values()).allMatch(count -> count <= 2);
      assertThat(store.stats().resources().mappings().open()).isBetween(1L, (long) mappings.size());
    }
  }

  /** A directory that always reports too many mapped files, so that each open unmaps others. */
  private static final class Crowded extends FilterDirectory {

    Crowded(StoreDirectory real) {
      super(real);
    }

    @Override
    public long mappingsLeft() {
      return -1;
    }
  }

  /**
   * Uses real mappings: a read of an unmapped file kills the JVM, or throws on JDK 22 and later.
   */
  @Test
  void noReaderMeetsAnUnmappedFile(@TempDir Path directory) throws Exception {
    int reads = Proof.count("mapped.reads", 40_000);
    long seed = Proof.seed("mapped");
    Environment environment = new Environment(
        System::nanoTime, new SplittableRandom(seed), new ThreadScheduler("mapped", 2));
    try (RlsmStore store = RlsmStore.open(
        new Crowded(OsDirectory.create(directory)), TinyOptions.MIXED.options(), environment)) {
      fill(store);
      SplittableRandom seeds = new SplittableRandom(seed);
      Crew crew = new Crew();
      for (int thread = 0; thread < 3; thread++) {
        SplittableRandom random = seeds.split();
        crew.add(1, () -> {
          for (int i = 0; i < reads / 3; i++) {
            check(store, random.nextInt(KEYS));
            if (i % 1000 == 0) {
              assertThat(scan(store)).isEqualTo(KEYS);
              try (Snapshot then = store.snapshot()) {
                check(then, random.nextInt(KEYS));
              }
            }
          }
        });
      }
      crew.add(1, () -> {
        for (int i = 0; i < reads / 20; i++) {
          int number = i % KEYS;
          store.put(key(number), value(number)); // the same, for new tables
        }
      });
      crew.run();
      store.settle();
      store.verify();
      Stats.Mappings mappings = store.stats().resources().mappings();
      assertThat(mappings.max()).as("%s", mappings).isGreaterThan(1000);
      assertThat(mappings.open()).isPositive().isLessThan(mappings.max());
    }
    Proof.ran("T13", "reads while files are unmapped", reads);
  }
}
