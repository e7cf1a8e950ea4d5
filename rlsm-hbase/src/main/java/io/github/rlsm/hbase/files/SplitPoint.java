// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.files;

import io.github.rlsm.base.KeyRange;
import io.github.rlsm.hbase.layout.FileShape;
import io.github.rlsm.hbase.layout.Layout;
import io.github.rlsm.hbase.layout.Partition;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.StoreFileReader;

/** The row at which a region is best divided. */
final class SplitPoint {

  private SplitPoint() {}

  /**
   * The bound between partitions that is nearest to the middle of the bytes, at which files need
   * not be cut; without partitions the middle of the largest file, as HBase does it. Empty if all
   * rows would be on one side.
   */
  static Optional<byte[]> of(Layout<HStoreFile> layout) throws IOException {
    byte[] nearest = null;
    double half = layout.partitions().stream().mapToLong(Partition::bytes).sum() / 2.0;
    double nearestDistance = Double.POSITIVE_INFINITY;
    long before = 0;
    for (Partition<HStoreFile> partition : layout.partitions()) {
      byte[] bound = partition.range().from();
      double distance = Math.abs(before - half);
      if (bound != null && distance < nearestDistance && divides(layout.files(), bound)) {
        nearest = bound;
        nearestDistance = distance;
      }
      before += partition.bytes();
    }
    return nearest == null ? middleOfLargest(layout) : Optional.of(nearest);
  }

  private static boolean divides(List<FileShape<HStoreFile>> files, byte[] bound) {
    return files.stream().anyMatch(file -> intersects(file, KeyRange.of(null, bound)))
        && files.stream().anyMatch(file -> intersects(file, KeyRange.of(bound, null)));
  }

  private static boolean intersects(FileShape<HStoreFile> file, KeyRange rows) {
    KeyRange span = file.span();
    return span != null && span.intersects(rows);
  }

  private static Optional<byte[]> middleOfLargest(Layout<HStoreFile> layout) throws IOException {
    Optional<HStoreFile> largest = layout.files().stream()
        .max(Comparator.comparingLong(FileShape::bytes))
        .map(FileShape::file);
    StoreFileReader reader = largest.map(HStoreFile::getReader).orElse(null);
    if (reader == null) {
      return Optional.empty();
    }
    Optional<Cell> middle = reader.midKey();
    return middle
        .filter(cell -> !isRowOf(cell, reader.getFirstKey()) && !isRowOf(cell, reader.getLastKey()))
        .map(CellUtil::cloneRow);
  }

  private static boolean isRowOf(Cell cell, Optional<Cell> key) {
    return key.isPresent() && CellUtil.matchingRows(cell, key.get());
  }
}
