// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.github.rlsm.hbase.config.MembufferSettings;
import io.github.rlsm.hbase.config.StoreSettings;
import io.github.rlsm.hbase.files.StoreFileSet;
import io.github.rlsm.hbase.memstore.MembufferMemStore;
import io.github.rlsm.proof.Proof;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Scan.ReadType;
import org.apache.hadoop.hbase.regionserver.DefaultStoreEngine;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Applies the same random operations to a region with this engine and to a region with HBase's
 * engine. Both must return the same cells, regardless of flushes, compactions, reopenings and
 * engine switches.
 *
 * <p>Replay with {@code -Drlsm.seed=N}; {@code -Drlsm.hbase.operations=N} makes runs longer.
 */
@RunsHBase
class EngineModelTest {
  private static final int OPERATIONS = Proof.count("hbase.operations", 800);
  private static final String OURS = RlsmStoreEngine.class.getName();
  private static final String HBASE = DefaultStoreEngine.class.getName();

  @TempDir
  private java.nio.file.Path folder;

  private final long seed = Long.getLong("rlsm.seed", System.currentTimeMillis());
  private final Random random = new Random(seed);
  private final AtomicLong clock = new AtomicLong(1_000_000);
  private boolean ownEngine = true;
  private int partitionsSeen;
  private int valueFilesSeen;
  private int mergedFilesSeen;

  @BeforeEach
  void stopTheClock() {
    EnvironmentEdgeManager.injectEdge(clock::get);
  }

  @AfterEach
  void resetTheClock() {
    EnvironmentEdgeManager.reset();
  }

  @ParameterizedTest
  @EnumSource
  void answersAsHBaseDoes(Family family) throws IOException {
    runBoth(family, Map.of());
  }

  /** The Membuffer is small, so that it fills up and is drained in the background. */
  @ParameterizedTest
  @EnumSource
  void answersAsHBaseDoesWithAMembuffer(Family family) throws IOException {
    runBoth(
        family,
        Map.of(
            HStore.MEMSTORE_CLASS_NAME,
            MembufferMemStore.class.getName(),
            MembufferSettings.CELLS,
            "16"));
  }

  /** Values of 60 bytes and more are separated from the compacted files; some expire. */
  @ParameterizedTest
  @EnumSource
  void answersAsHBaseDoesWithSeparatedValues(Family family) throws IOException {
    runBoth(family, Map.of(StoreSettings.SEPARATED_BYTES, "60"));
    assertThat(valueFilesSeen).as("value files, seed " + seed).isGreaterThan(3);
    assertThat(mergedFilesSeen).as("merged value files, seed " + seed).isPositive();
  }

  private void runBoth(Family family, Map<String, String> options) throws IOException {
    boolean separated = options.containsKey(StoreSettings.SEPARATED_BYTES);
    RandomCells cells =
        new RandomCells(random, clock, family, separated && family.keepsAllVersions());
    System.out.println("EngineModelTest " + family + " " + options + " seed " + seed);
    try (TestRegion ours = new TestRegion(folder, "ours", OURS, family.descriptor(), options);
        TestRegion theirs = new TestRegion(folder, "theirs", HBASE, family.descriptor())) {
      for (int i = 0; i < OPERATIONS; i++) {
        clock.incrementAndGet();
        if (i == OPERATIONS / 2) {
          divide(ours);
        }
        if (separated && i % (OPERATIONS / 4) == OPERATIONS / 8) {
          manyFlushes(cells, ours, theirs);
        }
        step(cells, ours, theirs);
        if (ownEngine) {
          observe(ours.fileSet());
        }
      }
      ours.reopenWith(OURS);
      for (TestRegion region : List.of(ours, theirs)) {
        region.region().flush(true);
        region.compactEverything();
      }
      compare(ours, theirs, new Scan().setRaw(true).readAllVersions());
      compare(ours, theirs, new Scan().readAllVersions());
      ours.reopenWith(HBASE);
      compare(ours, theirs, new Scan().readAllVersions());
    }
    assertThat(partitionsSeen).as("partitions, seed " + seed).isGreaterThan(3);
    Proof.ran("HBase", "operations of a store compared with HBase's", OPERATIONS);
  }

  /** From here on the store has partitions, regardless of the random operations before. */
  private void divide(TestRegion ours) throws IOException {
    ownEngine = true;
    ours.reopenWith(OURS);
    ours.compactEverything();
    // The next step may change to HBase's engine, which merges all partitions.
    observe(ours.fileSet());
  }

