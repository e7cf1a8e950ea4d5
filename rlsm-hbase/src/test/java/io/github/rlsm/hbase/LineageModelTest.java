// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.github.rlsm.hbase.config.StoreSettings;
import io.github.rlsm.hbase.files.StoreFileSet;
import io.github.rlsm.proof.Proof;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.DefaultStoreEngine;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Applies random operations to regions with separated values, and to one undivided region with
 * HBase's engine. The first ones are split, merged and cloned, and change engines and the option.
 * Together they must return the same cells as the undivided region.
 *
 * <p>Replay with {@code -Drlsm.seed=N}; {@code -Drlsm.hbase.lineage=N} makes runs longer.
 */
@RunsHBase
class LineageModelTest {

  private static final int OPERATIONS = Proof.count("hbase.lineage", 150);
  private static final int REGIONS_MAX = 4;
  private static final String OURS = RlsmStoreEngine.class.getName();
  private static final String HBASE = DefaultStoreEngine.class.getName();
  private static final String LARGE = "60";

  @TempDir
  private java.nio.file.Path folder;

  private final long seed = Long.getLong("rlsm.seed", System.currentTimeMillis());
  private final Random random = new Random(seed);
  private final AtomicLong clock = new AtomicLong(1_000_000);
  /** In row order. */
  private final List<TestRegion> ours = new ArrayList<>();

  private int clones;
  private int halvesOfKeyFiles;
  private int halvesOfOthers;
  private int linkedKeyFiles;
  private int linkedValueFiles;
  private int mergedFiles;

  @BeforeEach
  void stopTheClock() {
    EnvironmentEdgeManager.injectEdge(clock::get);
  }

  @AfterEach
  void closeRegionsAndResetTheClock() throws IOException {
    for (TestRegion region : ours) {
      region.close();
    }
    EnvironmentEdgeManager.reset();
  }

  @ParameterizedTest
  @EnumSource
  void regionsAnswerAsOneThatStaysWhole(Family family) throws IOException {
    System.out.println("LineageModelTest " + family + " seed " + seed);
    RandomCells cells = new RandomCells(random, clock, family, family.keepsAllVersions());
    Map<String, String> options = Map.of(StoreSettings.SEPARATED_BYTES, LARGE);
    ours.add(new TestRegion(folder, "ours", OURS, family.descriptor(), options));
    try (TestRegion theirs = new TestRegion(folder, "theirs", HBASE, family.descriptor())) {
      for (int i = 0; i < OPERATIONS; i++) {
        clock.incrementAndGet();
        if (i == OPERATIONS / 2) {
          everyKindOfFile(cells, theirs);
        }
        step(cells, theirs);
      }
      finish(family, theirs);
    }
    String message = "seed " + seed;
    assertThat(halvesOfKeyFiles).as("halves of key files, %s", message).isPositive();
    assertThat(halvesOfOthers).as("halves of other files, %s", message).isPositive();
    assertThat(linkedKeyFiles).as("linked key files in use, %s", message).isPositive();
    assertThat(mergedFiles).as("merged value files, %s", message).isPositive();
    assertThat(linkedValueFiles).as("linked value files in use, %s", message).isPositive();
    Proof.ran("HBase", "operations of split and merged regions compared with HBase's", OPERATIONS);
  }

  /**
   * Creates halves and links of key files and of value files, regardless of the random operations.
   */
  private void everyKindOfFile(RandomCells cells, TestRegion theirs) throws IOException {
    while (ours.size() > 1) {
      merge(0);
    }
    ours.get(0).reopenWith(OURS);
    ours.get(0).reopenWithOption(StoreSettings.SEPARATED_BYTES, LARGE);
    ownFiles(ours.get(0));
    manyFlushes(cells, theirs);
    put(cells, theirs, 100);
    for (int row = 150; ours.size() == 1; row++) {
      split(0, row(row));
    }
    manyFlushes(cells, theirs);
    merge(0);
    ownFiles(ours.get(0));
    put(cells, theirs, 100);
    cloneAll();
    compare(theirs, new Scan());
  }

