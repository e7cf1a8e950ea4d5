// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase;

import static io.github.rlsm.hbase.TestRegion.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.hbase.config.StoreSettings;
import io.github.rlsm.hbase.files.ScanAccounts;
import io.github.rlsm.hbase.files.StoreFileSet;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.Shipper;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionContext;
import org.apache.hadoop.hbase.regionserver.throttle.NoLimitThroughputController;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Merges that scans pay for. */
@RunsHBase
class ScanMergeTest {

  private static final int ROWS = 2_000;
  private static final int FLUSHES = 6;
  private static final int VALUE_BYTES = 500;
  private static final int SCANS_MAX = 2_000;
  private static final int ROWS_SCANNED = 10;
  private static final int SECONDS_MAX = 30;

  private static final int SCANS = 7;

  @TempDir
  private Path folder;

  private final Random random = new Random(1);

  /** The number of files with a version of a row, in the region that was written last. */
  private final Map<Integer, Integer> flushed = new HashMap<>();

  @Test
  void scansOfManyFilesMakeAMergeDueAndGetsDoNot() throws IOException {
    try (TestRegion region = overwritten("paid")) {
      int files = region.store().getStorefilesCount();
      assertThat(files).isEqualTo(FLUSHES);
      List<String> before = region.read(new Scan());
      for (int i = 0; i < SCANS_MAX; i++) {
        region.region().get(new Get(row(random.nextInt(ROWS))));
      }
      assertThat(region.store().requestCompaction()).as("after gets").isEmpty();
      int scans = 0;
      Optional<CompactionContext> due = Optional.empty();
      while (due.isEmpty() && scans < SCANS_MAX) {
        scan(region, random.nextInt(ROWS));
        scans++;
        due = region.store().requestCompaction();
      }
      assertThat(due).as("after %d scans", scans).isPresent();
      assertThat(scans).isGreaterThan(10);
      long bytes = due.get().getRequest().getSize();
      region.region().compact(due.get(), region.store(), NoLimitThroughputController.INSTANCE);
      assertThat(region.store().getStorefilesCount()).isLessThan(files);
      assertThat(region.read(new Scan())).isEqualTo(before);
      assertThat(region.store().requestCompaction())
          .as("the merge of %d bytes is paid", bytes)
          .isEmpty();
      region.reopen();
      assertThat(region.read(new Scan())).isEqualTo(before);
    }
  }

  @Test
  void scanThatHasPaidRequestsTheMergeFromItsServer() throws Exception {
    try (TestRegion region = overwritten("requested")) {
      FakeServer server = new FakeServer(region.conf(), new CountDownLatch(0));
      region.reopenOn(server.services());
      assertThat(server.requests.poll()).as("before scans").isNull();
      scanUntilPaid(region);
      assertThat(server.requests.poll(SECONDS_MAX, TimeUnit.SECONDS))
          .isEqualTo("requestCompaction " + Bytes.toString(TestRegion.FAMILY)
              + " scans have paid for a merge");
    }
  }

  /** As when another thread holds the lock of a server's queue of compactions. */
  @Test
  void requestThatWaitsDelaysNoOtherServerOfTheJvm() throws Exception {
    CountDownLatch released = new CountDownLatch(1);
    try (TestRegion stuck = overwritten("stuck");
        TestRegion free = overwritten("free")) {
      FakeServer busy = new FakeServer(stuck.conf(), released);
      FakeServer idle = new FakeServer(free.conf(), new CountDownLatch(0));
      stuck.reopenOn(busy.services());
      free.reopenOn(idle.services());
      scanUntilPaid(stuck);
      scanUntilPaid(free);
      assertThat(idle.requests.poll(SECONDS_MAX, TimeUnit.SECONDS)).isNotNull();
      assertThat(busy.requests).isEmpty();
      released.countDown();
      assertThat(busy.requests.poll(SECONDS_MAX, TimeUnit.SECONDS)).isNotNull();
    } finally {
      released.countDown();
    }
  }

