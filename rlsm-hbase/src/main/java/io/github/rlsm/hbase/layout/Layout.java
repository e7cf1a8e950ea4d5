// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.layout;

import io.github.rlsm.base.KeyRange;
import io.github.rlsm.policy.PartitionShape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * The files of a store and the partitions they form, derived from the files alone. Every bound that
 * a file's mark names is a bound between partitions, except between small neighbours. A file within
 * one partition is a run of it. Flushed, bulk-loaded and compacted files are treated alike, so
 * adoption needs no I/O. A file that spans several partitions is <em>wide</em> (the paper's L0).
 *
 * <p>A partition that is too large also gets bounds at rows that few bytes lie across. So rows that
 * arrive in order are divided without I/O.
 *
 * <p>Invariants:
 *
 * <ol>
 *   <li>Any set of bounds is correct. Reads use the files' real spans, and {@link #closure} decides
 *       which files are compacted together. So a wrong mark can cost time but no data.
 *   <li>Files are ordered by age, oldest first, in HBase's order.
 * </ol>
 *
 * @param <F> a handle of a file
 */
public final class Layout<F> {

  private final List<FileShape<F>> files;
  private final List<Partition<F>> partitions;
  private final List<FileShape<F>> wide;
  private final List<byte[]> bounds;
  private final int wideDepth;
  private final int depth;

  private Layout(List<FileShape<F>> files, List<Partition<F>> partitions, List<FileShape<F>> wide) {
    this.files = files;
    this.partitions = partitions;
    this.wide = wide;
    this.bounds = partitions.stream()
        .map(partition -> partition.range().from())
        .filter(Objects::nonNull)
        .toList();
    boolean divided = partitions.size() > 1;
    this.wideDepth = deepest(wide, divided);
    this.depth = wideDepth
        + partitions.stream().mapToInt(p -> deepest(p.runs(), divided)).max().orElse(0);
  }

  /**
   * Computes the layout of files.
   *
   * @param files from oldest to newest
   * @param partitionBytesMax the size above which a partition is divided; 0 for a store with a
   *     single partition of any size
   */
  public static <F> Layout<F> of(List<FileShape<F>> files, long partitionBytesMax) {
    List<FileShape<F>> all = List.copyOf(files);
    if (partitionBytesMax == 0) {
      return new Layout<>(all, List.of(new Partition<>(KeyRange.ALL, all)), List.of());
    }
    Layout<F> divided = divide(all, bounds(all));
    List<byte[]> kept = divided.boundsWithoutSmallNeighbours(partitionBytesMax / 4);
    Layout<F> merged = kept.size() == divided.partitions.size() - 1 ? divided : divide(all, kept);
    List<byte[]> more = merged.boundsBetweenRuns(partitionBytesMax);
    return more.size() == merged.bounds.size() ? merged : divide(all, more);
  }

  private static <F> List<byte[]> bounds(List<FileShape<F>> files) {
    TreeSet<byte[]> bounds = new TreeSet<>(Arrays::compareUnsigned);
    for (FileShape<F> file : files) {
      file.mark().ifPresent(range -> {
        byte[] from = range.from();
        byte[] to = range.to();
        // The empty row sorts before all others, so it would not divide anything.
        if (from != null && from.length > 0) {
          bounds.add(from);
        }
        if (to != null) {
          bounds.add(to);
        }
      });
    }
    return new ArrayList<>(bounds);
  }

  private static <F> Layout<F> divide(List<FileShape<F>> files, List<byte[]> bounds) {
    List<List<FileShape<F>>> runs = new ArrayList<>();
    for (int i = 0; i <= bounds.size(); i++) {
      runs.add(new ArrayList<>());
    }
    List<FileShape<F>> wide = new ArrayList<>();
    for (FileShape<F> file : files) {
      KeyRange span = file.span();
      byte[] first = span == null ? null : span.from();
      byte[] end = span == null ? null : span.to();
      if (first == null || end == null) {
        wide.add(file);
        continue;
      }
      int index = partitionOf(bounds, first);
      boolean fits = index == bounds.size() || Arrays.compareUnsigned(end, bounds.get(index)) <= 0;
      (fits ? runs.get(index) : wide).add(file);
    }
    List<Partition<F>> partitions = new ArrayList<>();
    for (int i = 0; i <= bounds.size(); i++) {
      byte[] from = i == 0 ? null : bounds.get(i - 1);
      byte[] to = i == bounds.size() ? null : bounds.get(i);
      partitions.add(new Partition<>(KeyRange.of(from, to), runs.get(i)));
    }
    return new Layout<>(files, List.copyOf(partitions), List.copyOf(wide));
  }

  /** The index of the partition that holds a row: the number of bounds at or before the row. */
  private static int partitionOf(List<byte[]> bounds, byte[] row) {
    int low = 0;
    int high = bounds.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (Arrays.compareUnsigned(bounds.get(middle), row) <= 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private List<byte[]> boundsWithoutSmallNeighbours(long bytesMax) {
    List<byte[]> kept = new ArrayList<>();
    long left = partitions.get(0).bytes();
    for (int i = 1; i < partitions.size(); i++) {
      Partition<F> right = partitions.get(i);
      byte[] bound = right.range().from();
      if (left + right.bytes() <= bytesMax || bound == null) {
        left += right.bytes();
      } else {
        kept.add(bound);
        left = right.bytes();
      }
    }
    return kept;
  }

  /** The bounds, plus bounds at the gaps of partitions that are too large. */
  private List<byte[]> boundsBetweenRuns(long bytesMax) {
    List<byte[]> all = new ArrayList<>();
    for (Partition<F> partition : partitions) {
      byte[] from = partition.range().from();
      if (from != null) {
        all.add(from);
      }
      if (partition.bytes() > bytesMax) {
        all.addAll(Gaps.of(partition, bytesMax / 2));
      }
    }
    return all;
  }

  /** All files, from oldest to newest. */
  public List<FileShape<F>> files() {
    return files;
  }

  /** The partitions in the order of their rows; at least one. */
  public List<Partition<F>> partitions() {
    return partitions;
  }

  /** The files that span partitions, from oldest to newest, and files without cells. */
  public List<FileShape<F>> wide() {
    return wide;
  }

  /**
   * The part that some files have of the bytes over their rows.
   *
   * @return from 0 to 1; 1 if no other file shares rows with them
   */
  public double share(Collection<F> some) {
    List<FileShape<F>> chosen =
        files.stream().filter(shape -> some.contains(shape.file())).toList();
    List<FileShape<F>> others = files.stream()
        .filter(
            shape -> !some.contains(shape.file()) && chosen.stream().anyMatch(shape::intersects))
        .toList();
    return part(FileShape.bytes(chosen), FileShape.bytes(others));
  }

  /** The part that a new file will have of the bytes over its rows. */
  public double share(KeyRange span, long bytes) {
    List<FileShape<F>> others = files.stream()
        .filter(shape -> shape.span() != null && span.intersects(shape.span()))
        .toList();
    return part(bytes, FileShape.bytes(others));
  }

  private static double part(long bytes, long others) {
    return bytes == 0 ? 1 : (double) bytes / (bytes + others);
  }

  /**
   * The first rows of all partitions except the first one, ascending; empty for a single partition.
   */
  public List<byte[]> bounds() {
    return bounds;
  }

  /** An upper bound of the number of files that hold one row. */
  public int depth() {
    return depth;
  }

  /** The largest number of wide files over one row. */
  public int wideDepth() {
    return wideDepth;
  }

  /**
   * The value of {@link #depth} after some compactions have finished, each of which leaves a row in
   * one file.
   *
   * @param compactions the inputs of each compaction; no file occurs twice, and files outside the
   *     layout do not count
   */
  public int depthAfter(Collection<Set<F>> compactions) {
    Set<F> read = new HashSet<>();
    int results = 0;
    for (Set<F> inputs : compactions) {
      if (files.stream().anyMatch(file -> inputs.contains(file.file()))) {
        read.addAll(inputs);
        results++;
      }
    }
    boolean divided = partitions.size() > 1;
    int runsLeft = partitions.stream()
        .mapToInt(partition -> deepest(without(partition.runs(), read), divided))
        .max()
        .orElse(0);
    return Math.min(depth, deepest(without(wide, read), divided) + runsLeft + results);
  }

  private static <F> List<FileShape<F>> without(List<FileShape<F>> files, Set<F> left) {
    return files.stream().filter(file -> !left.contains(file.file())).toList();
  }

  /**
   * Some runs of a partition as the shared policies see them. In an undivided store every file
   * counts, wherever its rows lie, as in HBase's engine.
   */
  public PartitionShape shape(Partition<F> partition, List<FileShape<F>> runs) {
    return partitions.size() > 1
        ? new PartitionShape(partition.range(), RunShapes.of(runs))
        : new PartitionShape(KeyRange.ALL, RunShapes.stacked(runs));
  }

  private static <F> int deepest(List<FileShape<F>> files, boolean divided) {
    return divided ? new PartitionShape(KeyRange.ALL, RunShapes.of(files)).depth() : files.size();
  }

  /** The index of the partition that holds a row. */
  public int partitionOf(byte[] row) {
    return partitionOf(bounds, row);
  }

  /** The files whose span contains a row, in no particular order. */
  public List<FileShape<F>> spanning(byte[] row) {
    List<FileShape<F>> runs = partitions.get(partitionOf(row)).runs();
    List<FileShape<F>> found = new ArrayList<>();
    for (FileShape<F> file : wide) {
      if (file.spans(row)) {
        found.add(file);
      }
    }
    for (FileShape<F> file : runs) {
      if (file.spans(row)) {
        found.add(file);
      }
    }
    return found;
  }

  /**
   * Adds the files that must be compacted with the chosen ones, so that no version of a row
   * overtakes another. The result of a compaction is as young as its newest input. So a file older
   * than the newest input must be an input too if it is newer than an input with which it shares
   * rows.
   *
   * @param chosen some of the layout's files
   * @return the chosen files and the added ones, from oldest to newest
   */
  public Set<FileShape<F>> closure(Set<FileShape<F>> chosen) {
    int newest = files.size() - 1;
    while (newest >= 0 && !chosen.contains(files.get(newest))) {
      newest--;
    }
    Set<FileShape<F>> closed = new LinkedHashSet<>();
    for (FileShape<F> file : files.subList(0, newest + 1)) {
      if (chosen.contains(file) || closed.stream().anyMatch(file::intersects)) {
        closed.add(file);
      }
    }
    return closed;
  }
}
