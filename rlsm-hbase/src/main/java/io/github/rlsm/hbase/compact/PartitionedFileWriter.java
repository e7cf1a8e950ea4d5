// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.compact;

import io.github.rlsm.base.KeyRange;
import io.github.rlsm.hbase.files.StoreFileSet;
import io.github.rlsm.hbase.layout.PartitionMark;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.regionserver.AbstractMultiFileWriter;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.StoreFileWriter;
import org.jspecify.annotations.Nullable;

/**
 * Writes sorted cells to one file for each partition, and begins another at the next row when a
 * file is large enough. There is always at least one file, if an empty one: it carries the largest
 * sequence id on.
 *
 * <p>Threads: one compaction's thread.
 */
final class PartitionedFileWriter extends AbstractMultiFileWriter {

  private final CellComparator comparator;
  private final List<byte[]> bounds;
  private final long cutBytes;

  private final List<StoreFileWriter> writers = new ArrayList<>();
  private final List<KeyRange> ranges = new ArrayList<>();
  private @Nullable StoreFileWriter current;
  private int nextBound;
  /** The row that made the current file large enough. */
  private byte @Nullable [] lastRow;

  PartitionedFileWriter(CellComparator comparator, List<byte[]> bounds, long cutBytes) {
    this.comparator = comparator;
    this.bounds = bounds;
    this.cutBytes = cutBytes;
  }

  @Override
  public void append(Cell cell) throws IOException {
    boolean entered = enterPartition(cell);
    StoreFileWriter writer = current;
    if (writer == null || entered) {
      writer = begin(nextBound == 0 ? null : bounds.get(nextBound - 1));
    } else if (lastRow != null && !CellUtil.matchingRows(cell, lastRow)) {
      byte[] row = CellUtil.cloneRow(cell);
      int last = ranges.size() - 1;
      ranges.set(last, KeyRange.of(ranges.get(last).from(), row));
      writer = begin(row);
    }
    writer.append(cell);
    if (lastRow == null && cutBytes != Selection.UNCUT && writer.getPos() >= cutBytes) {
      lastRow = CellUtil.cloneRow(cell);
    }
  }

  /** Whether the cell is the first one after some bound. */
  private boolean enterPartition(Cell cell) {
    int before = nextBound;
    while (nextBound < bounds.size() && isNotBefore(cell, bounds.get(nextBound))) {
      nextBound++;
    }
    return nextBound > before;
  }

  private boolean isNotBefore(Cell cell, byte[] bound) {
    return comparator.compareRows(cell, bound, 0, bound.length) >= 0;
  }

  private StoreFileWriter begin(byte @Nullable [] from) throws IOException {
    StoreFileWriter writer = writerFactory.createWriter();
    writers.add(writer);
    ranges.add(KeyRange.of(from, nextBound == bounds.size() ? null : bounds.get(nextBound)));
    current = writer;
    lastRow = null;
    return writer;
  }

  @Override
  protected Collection<StoreFileWriter> writers() {
    return writers;
  }

  /**
   * Only the last file names the inputs. HBase, when it opens a store, drops the inputs that any
   * file names, and it puts the files into the store's folder one after another, in this order. Did
   * the first one name them, then a crash before the last one would lose what that one holds.
   */
  @Override
  public List<Path> commitWriters(
      long maxSeqId, boolean majorCompaction, Collection<HStoreFile> inputs) throws IOException {
    if (writers.isEmpty()) {
      begin(null);
    }
    List<Path> paths = new ArrayList<>();
    for (int i = 0; i < writers.size(); i++) {
      StoreFileWriter writer = writers.get(i);
      boolean last = i == writers.size() - 1;
      writer.appendMetadata(maxSeqId, majorCompaction, last ? inputs : List.of());
      writer.appendFileInfo(StoreFileSet.MARK_KEY, PartitionMark.encode(ranges.get(i)));
      paths.add(writer.getPath());
      writer.close();
    }
    return paths;
  }
}