  /** Makes enough flushes that existing value files are merged. */
  private void manyFlushes(RandomCells cells, TestRegion theirs) throws IOException {
    for (int i = 0; i < 9; i++) {
      put(cells, theirs, 40);
      for (TestRegion region : ours) {
        region.region().flush(true);
      }
    }
    for (TestRegion region : ours) {
      for (int i = 0; i < 30 && region.store().needsCompaction(); i++) {
        region.region().compact(false);
      }
      mergedFiles += (int) region.store().getStorefiles().stream()
          .filter(file -> file.getMetadataValue(StoreFileSet.FORMER_KEY) != null)
          .count();
    }
  }

  private void finish(Family family, TestRegion theirs) throws IOException {
    compare(theirs, new Scan().readAllVersions());
    for (TestRegion region : ours) {
      region.reopenWithOption(StoreSettings.SEPARATED_BYTES, "0");
      compactEverything(region);
      assertThat(shadowsIn(region)).as("files with shadows, seed %s", seed).isZero();
    }
    compactEverything(theirs);
    compare(theirs, new Scan().readAllVersions());
    if (family != Family.KEEPS_DELETED) {
      // With this family, the oldest put of a whole store decides which deletes are kept.
      compare(theirs, new Scan().setRaw(true).readAllVersions());
    }
  }

  private static long shadowsIn(TestRegion region) {
    return region.store().getStorefiles().stream()
        .filter(file -> file.getMetadataValue(StoreFileSet.VALUES_KEY) != null)
        .count();
  }

  private void step(RandomCells cells, TestRegion theirs) throws IOException {
    int choice = random.nextInt(1_000);
    if (choice < 700) {
      put(cells, theirs, 1);
    } else if (choice < 790) {
      Supplier<Delete> delete = cells.delete();
      regionOf(delete.get().getRow()).region().delete(delete.get());
      theirs.region().delete(delete.get());
    } else if (choice < 870) {
      compare(theirs, cells.scan());
    } else if (choice < 970) {
      rearrange(random.nextInt(ours.size()), cells, theirs);
    } else {
      if (random.nextBoolean()) {
        theirs.region().flush(true);
      }
      theirs.region().compact(random.nextInt(4) == 0);
    }
  }

  private void put(RandomCells cells, TestRegion theirs, int puts) throws IOException {
    for (int i = 0; i < puts; i++) {
      clock.incrementAndGet();
      Supplier<Put> put = cells.put();
      regionOf(put.get().getRow()).region().put(put.get());
      theirs.region().put(put.get());
    }
  }

  private TestRegion regionOf(byte[] row) {
    return ours.stream()
        .filter(region -> region.region().getRegionInfo().containsRow(row))
        .findFirst()
        .orElseThrow();
  }

  private void rearrange(int index, RandomCells cells, TestRegion theirs) throws IOException {
    TestRegion region = ours.get(index);
    switch (random.nextInt(20)) {
      case 0 -> region.reopen();
      case 1 ->
        region.reopenWith(region.engine().equals(OURS) && random.nextBoolean() ? HBASE : OURS);
      case 2 ->
        region.reopenWithOption(
            StoreSettings.SEPARATED_BYTES, random.nextInt(3) == 0 ? "0" : LARGE);
      case 3 -> region.region().compact(true);
      case 4, 5 -> split(index, cut(region));
      case 6 -> merge(index);
      case 7 -> cloneAll();
      case 8 -> manyFlushes(cells, theirs);
      case 9, 10 -> region.region().compact(false);
      default -> {
        region.region().flush(true);
        region.region().compact(false);
      }
    }
  }

  /** Returns HBase's split point or a random row. */
  private byte[] cut(TestRegion region) throws IOException {
    byte[] anywhere = row(random.nextInt(300));
    return random.nextBoolean() ? region.store().getSplitPoint().orElse(anywhere) : anywhere;
  }

