// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.hbase.config.StoreSettings;
import io.github.rlsm.hbase.files.StoreFileSet.Moment;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionContext;
import org.apache.hadoop.hbase.regionserver.throttle.NoLimitThroughputController;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The daughters of a split region use its key files and rewrite its values by partition. */
@RunsHBase
class SplitValuesTest {

  private static final int ROWS = 80;
  private static final int VALUE_BYTES = 10_000;

  @TempDir
  private Path folder;

  private final Random random = new Random(1);

  private void flush(TestRegion region, int every) throws IOException {
    for (int i = 0; i < ROWS; i += every) {
      byte[] value = new byte[VALUE_BYTES];
      random.nextBytes(value);
      byte[] row = Bytes.toBytes(String.format(Locale.ROOT, "r%02d", i));
      region
          .region()
          .put(new Put(row)
              .setDurability(Durability.SKIP_WAL)
              .addColumn(TestRegion.FAMILY, TestRegion.FAMILY, value));
    }
    region.region().flush(true);
  }

  private static Moment now(TestRegion region) {
    return region.fileSet().now();
  }

  @Test
  void daughtersReadKeyFilesAndEmptyHalvesOfValueFilesByPartition() throws IOException {
    Map<String, String> options =
        Map.of(StoreSettings.SEPARATED_BYTES, "1000", StoreSettings.PARTITION_BYTES, "200000");
    try (TestRegion parent = new TestRegion(
        folder,
        "parent",
        RlsmStoreEngine.class.getName(),
        ColumnFamilyDescriptorBuilder.of(TestRegion.FAMILY),
        options)) {
      flush(parent, 1);
      parent.compactEverything();
      flush(parent, 2);
      flush(parent, 3);
      List<String> lines = parent.read(new Scan());
      List<byte[]> bounds = now(parent).layout().bounds();
      assertThat(bounds).hasSizeGreaterThan(2);
      List<String> found = new ArrayList<>();
      for (TestRegion daughter : Lineage.split(parent, bounds.get(bounds.size() / 2))) {
        try (daughter) {
          found.addAll(check(daughter));
        }
      }
      assertThat(found).isEqualTo(lines);
      parent.open();
    }
  }

  private static List<String> check(TestRegion daughter) throws IOException {
    Moment first = now(daughter);
    assertThat(first.values().keys()).isNotEmpty();
    assertThat(first.values().stale()).isEmpty();
    assertThat(first.layout().files())
        .as("files that scans read")
        .noneMatch(shape -> shape.file().isReference());
    assertThat(first.values().values().values()).anyMatch(value -> value.file().isReference());
    List<String> lines = daughter.read(new Scan());
    int partitions = first.layout().partitions().size();
    long most = 0;
    int compactions = 0;
    Optional<CompactionContext> due = daughter.store().requestCompaction();
    while (due.isPresent()) {
      Set<HStoreFile> before = Set.copyOf(now(daughter).files());
      daughter.region().compact(due.get(), daughter.store(), NoLimitThroughputController.INSTANCE);
      assertThat(daughter.read(new Scan())).isEqualTo(lines);
      most = Math.max(most, bytesBeside(now(daughter), before));
      compactions++;
      due = daughter.store().getCompactPriority() <= 0
          ? daughter.store().requestCompaction()
          : Optional.empty();
    }
    assertThat(compactions).isBetween(2, partitions);
    daughter.store().closeAndArchiveCompactedFiles();
    assertThat(daughter.store().hasReferences()).isFalse();
    assertThat(most).isLessThan((long) ROWS / 2 * VALUE_BYTES * 2 / 3);
    daughter.reopen();
    assertThat(daughter.read(new Scan())).isEqualTo(lines);
    return lines;
  }

  /** The size of the files that were not there before. */
  private static long bytesBeside(Moment now, Set<HStoreFile> before) {
    return now.files().stream()
        .filter(file -> !before.contains(file))
        .collect(Collectors.summingLong(file -> file.getReader().length()));
  }
}
