// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.hbase.layout.Partition;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.DefaultStoreEngine;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests when a delete marker is dropped in a family that keeps deleted cells. HBase drops it only
 * if it is older than the earliest put of all compacted files, and these are all files of the
 * store. A marker older than every put of its partition must stay, even if a compaction reads the
 * whole partition. A region with HBase's engine serves as the reference.
 */
@RunsHBase
class OldDeleteMarkerTest {

  private static final int ROWS = 1_000;
  private static final int FIRST_PUT = 1_000;
  private static final String DELETED_ROW = "r0950";

  @TempDir
  private Path folder;

  private TestRegion ours;
  private TestRegion theirs;

  /** Opens two regions with the same rows; one of them has many partitions. */
  @BeforeEach
  void open() throws IOException {
    ColumnFamilyDescriptor family = ColumnFamilyDescriptorBuilder.newBuilder(TestRegion.FAMILY)
        .setKeepDeletedCells(KeepDeletedCells.TRUE)
        .setMaxVersions(1_000)
        .setBlocksize(1_024)
        .build();
    ours = new TestRegion(folder, "ours", RlsmStoreEngine.class.getName(), family);
    theirs = new TestRegion(folder, "theirs", DefaultStoreEngine.class.getName(), family);
    put(0, FIRST_PUT);
    for (TestRegion region : List.of(ours, theirs)) {
      region.region().flush(true);
      region.compactEverything();
    }
  }

  @AfterEach
  void close() throws IOException {
    ours.close();
    theirs.close();
  }

  @Test
  void aMarkerOlderThanAllPutsOfItsPartitionStays() throws IOException {
    int marker = FIRST_PUT + 5;
    delete(marker);
    int first = firstRowOfItsPartition();
    assertThat(FIRST_PUT + first).as("earliest put beside it").isGreaterThan(marker);
    mergeItsPartition(first);
    assertThat(markers(ours)).isEqualTo(markers(theirs)).hasSize(1);
    compactEverything();
    assertThat(markers(ours)).isEqualTo(markers(theirs)).hasSize(1);
  }

  @Test
  void aMajorCompactionDropsAMarkerOlderThanAllPutsOfTheStore() throws IOException {
    delete(FIRST_PUT - 1);
    mergeItsPartition(firstRowOfItsPartition());
    assertThat(markers(ours)).as("not all files were read").hasSize(1);
    compactEverything();
    assertThat(markers(ours)).isEqualTo(markers(theirs)).isEmpty();
  }

  /** Adds runs to the partition until one compaction reads all of them. */
  private void mergeItsPartition(int first) throws IOException {
    for (int round = 1; round < 20; round++) {
      put(first, FIRST_PUT + round * ROWS);
      ours.region().flush(true);
      theirs.region().flush(true);
      List<String> before = runs();
      ours.region().compact(false);
      boolean allRead = before.size() > 1 && runs().stream().noneMatch(before::contains);
      if (allRead) {
        return;
      }
    }
    assertThat(runs()).as("runs after 20 rounds without a merge of all runs").isEmpty();
  }

  private void compactEverything() throws IOException {
    ours.compactEverything();
    theirs.compactEverything();
    assertThat(ours.read(new Scan().setRaw(true).readAllVersions()))
        .isEqualTo(theirs.read(new Scan().setRaw(true).readAllVersions()));
  }

  private void put(int from, int time) throws IOException {
    for (int i = from; i < ROWS; i++) {
      byte[] row = Bytes.toBytes(row(i));
      for (TestRegion region : List.of(ours, theirs)) {
        region.region().put(new Put(row, time + i).addColumn(TestRegion.FAMILY, row, row));
      }
    }
  }

  private void delete(int time) throws IOException {
    for (TestRegion region : List.of(ours, theirs)) {
      region
          .region()
          .delete(new Delete(Bytes.toBytes(DELETED_ROW)).addFamily(TestRegion.FAMILY, time));
    }
  }

  private static List<String> markers(TestRegion region) throws IOException {
    return region.read(new Scan().setRaw(true).readAllVersions()).stream()
        .filter(line -> line.contains("DeleteFamily"))
        .toList();
  }

  private int firstRowOfItsPartition() {
    byte[] from = itsPartition().range().from();
    int first = 0;
    while (from != null && Bytes.compareTo(Bytes.toBytes(row(first)), from) < 0) {
      first++;
    }
    return first;
  }

  private List<String> runs() {
    return itsPartition().runs().stream()
        .map(run -> run.file().getPath().getName())
        .toList();
  }

  private Partition<HStoreFile> itsPartition() {
    return ours.fileSet().layout().partitions().stream()
        .filter(partition -> partition.range().contains(Bytes.toBytes(DELETED_ROW)))
        .findFirst()
        .orElseThrow();
  }

  private static String row(int index) {
    return String.format(Locale.ROOT, "r%04d", index);
  }
}
