// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.hbase.config.StoreSettings;
import io.github.rlsm.hbase.files.StoreFileSet;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
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
 * Flushes go on while files are merged, up to a limit. What HBase asks before it flushes is asked
 * here in the middle of a compaction, by its own thread.
 */
@RunsHBase
class BackPressureTest {

  private static final int LIMIT = 6;

  @TempDir
  private Path folder;

  private TestRegion region;
  private int generation;

  /** Opens a store of many partitions, each with one run. */
  @BeforeEach
  void open() throws IOException {
    region = new TestRegion(
        folder,
        "pressed",
        RlsmStoreEngine.class.getName(),
        ColumnFamilyDescriptorBuilder.newBuilder(TestRegion.FAMILY)
            .setBlocksize(1_024)
            .build(),
        Map.of(
            HStore.BLOCKING_STOREFILES_KEY,
            String.valueOf(LIMIT),
            StoreSettings.ROW_FILES,
            String.valueOf(LIMIT)));
    flush(1_000);
    region.region().compact(true);
    assertThat(files().layout().partitions()).hasSizeGreaterThan(5);
    assertThat(files().getStorefileCount()).isEqualTo(1);
  }

  @AfterEach
  void close() throws IOException {
    region.close();
  }

  @Test
  void filesBeingMergedCountAsTheOneTheyBecome() throws IOException {
    flushWide(LIMIT);
    assertThat(files().getStorefileCount()).isEqualTo(1 + LIMIT);
    assertThat(region.store().hasTooManyStoreFiles()).isTrue();
    assertThat(compact(() -> {
          assertThat(files().getStorefileCount()).isEqualTo(2);
          assertThat(files().getStoreCompactionPriority()).isEqualTo(LIMIT - 2);
          assertThat(files().getCompactionPressure()).as("to hurry").isGreaterThan(1);
          flushWide(LIMIT - 2);
          assertThat(region.store().hasTooManyStoreFiles()).isFalse();
          flushWide(1);
          assertThat(region.store().hasTooManyStoreFiles()).isTrue();
        }))
        .isTrue();
    assertThat(files().layout().depth()).as("base, result, new").isEqualTo(1 + 1 + LIMIT - 1);
    assertThat(files().getStorefileCount()).isEqualTo(files().layout().depth());
    assertThat(region.read(new Scan())).hasSize(1_000);
  }

  @Test
  void noMoreThanTheLimitAreLeftOut() throws IOException {
    flushWide(2 * LIMIT);
    assertThat(compact(() -> {
          assertThat(files().layout().depth()).isEqualTo(1 + 2 * LIMIT);
          assertThat(files().getStorefileCount()).isEqualTo(1 + LIMIT);
          assertThat(region.store().hasTooManyStoreFiles()).isTrue();
        }))
        .isTrue();
    assertThat(region.store().hasTooManyStoreFiles()).isFalse();
  }

  @Test
  void filesOfACompactionThatFailsCountAgain() throws IOException {
    flushWide(LIMIT);
    assertThat(compact(() -> {
          throw new InterruptedException("as if the server were being stopped");
        }))
        .isFalse();
    assertThat(files().getStorefileCount()).isEqualTo(1 + LIMIT);
    assertThat(compact(() -> assertThat(files().getStorefileCount()).isEqualTo(2)))
        .isTrue();
    assertThat(files().getStorefileCount()).isEqualTo(2);
  }

  /** HBase gives them up without a word if they cannot be moved to their place. */
  @Test
  void filesThatHBaseDoesNotCompactAnyMoreCountAgain() throws IOException {
    flushWide(LIMIT);
    files().compactions().begun(region.store().getStorefiles());
    assertThat(files().getStorefileCount()).isEqualTo(1);
    CompactionContext next = request().orElseThrow();
    assertThat(files().getStorefileCount()).isEqualTo(1 + LIMIT);
    region.store().cancelRequestedCompaction(next);
  }

  private interface Script {
    void run() throws IOException, InterruptedException;
  }

  /** Compacts what is due, in the midst of which something else happens. */
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

  /** One file that spans all partitions. */
  private void flushWide(int times) throws IOException {
    int wide = files().layout().wide().size();
    for (int i = 0; i < times; i++) {
      flush(20);
    }
    assertThat(files().layout().wide()).hasSize(wide + times);
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

  private StoreFileSet files() {
    return (StoreFileSet) region.store().getStoreEngine().getStoreFileManager();
  }

  /** Where a compaction would wait for its turn, something else happens, once. */
  private static final class Interlude extends NoLimitThroughputController {
    private final Script script;
    private boolean begun;

    Interlude(Script script) {
      this.script = script;
    }

    @Override
    public long control(String compactionName, long size) throws InterruptedException {
      if (!begun) {
        begun = true;
        try {
          script.run();
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
      return 0;
    }
  }
}
