// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.files;

import io.github.rlsm.hbase.layout.FileShape;
import io.github.rlsm.hbase.layout.Layout;
import io.github.rlsm.hbase.layout.Partition;
import io.github.rlsm.policy.SplitKeys;
import io.github.rlsm.policy.SplitKeys.WeightedKey;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.StoreFileReader;
import org.jspecify.annotations.Nullable;

/** Chooses the row at which a region is divided, by the shared policy's linear selection. */
final class SplitPoint {

  private SplitPoint() {}

  /**
   * Returns the bound between partitions that is nearest to the middle of the bytes, because files
   * need not be cut there. Without such a bound, returns the nearest of the first and middle rows
   * of all files; HBase takes the middle of the largest file. Empty if all rows would be on one
   * side.
   */
  static Optional<byte[]> of(Layout<HStoreFile> layout) throws IOException {
    Optional<byte[]> bound = middle(partitions(layout));
    return bound.isPresent() ? bound : middle(halves(layout));
  }

  private static Optional<byte[]> middle(List<WeightedKey> samples) {
    return SplitKeys.find(samples, 2).stream().findFirst();
  }

  private static List<WeightedKey> partitions(Layout<HStoreFile> layout) {
    List<WeightedKey> samples = new ArrayList<>();
    for (Partition<HStoreFile> partition : layout.partitions()) {
      byte[] from = partition.range().from();
      add(samples, from == null ? new byte[0] : from, partition.bytes());
    }
    return samples;
  }

  private static List<WeightedKey> halves(Layout<HStoreFile> layout) throws IOException {
    List<WeightedKey> samples = new ArrayList<>();
    for (FileShape<HStoreFile> file : layout.files()) {
      StoreFileReader reader = file.file().getReader();
      byte[] first = reader == null ? null : row(reader.getFirstKey());
      if (reader == null || first == null) {
        continue;
      }
      byte[] middle = row(reader.midKey());
      // As in HBase: a split at the last row would leave nothing behind it.
      boolean useful = middle != null && !Arrays.equals(middle, row(reader.getLastKey()));
      long half = useful ? file.bytes() / 2 : 0;
      add(samples, first, file.bytes() - half);
      if (middle != null) {
        add(samples, middle, half);
      }
    }
    return samples;
  }

  private static void add(List<WeightedKey> samples, byte[] row, long bytes) {
    if (bytes > 0) {
      samples.add(new WeightedKey(row, bytes));
    }
  }

  private static byte @Nullable [] row(Optional<Cell> key) {
    return key.map(CellUtil::cloneRow).orElse(null);
  }
}