  private static byte[] row(int number) {
    return Bytes.toBytes(String.format(Locale.ROOT, "r%04d", number));
  }

  private void split(int index, byte[] row) throws IOException {
    TestRegion parent = ours.get(index);
    RegionInfo rows = parent.region().getRegionInfo();
    boolean inside = rows.containsRow(row) && Bytes.compareTo(row, rows.getStartKey()) > 0;
    if (ours.size() == REGIONS_MAX || !inside) {
      return;
    }
    ownFiles(parent);
    if (!Lineage.mayBeSplit(parent, row)) {
      return;
    }
    List<TestRegion> daughters = Lineage.split(parent, row);
    ours.remove(index);
    ours.addAll(index, daughters);
    parent.close();
    daughters.forEach(this::count);
  }

  private void merge(int left) throws IOException {
    if (left + 1 == ours.size()) {
      return;
    }
    TestRegion first = ours.get(left);
    TestRegion second = ours.get(left + 1);
    ownFiles(first);
    ownFiles(second);
    TestRegion merged = Lineage.merge(first, second);
    ours.set(left, merged);
    ours.remove(left + 1);
    first.close();
    second.close();
    count(merged);
  }

  /**
   * Clones all regions into another table. The original regions are then compacted, and their files
   * are archived.
   */
  private void cloneAll() throws IOException {
    TableName table = TableName.valueOf("clone" + clones++);
    for (int i = 0; i < ours.size(); i++) {
      TestRegion region = ours.get(i);
      ownFiles(region);
      ours.set(i, Lineage.cloned(region, table));
      region.open();
      compactEverything(region);
      region.close();
      count(ours.get(i));
    }
  }

  /**
   * HBase waits for this before it splits or merges a region that was split or merged before. A
   * compaction empties a half of a value file for one partition. So there may be as many
   * compactions as files.
   */
  private void ownFiles(TestRegion region) throws IOException {
    int compactionsMax = Math.max(10, region.store().getStorefiles().size());
    for (int i = 0; i < compactionsMax && region.region().hasReferences(); i++) {
      region.region().compact(false);
      region.store().closeAndArchiveCompactedFiles();
    }
    assertThat(region.region().hasReferences()).as("references, seed %s", seed).isFalse();
  }

  private static void compactEverything(TestRegion region) throws IOException {
    region.region().flush(true);
    if (!region.store().getStorefiles().isEmpty()) {
      region.compactEverything();
    }
  }

  private void count(TestRegion region) {
    for (HStoreFile file : region.store().getStorefiles()) {
      if (file.isReference()) {
        boolean keys = file.getMetadataValue(StoreFileSet.VALUES_KEY) != null;
        halvesOfKeyFiles += keys ? 1 : 0;
        halvesOfOthers += keys ? 0 : 1;
      }
    }
    if (region.store().getStoreEngine().getStoreFileManager() instanceof StoreFileSet files) {
      linkedKeyFiles += (int) files.now().values().keys().stream()
          .filter(file -> file.getFileInfo().isLink())
          .count();
      linkedValueFiles += (int) files.now().values().values().values().stream()
          .filter(value -> value.file().getFileInfo().isLink())
          .count();
    }
  }

  private void compare(TestRegion theirs, Scan scan) throws IOException {
    List<String> found = new ArrayList<>();
    for (int i = 0; i < ours.size(); i++) {
      TestRegion next = ours.get(scan.isReversed() ? ours.size() - 1 - i : i);
      found.addAll(next.read(new Scan(scan)));
    }
    List<String> expected = new ArrayList<>(theirs.read(new Scan(scan)));
    if (!found.equals(expected)) {
      List<String> all = List.copyOf(found);
      found.removeAll(expected);
      expected.removeAll(all);
      fail(
          "seed %d, at %d: %s%nonly ours: %s%nonly HBase's: %s%n(both empty: the order differs)",
          seed, clock.get(), scan, found, expected);
    }
  }
}
