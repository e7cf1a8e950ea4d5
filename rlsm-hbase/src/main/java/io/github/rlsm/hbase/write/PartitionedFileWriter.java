// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.write;

import io.github.rlsm.base.KeyRange;
import io.github.rlsm.hbase.files.FileColumns;
import io.github.rlsm.hbase.files.StoreFileSet;
import io.github.rlsm.hbase.layout.PartitionMark;
import io.github.rlsm.hbase.values.ValueReferenceTag;
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
 * Writes sorted cells to one file per partition, and begins another file at the next row when a
 * file is large enough. It writes at least one file, which may be empty and preserves the largest
 * sequence id. One file is open at a time.
 *
 * <p>Files become visible to HBase one after another, in the order they were written, and a crash
 * may happen between any two. So only the last file records that the work is complete, by one of:
 *
 * <ul>
 *   <li>the inputs of a compaction. When HBase opens a store, it drops the inputs that any file
 *       names. If the first file named them, a crash before the last one would lose the last one's
 *       cells;
 *   <li>the sequence id of a flush. HBase does not replay edits unless they are newer than every
 *       file. The files before the last one carry the previous flush's sequence id
 *       ({@link FilePlan#seqId}).
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
  private final FileColumns.Collector columns = new FileColumns.Collector();
  private @Nullable StoreFileWriter current;
  private byte @Nullable [] rangeFrom;
  private byte @Nullable [] rangeTo;
  private byte @Nullable [] tileFrom;
  private byte @Nullable [] tileTo;
  private int nextBound;

  /** The row of the last cell, in an array that is used again for other rows. */
  private byte[] row = {};

  private int rowBytes;

  /** Additional metadata of each file. */
  public interface Annex {

    /** No metadata. */
    Annex NONE = (writer, tile) -> {};

    /**
     * Adds metadata to a file whose cells are complete. The next file begins afterwards.
     *
     * @param tile the rows from the end of the previous file to the start of the next one. The
     *     tiles of all files cover each row once, whether it has cells or not
     */
    void close(StoreFileWriter writer, KeyRange tile) throws IOException;

    /** The size of separated values that the current file refers to; 0 unless it is a key file. */
    default long bytes() {
      return 0;
    }

    /** Whether the files are key files. */
    default boolean hasShadows() {
      return false;
    }
  }

  /**
   * Creates a writer with a plan; {@link #init} sets the destination.
   *
   * @param meter receives the size of each file
   */
  public PartitionedFileWriter(CellComparator comparator, FilePlan plan, LongConsumer meter) {
    this(comparator, plan, meter, Annex.NONE);
  }

  /** Creates a writer of files with additional metadata. */
  public PartitionedFileWriter(
      CellComparator comparator, FilePlan plan, LongConsumer meter, Annex annex) {
    this.annex = annex;
    this.comparator = comparator;
    this.meter = meter;
    this.plan = plan;
  }

  /**
   * A complete file takes no shadows. The shadows of key files never reach this method. HBase's
   * engine can produce other shadows: when it merges key files of a family with
   * {@code NEW_VERSION_BEHAVIOR}, it keeps the shadows although they count as nothing.
   */
  @Override
  public void append(Cell cell) throws IOException {
    if (annex.hasShadows() || ValueReferenceTag.of(cell) == null) {
      beginRow(cell).append(cell);
      columns.add(cell);
    }
  }

  /** Opens the file that a cell belongs to, unless it is open. */
  StoreFileWriter beginRow(Cell cell) throws IOException {
    StoreFileWriter writer = current;
    if (writer == null || comparator.compareRows(cell, row, 0, rowBytes) != 0) {
      writer = writerOf(cell);
      rowBytes = cell.getRowLength();
      if (rowBytes > row.length) {
        row = new byte[rowBytes];
      }
      CellUtil.copyRowTo(cell, row, 0);
    }
    return writer;
  }

  /** The writer for the cells of a row whose first cell is given. */
  private StoreFileWriter writerOf(Cell first) throws IOException {
    int before = nextBound;
    List<byte[]> bounds = plan.bounds();
    while (nextBound < bounds.size() && !isBefore(first, bounds.get(nextBound))) {
      nextBound++;
    }
    StoreFileWriter writer = current;
    if (writer == null || nextBound > before) {
      return begin(nextBound == 0 ? null : bounds.get(nextBound - 1));
    }
    if (plan.cutBytes() != FilePlan.UNCUT && writer.getPos() + annex.bytes() >= plan.cutBytes()) {
      byte[] next = CellUtil.cloneRow(first);
      rangeTo = next;
      return begin(next);
    }
    return writer;
  }

  private boolean isBefore(Cell cell, byte[] bound) {
    return comparator.compareRows(cell, bound, 0, bound.length) < 0;
  }

  private StoreFileWriter begin(byte @Nullable [] from) throws IOException {
    StoreFileWriter done = current;
    if (done != null) {
      tileTo = from;
      done.appendMetadata(plan.seqId(), plan.major(), List.of());
      preCloseWriter(done);
      // From here on only the file's path is needed, even if the close fails.
      current = null;
      closed.add(done.getPath());
      done.close();
      tileFrom = from;
    }
    tileTo = null;
    StoreFileWriter writer = writerFactory.createWriter();
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
    Optional<byte[]> ofFile = columns.end();
    if (ofFile.isPresent()) {
      writer.appendFileInfo(StoreFileSet.COLUMNS_KEY, ofFile.get());
    }
    annex.close(writer, KeyRange.of(tileFrom, tileTo));
    meter.accept(writer.getPos());
  }

  /** Whether no cell was written. */
  public boolean isEmpty() {
    return current == null && closed.isEmpty();
  }

  /** The file that holds the last cell. */
  StoreFileWriter current() {
    return Objects.requireNonNull(current);
  }

  /** The name of the file that holds the last cell. */
  public String currentName() {
    return current().getPath().getName();
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