  private void observe(StoreFileSet files) {
    partitionsSeen = Math.max(partitionsSeen, files.layout().partitions().size());
    valueFilesSeen = Math.max(valueFilesSeen, files.now().values().values().size());
  }

  private void step(RandomCells cells, TestRegion ours, TestRegion theirs) throws IOException {
    int choice = random.nextInt(1_000);
    if (choice < 700) {
      put(cells, ours, theirs);
    } else if (choice < 800) {
      Supplier<Delete> delete = cells.delete();
      ours.region().delete(delete.get());
      theirs.region().delete(delete.get());
    } else if (choice < 860) {
      byte[] row = cells.row();
      byte[] column = Bytes.toBytes("n");
      Increment increment = new Increment(row).addColumn(TestRegion.FAMILY, column, 3);
      ours.region().increment(new Increment(increment));
      theirs.region().increment(increment);
    } else if (choice < 880) {
      Append append = new Append(cells.row())
          .addColumn(TestRegion.FAMILY, Bytes.toBytes("a"), Bytes.toBytes("x"));
      ours.region().append(new Append(append));
      theirs.region().append(append);
    } else if (choice < 960) {
      compare(ours, theirs, cells.scan());
    } else {
      rearrange(random.nextBoolean() ? ours : theirs, ours);
    }
  }

  private static void put(RandomCells cells, TestRegion ours, TestRegion theirs)
      throws IOException {
    Supplier<Put> put = cells.put();
    ours.region().put(put.get());
    theirs.region().put(put.get());
  }

  /** Makes enough flushes that value files are merged. */
  private void manyFlushes(RandomCells cells, TestRegion ours, TestRegion theirs)
      throws IOException {
    ownEngine = true;
    ours.reopenWith(OURS);
    for (int i = 0; i < 9; i++) {
      for (int j = 0; j < 20; j++) {
        clock.incrementAndGet();
        put(cells, ours, theirs);
      }
      ours.region().flush(true);
    }
    compare(ours, theirs, cells.scan());
    for (int i = 0; i < 30 && ours.store().needsCompaction(); i++) {
      ours.region().compact(false);
    }
    compare(ours, theirs, cells.scan());
    mergedFilesSeen += (int) ours.store().getStorefiles().stream()
        .filter(file -> file.getMetadataValue(StoreFileSet.FORMER_KEY) != null)
        .count();
  }

  private void compare(TestRegion ours, TestRegion theirs, Scan scan) throws IOException {
    ReadType readers = ReadType.values()[random.nextInt(ReadType.values().length)];
    List<String> found = new ArrayList<>(ours.read(new Scan(scan).setReadType(readers)));
    List<String> expected = new ArrayList<>(theirs.read(new Scan(scan)));
    if (!found.equals(expected)) {
      List<String> all = List.copyOf(found);
      found.removeAll(expected);
      expected.removeAll(all);
      fail(
          "seed %d, at %d, own engine %s: %s%nonly ours: %s%nonly HBase's: %s%n"
              + "(both empty: the order differs)",
          seed, clock.get(), ownEngine, scan, found, expected);
    }
  }

  private void rearrange(TestRegion region, TestRegion ours) throws IOException {
    switch (random.nextInt(12)) {
      case 0 -> region.region().compact(true);
      case 1 -> region.reopen();
      case 2 -> {
        ownEngine = !ownEngine;
        ours.reopenWith(ownEngine ? OURS : HBASE);
      }
      case 3, 4, 5 -> region.region().compact(false);
      default -> {
        region.region().flush(true);
        region.region().compact(false);
      }
    }
  }

  @Test
  void scansThatStartBeyondAllFilesAreCorrect() throws IOException {
    try (TestRegion ours =
        new TestRegion(folder, "beyond", OURS, Family.ALL_VERSIONS.descriptor())) {
      ours.region()
          .put(new Put(Bytes.toBytes("m"))
              .addColumn(TestRegion.FAMILY, TestRegion.FAMILY, new byte[1]));
      ours.region().flush(true);
      assertThat(ours.read(new Scan().setReversed(true).withStartRow(Bytes.toBytes("z"))))
          .hasSize(1);
      assertThat(ours.read(new Scan().withStartRow(Bytes.toBytes("n")))).isEmpty();
    }
  }
}
