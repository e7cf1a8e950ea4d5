// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.compact;

import io.github.rlsm.base.KeyRange;
import io.github.rlsm.hbase.compact.Selection.Reason;
import io.github.rlsm.hbase.compact.Thresholds.Files;
import io.github.rlsm.hbase.config.PartitionSize;
import io.github.rlsm.hbase.flush.FlushCuts;
import io.github.rlsm.hbase.layout.FileShape;
import io.github.rlsm.hbase.layout.Layout;
import io.github.rlsm.policy.RunShape;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A store whose files are sets of row numbers, which are merged as the {@link Selector} decides. It
 * counts the cost of a policy without a server. It runs one compaction at a time.
 */
final class SimulatedStore {

  static final int ROW_BYTES = 1_024;
  static final int BLOCKING_FILES = 16;

  /** The rows of a file. */
  static final class Rows {
    private final int[] numbers;

    Rows(int[] numbers) {
      this.numbers = numbers;
    }
  }

  private final PartitionSize partitionSize;
  private final long flushRunBytesMin;
  private final double speed;
  private final Map<Reason, Long> written = new EnumMap<>(Reason.class);
  private List<FileShape<Rows>> files = new ArrayList<>();
  private long flushed;
  private int depthMost;
  private int filesWritten;
  private double left;
  private double stalled;
  private @Nullable Selection<Rows> running;

  /** An empty store with partitions of a fixed size, to which flushes never write directly. */
  SimulatedStore(long partitionBytesMax, double speed) {
    this(PartitionSize.fixed(partitionBytesMax), Long.MAX_VALUE, speed);
  }

  /** An empty store. */
  SimulatedStore(PartitionSize partitionSize, long flushRunBytesMin, double speed) {
    this.partitionSize = partitionSize;
    this.flushRunBytesMin = flushRunBytesMin;
    this.speed = speed;
  }

  /** Returns the numbers of rows from 0 on in random order. */
  static int[] shuffled(int count, long seed) {
    int[] order = IntStream.range(0, count).toArray();
    Random random = new Random(seed);
    for (int i = count - 1; i > 0; i--) {
      int other = random.nextInt(i + 1);
      int swapped = order[i];
      order[i] = order[other];
      order[other] = swapped;
    }
    return order;
  }

  /** Adds a file of some rows once few enough files lie over a row; compacts in the background. */
  void flush(int[] rows) {
    while (filesCounted() > BLOCKING_FILES && (running != null || begin())) {
      stalled += Math.max(0, left);
      end();
    }
    int[] sorted = IntStream.of(rows).sorted().distinct().toArray();
    flushed += bytes(sorted);
    addFlushed(sorted);
    depthMost = Math.max(depthMost, layout().depth());
    double time = speed * bytes(sorted);
    while (time > 0 && (running != null || begin())) {
      double step = Math.min(time, left);
      time -= step;
      left -= step;
      if (left <= 0) {
        end();
      }
    }
  }

  /** Adds a file for each partition with enough rows, and files with the rest. */
  private void addFlushed(int[] rows) {
    List<byte[]> bounds = layout().bounds();
    List<int[]> slices = slices(rows, bounds);
    long[] bytes = slices.stream().mapToLong(SimulatedStore::bytes).toArray();
    for (int[] slice : slices(rows, FlushCuts.choose(bytes, bounds, flushRunBytesMin))) {
      if (slice.length > 0) {
        files.add(shape(slice, Optional.empty()));
      }
    }
  }

  private static List<int[]> slices(int[] rows, List<byte[]> bounds) {
    List<int[]> slices = new ArrayList<>();
    int begin = 0;
    for (byte[] bound : bounds) {
      int end = begin;
      while (end < rows.length && Arrays.compareUnsigned(key(rows[end]), bound) < 0) {
        end++;
      }
      slices.add(Arrays.copyOfRange(rows, begin, end));
      begin = end;
    }
    slices.add(Arrays.copyOfRange(rows, begin, rows.length));
    return slices;
  }

  /** As {@code StoreFileSet} reports to HBase. */
  private int filesCounted() {
    Layout<Rows> layout = layout();
    List<Set<Rows>> merged = running == null ? List.of() : List.of(Set.copyOf(running.files()));
    return Math.max(layout.depthAfter(merged), layout.depth() - BLOCKING_FILES);
  }

  private boolean begin() {
    Optional<Selection<Rows>> due = due();
    running = due.orElse(null);
    if (due.isPresent()) {
      left = due.get().files().stream().mapToLong(rows -> bytes(rows.numbers)).sum();
    }
    return due.isPresent();
  }

  private void end() {
    Selection<Rows> done = Objects.requireNonNull(running);
    running = null;
    compact(done);
  }

  private Optional<Selection<Rows>> due() {
    Thresholds thresholds = new Thresholds(
        partitionBytesMax(),
        partitionSize.isFixed(),
        Files.of(layout(), partitionSize, false, BLOCKING_FILES),
        10,
        Long.MAX_VALUE);
    List<Rows> busy = running == null ? List.of() : running.files();
    return new Selector<>(layout(), busy, thresholds).minor(List.of());
  }

  Layout<Rows> layout() {
    return Layout.of(files, partitionBytesMax());
  }

  private long partitionBytesMax() {
    return partitionSize.of(FileShape.bytes(files));
  }

  private void compact(Selection<Rows> selection) {
    BitSet union = new BitSet();
    selection.files().forEach(rows -> IntStream.of(rows.numbers).forEach(union::set));
    Set<Rows> inputs = new HashSet<>(selection.files());
    int newest = files.size() - 1;
    while (!inputs.contains(files.get(newest).file())) {
      newest--;
    }
    List<FileShape<Rows>> outputs = write(union.stream().toArray(), selection);
    List<FileShape<Rows>> others = new ArrayList<>();
    for (int i = 0; i < files.size(); i++) {
      if (!inputs.contains(files.get(i).file())) {
        others.add(files.get(i));
      }
      if (i == newest) {
        others.addAll(outputs);
      }
    }
    files = others;
  }

  private List<FileShape<Rows>> write(int[] rows, Selection<Rows> selection) {
    List<FileShape<Rows>> outputs = new ArrayList<>();
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

  private static FileShape<Rows> shape(int[] rows, Optional<KeyRange> mark) {
    KeyRange span = RunShape.span(key(rows[0]), key(rows[rows.length - 1]));
    return new FileShape<>(new Rows(rows), span, bytes(rows), rows.length, mark, true);
  }

  private static long bytes(int[] rows) {
    return (long) rows.length * ROW_BYTES;
  }

  private static byte[] key(int row) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(row).array();
  }

  /** Bytes that compactions wrote. */
  long written() {
    return written.values().stream().mapToLong(Long::longValue).sum();
  }

  /** The bytes that compactions wrote, by cause, for messages. */
  @Override
  public String toString() {
    return written + " of " + flushed + " bytes flushed, " + filesWritten + " files written, "
        + files.size() + " left, in " + layout().partitions().size() + " partitions";
  }

  /** Bytes that flushes wrote. */
  long flushed() {
    return flushed;
  }

  /** The largest number of files over one row so far. */
  int depthMost() {
    return depthMost;
  }

  /** Bytes that compactions wrote while flushes waited. */
  double stalled() {
    return stalled;
  }
}