  /** Seven scans, because one of seven counts dead versions and pays for all. */
  @ParameterizedTest
  @EnumSource(Scan.ReadType.class)
  void aScanPaysForTheDeadVersionsThatItPasses(Scan.ReadType type) throws IOException {
    try (TestRegion region = overwritten("dead")) {
      for (int i = 0; i < SCANS; i++) {
        region.region().get(new Get(row(random.nextInt(ROWS))));
      }
      assertThat(paid(region)).as("after gets").isZero();
      for (int i = 0; i < SCANS; i++) {
        scanAll(region, type);
      }
      long dead =
          flushed.values().stream().mapToLong(flushes -> flushes - 1).sum() - (flushed.get(0) - 1);
      assertThat(paid(region) - SCANS * ScanAccounts.DEAD_BYTES * dead * cellBytes())
          .as("paid for %d dead versions of %d bytes", dead, cellBytes())
          .isBetween(
              // A scan that goes on with separate readers begins with one more first row.
              -(long) SCANS * ScanAccounts.DEAD_BYTES * FLUSHES * cellBytes(),
              (long) SCANS * FLUSHES * ScanAccounts.SEEK_BYTES);
    }
  }

  @ParameterizedTest
  @EnumSource(Scan.ReadType.class)
  void aScanDoesNotPayForVersionsThatAMergeKeeps(Scan.ReadType type) throws IOException {
    ColumnFamilyDescriptor family = ColumnFamilyDescriptorBuilder.newBuilder(TestRegion.FAMILY)
        .setMaxVersions(ROWS)
        .build();
    try (TestRegion region = overwritten("kept", family)) {
      for (int i = 0; i < SCANS; i++) {
        scanAll(region, type);
      }
      assertThat(paid(region)).isLessThan((long) SCANS * FLUSHES * ScanAccounts.SEEK_BYTES);
    }
  }

  private static long paid(TestRegion region) {
    StoreFileSet.Moment now = region.fileSet().now();
    assertThat(now.layout().partitions()).hasSize(1);
    return now.scans().paid(now.layout().partitions().get(0));
  }

  private static int cellBytes() {
    return new KeyValue(row(0), TestRegion.FAMILY, TestRegion.FAMILY, new byte[VALUE_BYTES])
        .getSerializedSize(false);
  }

  /** Reads all rows; as in a server, responses of 100 rows are shipped. */
  private static void scanAll(TestRegion region, Scan.ReadType type) throws IOException {
    try (RegionScanner scanner = region.region().getScanner(new Scan().setReadType(type))) {
      List<Cell> cells = new ArrayList<>();
      int rows = 0;
      while (scanner.next(cells)) {
        rows++;
        assertThat(cells).hasSize(1);
        cells.clear();
        if (rows % 100 == 0) {
          ((Shipper) scanner).shipped();
        }
      }
      assertThat(rows + cells.size()).isEqualTo(ROWS);
    }
  }

  private void scanUntilPaid(TestRegion region) throws IOException {
    for (int i = 0; i < SCANS_MAX; i++) {
      scan(region, random.nextInt(ROWS));
    }
    assertThat(region.store().needsCompaction()).isTrue();
  }

  private TestRegion overwritten(String name) throws IOException {
    return overwritten(name, ColumnFamilyDescriptorBuilder.of(TestRegion.FAMILY));
  }

  private TestRegion overwritten(String name, ColumnFamilyDescriptor family) throws IOException {
    TestRegion region = new TestRegion(
        folder,
        name,
        RlsmStoreEngine.class.getName(),
        family,
        Map.of(StoreSettings.ROW_FILES, "16", StoreSettings.PARTITION_BYTES, "1000000000"));
    flushed.clear();
    for (int flush = 0; flush < FLUSHES; flush++) {
      Set<Integer> put = new HashSet<>();
      for (int i = 0; i < ROWS; i++) {
        byte[] value = new byte[VALUE_BYTES];
        random.nextBytes(value);
        int row = flush == 0 ? i : random.nextInt(ROWS);
        put.add(row);
        region
            .region()
            .put(new Put(row(row))
                .setDurability(Durability.SKIP_WAL)
                .addColumn(TestRegion.FAMILY, TestRegion.FAMILY, value));
      }
      region.region().flush(true);
      put.forEach(row -> flushed.merge(row, 1, Integer::sum));
    }
    return region;
  }

  private static void scan(TestRegion region, int from) throws IOException {
    Scan scan = new Scan().withStartRow(row(from)).setLimit(ROWS_SCANNED);
    try (RegionScanner scanner = region.region().getScanner(scan)) {
      List<Cell> cells = new ArrayList<>();
      for (int i = 0; i < ROWS_SCANNED; i++) {
        scanner.next(cells);
      }
      assertThat(cells).hasSize(Math.min(ROWS_SCANNED, ROWS - from));
    }
  }
}
