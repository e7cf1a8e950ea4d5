// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.hbase.config.StoreSettings;
import io.github.rlsm.hbase.files.StoreFileSet.Moment;
import io.github.rlsm.hbase.values.ValueSpace;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionContext;
import org.apache.hadoop.hbase.regionserver.throttle.NoLimitThroughputController;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The space of dead and expired values. */
@RunsHBase
class SpaceBoundTest {

  private static final int FLUSHES = 20;
  private static final int ROWS = 40;
  private static final int FLUSH_ROWS = ROWS / 4;
  private static final int VALUE_BYTES = 10_000;
  private static final int LIFETIME_SECONDS = 1_000;

  @TempDir
  private Path folder;

  private final Random random = new Random(1);

  @AfterEach
  void resetTime() {
    EnvironmentEdgeManager.reset();
  }

  /** Separated values, and so few files over a row that every flush makes a compaction due. */
  private static Map<String, String> options(int partitionBytes) {
    return Map.of(
        StoreSettings.SEPARATED_BYTES,
        "1000",
        StoreSettings.PARTITION_BYTES,
        Integer.toString(partitionBytes),
        StoreSettings.ROW_FILES,
        "2");
  }

  private TestRegion region(String name, Map<String, String> options, int lifetimeSeconds)
      throws IOException {
    return new TestRegion(
        folder,
        name,
        RlsmStoreEngine.class.getName(),
        ColumnFamilyDescriptorBuilder.newBuilder(TestRegion.FAMILY)
            .setTimeToLive(lifetimeSeconds)
            .build(),
        options);
  }

  private void put(TestRegion region, int row) throws IOException {
    byte[] value = new byte[VALUE_BYTES];
    random.nextBytes(value);
    byte[] key = Bytes.toBytes(String.format(Locale.ROOT, "r%02d", row));
    region
        .region()
        .put(new Put(key)
            .setDurability(Durability.SKIP_WAL)
            .addColumn(TestRegion.FAMILY, TestRegion.FAMILY, value));
  }

  private void flush(TestRegion region, int fromRow, int toRow) throws IOException {
    for (int row = fromRow; row < toRow; row++) {
      put(region, row);
    }
    region.region().flush(true);
  }

  /**
   * Runs compactions as HBase's server does after a flush: one, and more only while the store's
   * priority asks for them.
   */
  private static void compact(TestRegion region) throws IOException {
    Optional<CompactionContext> due = region.store().requestCompaction();
    while (due.isPresent()) {
      region.region().compact(due.get(), region.store(), NoLimitThroughputController.INSTANCE);
      due = region.store().getCompactPriority() <= 0
          ? region.store().requestCompaction()
          : Optional.empty();
    }
  }

  private static Moment now(TestRegion region) {
    return region.fileSet().now();
  }

  /** A store in which every flush makes a merge due, so that there is never nothing else to do. */
  @Test
  void constantOverwritingLeavesNoMoreDeadValuesThanAllowed() throws IOException {
    Map<String, String> options = options(200_000);
    try (TestRegion region = region("bound", options, Integer.MAX_VALUE)) {
      int due = 0;
      for (int i = 0; i < FLUSHES; i++) {
        for (int j = 0; j < FLUSH_ROWS; j++) {
          put(region, random.nextInt(ROWS));
        }
        region.region().flush(true);
        due += region.store().needsCompaction() ? 1 : 0;
        compact(region);
        ValueSpace space = now(region).values().space();
        assertThat(space.dead())
            .as("flush %d: %s", i, space)
            .isLessThanOrEqualTo(space.live() + space.keys());
      }
      assertThat(due).isGreaterThanOrEqualTo(FLUSHES - 2);
      assertThat(region.read(new Scan())).hasSize(ROWS);
    }
  }

  /** Here too every flush makes a merge of key files due. */
  @Test
  void constantLoadLeavesFewSmallValueFiles() throws IOException {
    Map<String, String> options = options(10_000_000);
    try (TestRegion region = region("files", options, Integer.MAX_VALUE)) {
      int due = 0;
      for (int i = 0; i < FLUSHES; i++) {
        flush(region, i, i + 1);
        due += region.store().needsCompaction() ? 1 : 0;
        compact(region);
        assertThat(now(region).values().values()).as("flush %d", i).hasSizeLessThanOrEqualTo(16);
      }
      assertThat(due).isGreaterThanOrEqualTo(FLUSHES - 2);
      assertThat(region.read(new Scan())).hasSize(FLUSHES);
    }
  }

  @Test
  void expiredValuesAreRemovedWithoutAnyRewrite() throws IOException {
    Map<String, String> options = Map.of(StoreSettings.SEPARATED_BYTES, "1000");
    try (TestRegion region = region("expired", options, LIFETIME_SECONDS)) {
      flush(region, 0, 10);
      flush(region, 10, 20);
      List<HStoreFile> old = now(region).files();
      assertThat(old).hasSize(4);
      passHalfALifetime();
      flush(region, 15, 25);
      passHalfALifetime();
      assertThat(region.store().requestCompaction()).isEmpty();
      assertThat(now(region).files()).hasSize(2).doesNotContainAnyElementsOf(old);
      assertThat(region.read(new Scan())).hasSize(10);
      region.reopen();
      assertThat(region.read(new Scan())).hasSize(10);
    }
  }

  /** A key file with shadows of expired and of live values is rewritten; no value is. */
  @Test
  void valuesThatExpireBesideOthersAreNotRewritten() throws IOException {
    Map<String, String> options = options(10_000_000);
    try (TestRegion region = region("beside", options, LIFETIME_SECONDS)) {
      flush(region, 0, 10);
      HStoreFile old = now(region).values().values().values().iterator().next().file();
      passHalfALifetime();
      flush(region, 5, 15);
      flush(region, 12, 15);
      region.region().compact(false);
      assertThat(now(region).values().keys()).hasSize(1);
      assertThat(now(region).values().values()).hasSize(3);
      passHalfALifetime();
      List<HStoreFile> before = now(region).files();
      CompactionContext due = region.store().requestCompaction().orElseThrow();
      region.region().compact(due, region.store(), NoLimitThroughputController.INSTANCE);
      assertThat(now(region).values().values()).hasSize(2);
      assertThat(now(region).files()).doesNotContain(old).hasSize(3);
      assertThat(now(region).files())
          .filteredOn(file -> !before.contains(file))
          .allMatch(file -> file.getReader().length() < VALUE_BYTES);
      assertThat(region.read(new Scan())).hasSize(10);
    }
  }

  private static void passHalfALifetime() {
    long then = EnvironmentEdgeManager.currentTime() + LIFETIME_SECONDS * 1_000L / 2 + 1;
    EnvironmentEdgeManager.injectEdge(() -> then);
  }
}
