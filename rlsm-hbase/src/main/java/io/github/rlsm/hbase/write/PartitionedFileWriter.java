// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.write;

import io.github.rlsm.base.KeyRange;
import io.github.rlsm.hbase.files.StoreFileSet;
import io.github.rlsm.hbase.layout.PartitionMark;
import io.github.rlsm.hbase.layout.RowFilterBuilder;
import io.github.rlsm.hbase.layout.RowHash;
import io.github.rlsm.hbase.values.ShadowTag;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.LongConsumer;
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
 * sequence id on. One file is open at a time.
 *
 * <p>Files become visible to HBase one after another, in the order they were written, and a crash
 * may come between any two. So what says that the work is done stands in the last one only:
 *
 * <ul>
 *   <li>the inputs of a compaction. HBase, when it opens a store, drops the inputs that any file
 *       names; did the first one name them, then a crash before the last one would lose what that
 *       one holds;
 *   <li>the sequence id of a flush. HBase does not replay what is not newer than any file; the
 *       files before the last one carry that of the flush before ({@link FilePlan#seqId}).
 * </ul>
 *
 * <p>Threads: the thread of one flush or compaction.
 */
public final class PartitionedFileWriter extends AbstractMultiFileWriter {

  private final CellComparator comparator;
  private final FilePlan plan;
  private final LongConsumer meter;
  private final Annex annex;

  private final List<Path> closed = new ArrayList<>();
  private @Nullable StoreFileWriter current;
  private RowFilterBuilder rows;
  private byte @Nullable [] rangeFrom;
  private byte @Nullable [] rangeTo;
  private byte @Nullable [] tileFrom;
  private byte @Nullable [] tileTo;
  private int nextBound;
  private byte @Nullable [] row;

  /** What belongs to a file beside its cells. */
  public interface Annex {

    /** Nothing. */
    Annex NONE = (writer, tile) -> {};

    /**
     * A file is complete, but for its metadata, and the next one begins after this.
     *
     * @param tile the rows from where the file before it ends to where the next one begins: each
     *     row is in one file's, whether it has cells or not
     */
    void close(StoreFileWriter writer, KeyRange tile) throws IOException;

    /** Bytes that the current file stands for and does not have; 0 unless it is a key file. */
    default long bytes() {
      return 0;
    }

    /** Whether these are key files. */
    default boolean hasShadows() {
      return false;
    }
  }

  /**
   * Writes by a plan; {@link #init} tells where.
   *
   * @param meter is told of the bytes of each file
   */
  public PartitionedFileWriter(CellComparator comparator, FilePlan plan, LongConsumer meter) {
    this(comparator, plan, meter, Annex.NONE);
  }

  /** The same for files to which something belongs. */
  public PartitionedFileWriter(
      CellComparator comparator, FilePlan plan, LongConsumer meter, Annex annex) {
    this.annex = annex;
    this.comparator = comparator;
    this.meter = meter;
    this.plan = plan;
    this.rows = new RowFilterBuilder(plan.filterBits());
  }

  /**
   * A complete file takes no shadows. Those of key files never come here; HBase's engine, where it
   * merges key files of a family with {@code NEW_VERSION_BEHAVIOR}, keeps what is nothing to it.
   */
  @Override
  public void append(Cell cell) throws IOException {
    if (annex.hasShadows() || ShadowTag.of(cell) == null) {
      beginRow(cell).append(cell);
    }
  }

  /** Sees to it that the current file is the one that a cell belongs to. */
  StoreFileWriter beginRow(Cell cell) throws IOException {
    StoreFileWriter writer = current;
    byte[] last = row;
    if (writer == null || last == null || !CellUtil.matchingRows(cell, last)) {
      byte[] next = CellUtil.cloneRow(cell);
      writer = writerOf(next);
      row = next;
      rows.add(RowHash.of(next));
    }
    return writer;
  }

  /** The writer for the cells of a row that now begins. */
  private StoreFileWriter writerOf(byte[] next) throws IOException {
    int before = nextBound;
    List<byte[]> bounds = plan.bounds();
    while (nextBound < bounds.size() && !isBefore(next, bounds.get(nextBound))) {
      nextBound++;
    }
    StoreFileWriter writer = current;
    if (writer == null || nextBound > before) {
      return begin(nextBound == 0 ? null : bounds.get(nextBound - 1));
    }
    if (plan.cutBytes() != FilePlan.UNCUT && writer.getPos() + annex.bytes() >= plan.cutBytes()) {
      rangeTo = next;
      return begin(next);
    }
    return writer;
  }

  private boolean isBefore(byte[] left, byte[] right) {
    return comparator.compareRows(left, right) < 0;
  }

  private StoreFileWriter begin(byte @Nullable [] from) throws IOException {
    StoreFileWriter done = current;
    if (done != null) {
      tileTo = from;
      done.appendMetadata(plan.seqId(), plan.major(), List.of());
      preCloseWriter(done);
      // From here on only its path is of use, if it cannot be closed too.
      current = null;
      closed.add(done.getPath());
      done.close();
      tileFrom = from;
    }
    tileTo = null;
    StoreFileWriter writer = writerFactory.createWriter();
    rows = new RowFilterBuilder(plan.filterBits());
    rangeFrom = from;
    rangeTo = nextBound == plan.bounds().size() ? null : plan.bounds().get(nextBound);
    current = writer;
    return writer;
  }

  @Override
  public Collection<StoreFileWriter> writers() {
    return Optional.ofNullable(current).stream().toList();
  }

  @Override
  protected void preCommitWriters() throws IOException {
    if (current == null) {
      begin(null);
    }
  }

  @Override
  protected void preCloseWriter(StoreFileWriter writer) throws IOException {
    if (plan.marked()) {
      writer.appendFileInfo(
          StoreFileSet.MARK_KEY, PartitionMark.encode(KeyRange.of(rangeFrom, rangeTo)));
    }
    Optional<byte[]> filter = rows.bytes();
    if (filter.isPresent()) {
      writer.appendFileInfo(StoreFileSet.ROWS_KEY, filter.get());
    }
    annex.close(writer, KeyRange.of(tileFrom, tileTo));
    meter.accept(writer.getPos());
  }

  /** Whether nothing was written. */
  public boolean isEmpty() {
    return current == null && closed.isEmpty();
  }

  /** The name of the file that the last cell went to. */
  public String currentName() {
    return Objects.requireNonNull(current).getPath().getName();
  }

  @Override
  public List<Path> commitWriters(
      long maxSeqId, boolean majorCompaction, Collection<HStoreFile> inputs) throws IOException {
    List<Path> last = super.commitWriters(maxSeqId, majorCompaction, inputs);
    List<Path> paths = new ArrayList<>(closed);
    paths.addAll(last);
    return paths;
  }

  @Override
  public List<Path> abortWriters() {
    List<Path> paths = new ArrayList<>(closed);
    paths.addAll(super.abortWriters());
    return paths;
  }
}
