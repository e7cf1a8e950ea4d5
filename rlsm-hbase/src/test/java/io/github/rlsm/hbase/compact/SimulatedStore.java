// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.compact;

import io.github.rlsm.base.KeyRange;
import io.github.rlsm.hbase.compact.Selection.Reason;
import io.github.rlsm.hbase.layout.FileShape;
import io.github.rlsm.hbase.layout.FileShape.Hints;
import io.github.rlsm.hbase.layout.Layout;
import io.github.rlsm.hbase.layout.RowHint;
import io.github.rlsm.policy.RunShape;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A store whose files are sets of row numbers: what the {@link Selector} chooses is done to them at
 * once, so that what a policy costs can be counted without a server.
 */
final class SimulatedStore {

  static final int ROW_BYTES = 1_024;

  private final Thresholds thresholds;
  private final Map<Reason, Long> written = new EnumMap<>(Reason.class);
  private List<FileShape<int[]>> files = new ArrayList<>();
  private long flushed;
  private int depthMost;
  private int filesWritten;

  SimulatedStore(Thresholds thresholds) {
    this.thresholds = thresholds;
  }

  /** Adds a file of some rows, then compacts until nothing is due. */
  void flush(int[] rows) {
    int[] sorted = IntStream.of(rows).sorted().distinct().toArray();
    flushed += bytes(sorted);
    files.add(shape(sorted, Optional.empty()));
    depthMost = Math.max(depthMost, layout().depth());
    Optional<Selection<int[]>> due = due();
    while (due.isPresent()) {
      compact(due.get());
      due = due();
    }
  }

  private Optional<Selection<int[]>> due() {
    return new Selector<>(layout(), Set.of(), thresholds).minor(List.of());
  }

  Layout<int[]> layout() {
    return Layout.of(files, thresholds.partitionBytesMax());
  }

  private void compact(Selection<int[]> selection) {
    BitSet union = new BitSet();
    selection.files().forEach(rows -> IntStream.of(rows).forEach(union::set));
    Set<int[]> inputs = new HashSet<>(selection.files());
    int newest = files.size() - 1;
    while (!inputs.contains(files.get(newest).file())) {
      newest--;
    }
    List<FileShape<int[]>> outputs = write(union.stream().toArray(), selection);
    List<FileShape<int[]>> left = new ArrayList<>();
    for (int i = 0; i < files.size(); i++) {
      if (!inputs.contains(files.get(i).file())) {
        left.add(files.get(i));
      }
      if (i == newest) {
        left.addAll(outputs);
      }
    }
    files = left;
  }

  private List<FileShape<int[]>> write(int[] rows, Selection<int[]> selection) {
    List<FileShape<int[]>> outputs = new ArrayList<>();
    List<byte[]> bounds = selection.cuts().bounds();
    byte[] from = null;
    int begin = 0;
    int bound = 0;
    for (int i = 0; i < rows.length; i++) {
      byte[] key = key(rows[i]);
      int before = bound;
      while (bound < bounds.size() && Arrays.compareUnsigned(key, bounds.get(bound)) >= 0) {
        bound++;
      }
      boolean full = (long) (i - begin) * ROW_BYTES >= selection.cuts().bytes();
      if (i > begin && (bound > before || full)) {
        byte[] to = bound > before ? bounds.get(before) : key;
        outputs.add(shape(Arrays.copyOfRange(rows, begin, i), mark(from, to)));
        begin = i;
        from = bound > before ? bounds.get(bound - 1) : key;
      } else if (bound > before) {
        from = bounds.get(bound - 1);
      }
    }
    byte[] to = bound < bounds.size() ? bounds.get(bound) : null;
    outputs.add(shape(Arrays.copyOfRange(rows, begin, rows.length), mark(from, to)));
    outputs.forEach(file -> written.merge(selection.reason(), file.bytes(), Long::sum));
    filesWritten += outputs.size();
    return outputs;
  }

  private static Optional<KeyRange> mark(byte @Nullable [] from, byte @Nullable [] to) {
    return Optional.of(KeyRange.of(from, to));
  }

  private static FileShape<int[]> shape(int[] rows, Optional<KeyRange> mark) {
    KeyRange span = RunShape.span(key(rows[0]), key(rows[rows.length - 1]));
    return new FileShape<>(
        rows, span, bytes(rows), rows.length, new Hints(mark, RowHint.NONE), true);
  }

  private static long bytes(int[] rows) {
    return (long) rows.length * ROW_BYTES;
  }

  private static byte[] key(int row) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(row).array();
  }

  /** What compactions wrote. */
  long written() {
    return written.values().stream().mapToLong(Long::longValue).sum();
  }

  /** The same by cause, for messages. */
  @Override
  public String toString() {
    return written + " of " + flushed + " bytes flushed, " + filesWritten + " files written, "
        + files.size() + " left, in " + layout().partitions().size() + " partitions";
  }

  /** What flushes wrote. */
  long flushed() {
    return flushed;
  }

  /** The most files that a row may have been in. */
  int depthMost() {
    return depthMost;
  }

  /** All files. */
  long bytes() {
    return files.stream().mapToLong(FileShape::bytes).sum();
  }
}
