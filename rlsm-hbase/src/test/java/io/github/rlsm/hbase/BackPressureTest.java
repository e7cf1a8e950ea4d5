// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rlsm.hbase.config.StoreSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionContext;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.throttle.NoLimitThroughputController;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Flushes continue while files are merged, up to a limit. The test evaluates HBase's check before a
 * flush in the middle of a compaction, on the compaction's thread.
 */
@RunsHBase
class BackPressureTest {

  private static final int LIMIT = 6;

  @TempDir
  private Path folder;

  private TestRegion region;
  private int generation;

  /** Opens a store with many partitions, each with one run. */
  @BeforeEach
  void open() throws IOException {
    region = new TestRegion(
        folder,
        "pressed",
        1_024,
        Map.of(
            HStore.BLOCKING_STOREFILES_KEY,
            String.valueOf(LIMIT),
            StoreSettings.ROW_FILES,
            String.valueOf(LIMIT)));
    flush(1_000);
    region.region().compact(true);
    assertThat(region.fileSet().layout().partitions()).hasSizeGreaterThan(5);
    assertThat(region.fileSet().getStorefileCount()).isEqualTo(1);
  }

  @AfterEach
  void close() throws IOException {
    region.close();
  }

  @Test
  void filesBeingMergedCountAsOneAboveTheLimit() throws IOException {
    flushWide(LIMIT);
    assertThat(region.fileSet().getStorefileCount()).isEqualTo(1 + LIMIT);
    assertThat(region.store().hasTooManyStoreFiles()).isTrue();
    assertThat(compact(() -> {
          assertThat(region.fileSet().getStorefileCount()).isEqualTo(LIMIT);
          assertThat(region.store().hasTooManyStoreFiles()).isFalse();
          assertThat(region.fileSet().getCompactionPressure()).as("pressure").isGreaterThan(1);
          flushWide(LIMIT - 2);
          assertThat(region.store().hasTooManyStoreFiles()).isFalse();
          flushWide(1);
          assertThat(region.store().hasTooManyStoreFiles()).isTrue();
        }))
        .isTrue();
    assertThat(region.fileSet().layout().depth())
        .as("base, result, new")
        .isEqualTo(1 + 1 + LIMIT - 1);
    assertThat(region.fileSet().getStorefileCount())
        .isEqualTo(region.fileSet().layout().depth());
    assertThat(region.read(new Scan())).hasSize(1_000);
  }

  /** HBase's {@code TestCompaction} reads the count while files are being compacted. */
  @Test
  void upToTheLimitAllFilesCount() throws IOException {
    flushWide(LIMIT - 1);
    region.fileSet().compactions().begun(region.store().getStorefiles());
    assertThat(region.fileSet().getStorefileCount()).isEqualTo(LIMIT);
    flushWide(1);
    assertThat(region.fileSet().getStorefileCount()).isEqualTo(LIMIT);
    assertThat(region.store().hasTooManyStoreFiles()).isFalse();
  }

  @Test
  void countOmitsAtMostAsManyFilesAsTheLimit() throws IOException {
    flushWide(2 * LIMIT);
    assertThat(compact(() -> {
          assertThat(region.fileSet().layout().depth()).isEqualTo(1 + 2 * LIMIT);
          assertThat(region.fileSet().getStorefileCount()).isEqualTo(1 + LIMIT);
          assertThat(region.store().hasTooManyStoreFiles()).isTrue();
        }))
        .isTrue();
    assertThat(region.store().hasTooManyStoreFiles()).isFalse();
  }

  @Test
  void filesOfACompactionThatFailsCountAgain() throws IOException {
    flushWide(LIMIT);
    assertThatThrownBy(() -> compact(() -> {
          throw new IOException("as if the device were full");
        }))
        .hasRootCauseMessage("as if the device were full");
    assertThat(region.fileSet().getStorefileCount()).isEqualTo(1 + LIMIT);
    assertThat(compact(() -> assertThat(region.fileSet().getStorefileCount()).isEqualTo(LIMIT)))
        .isTrue();
    assertThat(region.fileSet().getStorefileCount()).isEqualTo(2);
  }

  /** HBase abandons a compaction silently if its results cannot be moved into place. */
  @Test
  void filesOfAnAbandonedCompactionCountAgain() throws IOException {
    flushWide(LIMIT);
    region.fileSet().compactions().begun(region.store().getStorefiles());
    assertThat(region.fileSet().getStorefileCount()).isEqualTo(LIMIT);
    CompactionContext next = request().orElseThrow();
    assertThat(region.fileSet().getStorefileCount()).isEqualTo(1 + LIMIT);
    region.store().cancelRequestedCompaction(next);
  }

  /** HBase looks at the pressure only once a minute. */
  @Test
  void compactionsAreNotSlowedDownWhileWritersHaveToWait() throws IOException {
    flushWide(LIMIT - 1);
    Limit limit = new Limit();
    region.region().compact(request().orElseThrow(), region.store(), limit);
    assertThat(limit.bytes).as("with few files").isPositive();
    flushWide(LIMIT);
    Limit lifted = new Limit();
    region.region().compact(request().orElseThrow(), region.store(), lifted);
    assertThat(lifted.bytes).as("with too many files").isZero();
  }

  /** Counts bytes that a limit of throughput applies to. */
  private static final class Limit extends NoLimitThroughputController {
    private long bytes;

    @Override
    public long control(String compactionName, long size) {
      bytes += size;
      return 0;
    }
  }

  private interface Script {
    void run() throws IOException;
  }

  /** Runs a due compaction, and a script in the middle of it. */
  private boolean compact(Script meanwhile) throws IOException {
    return region
        .region()
        .compact(request().orElseThrow(), region.store(), new Interlude(meanwhile));
  }

  private Optional<CompactionContext> request() throws IOException {
    return region
        .store()
        .requestCompaction(Store.NO_PRIORITY, CompactionLifeCycleTracker.DUMMY, null);
  }

  /** Flushes files that span all partitions. */
  private void flushWide(int times) throws IOException {
    int wide = region.fileSet().layout().wide().size();
    for (int i = 0; i < times; i++) {
      flush(20);
    }
    assertThat(region.fileSet().layout().wide()).hasSize(wide + times);
  }

  private void flush(int rows) throws IOException {
    generation++;
    for (int i = 0; i < rows; i++) {
      byte[] row = Bytes.toBytes(String.format(Locale.ROOT, "r%04d", i * 1_000 / rows));
      byte[] value = Bytes.padTail(Bytes.toBytes(generation), 90);
      region.region().put(new Put(row).addColumn(TestRegion.FAMILY, row, value));
    }
    region.region().flush(true);
  }

  /** Runs the script when a compaction has opened its files, and tells HBase so. */
  private static final class Interlude extends NoLimitThroughputController {
    private final Script script;

    Interlude(Script script) {
      this.script = script;
    }

    @Override
    public void start(String compactionName) {
      try {
        script.run();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
