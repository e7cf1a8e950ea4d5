// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.write;

import io.github.rlsm.base.KeyRange;
import io.github.rlsm.hbase.files.StoreFileSet;
import io.github.rlsm.hbase.values.KeyFileMark.ValueFile;
import io.github.rlsm.hbase.values.ShadowCell;
import io.github.rlsm.hbase.values.ShadowTag;
import io.github.rlsm.hbase.values.ShadowTag.Pointer;
import io.github.rlsm.hbase.write.PartitionedFileWriter.Annex;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.regionserver.AbstractMultiFileWriter;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.StoreFileWriter;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Writes cells twice: into complete files, and into key files that have shadows for large values. A
 * cell that comes as a shadow has its value in a file that stays, and goes to key files only.
 *
 * <p>Complete files come first when files are put in their place: alone they are all of it, while
 * key files without them would be shadows of nothing. What says that the work is done stands in the
 * last file of all ({@link PartitionedFileWriter}), but for the sequence id of a flush, which has
 * to be that of the one complete file.
 *
 * <p>Threads: the thread of one flush or compaction.
 */
public final class SeparatingWriter extends AbstractMultiFileWriter {

  private final Optional<PartitionedFileWriter> complete;
  private final PartitionedFileWriter keys;
  private final KeyTable table;
  private final LargeValues large;
  private final int valueBytesMin;
  private final boolean inherits;

  /** Counts the large values of a complete file, which tells how much of it is still of use. */
  private static final class LargeValues implements Annex {
    private long bytes;

    @Override
    public void close(StoreFileWriter writer, KeyRange tile) throws IOException {
      writer.appendFileInfo(StoreFileSet.LARGE_VALUES_KEY, Bytes.toBytes(bytes));
      bytes = 0;
    }
  }

  /**
   * How both kinds of files are written.
   *
   * @param complete how complete files are; empty if every value stays where it is
   * @param keys how key files are
   * @param valueBytesMin from how many bytes on a value is large
   * @param inherited what key files among the inputs stood for and these stand for from now on
   */
  public record Plan(
      Optional<FilePlan> complete, FilePlan keys, int valueBytesMin, List<ValueFile> inherited) {
    /** Takes a copy. */
    public Plan {
      inherited = List.copyOf(inherited);
    }
  }

  /**
   * Writes by a plan; {@link #init(WriterFactory, WriterFactory)} tells where.
   *
   * @param meter is told of the bytes of each file
   */
  public SeparatingWriter(CellComparator comparator, Plan plan, LongConsumer meter) {
    this.large = new LargeValues();
    this.table = new KeyTable(plan.valueBytesMin(), plan.inherited());
    this.complete =
        plan.complete().map(files -> new PartitionedFileWriter(comparator, files, meter, large));
    this.keys = new PartitionedFileWriter(comparator, plan.keys(), meter, table);
    this.valueBytesMin = plan.valueBytesMin();
    this.inherits = !plan.inherited().isEmpty();
  }

  /**
   * Says where files are made.
   *
   * @param ofComplete for complete files
   * @param ofKeys for key files, which have tags
   */
  public void init(WriterFactory ofComplete, WriterFactory ofKeys) {
    complete.ifPresent(files -> files.init(null, ofComplete));
    keys.init(null, ofKeys);
  }

  @Override
  public void append(Cell cell) throws IOException {
    if (cell instanceof ShadowCell shadow) {
      appendShadow(shadow);
      return;
    }
    if (ShadowTag.of(cell) != null) {
      return; // Of a file that HBase's engine wrote, which is none of our key files.
    }
    if (complete.isEmpty()) {
      // As it is, in files that stay too: a delete, a small value, or a copy of a coprocessor's.
      keys.append(cell);
      return;
    }
    PartitionedFileWriter files = complete.get();
    files.append(cell);
    String name = files.currentName();
    if (cell.getValueLength() < valueBytesMin || !ShadowTag.fits(cell)) {
      keys.append(cell);
      table.besides(name);
      return;
    }
    large.bytes += cell.getValueLength();
    appendTo(name, cell, cell.getValueLength());
    table.besides(name);
  }

  private void appendShadow(ShadowCell shadow) throws IOException {
    appendTo(shadow.file(), shadow, shadow.getValueLength());
  }

  /** The key file may change before the cell, so that its table must be asked after that. */
  private void appendTo(String name, Cell cell, int valueLength) throws IOException {
    keys.beginRow(cell);
    Optional<Pointer> pointer = table.refer(name, valueLength);
    keys.append(pointer.isPresent() ? ShadowTag.shadowOf(cell, pointer.get()) : cell);
  }

  @Override
  protected Collection<StoreFileWriter> writers() {
    List<StoreFileWriter> writers = new ArrayList<>();
    complete.ifPresent(files -> writers.addAll(files.writers()));
    writers.addAll(keys.writers());
    return writers;
  }

  @Override
  public List<Path> commitWriters(
      long maxSeqId, boolean majorCompaction, Collection<HStoreFile> inputs) throws IOException {
    boolean withKeys = complete.isEmpty() || inherits || !keys.isEmpty();
    List<Path> paths = new ArrayList<>();
    if (complete.isPresent()) {
      paths.addAll(
          complete.get().commitWriters(maxSeqId, majorCompaction, withKeys ? List.of() : inputs));
    }
    if (withKeys) {
      paths.addAll(keys.commitWriters(maxSeqId, majorCompaction, inputs));
    }
    return paths;
  }

  @Override
  public List<Path> abortWriters() {
    List<Path> paths = new ArrayList<>();
    complete.ifPresent(files -> paths.addAll(files.abortWriters()));
    paths.addAll(keys.abortWriters());
    return paths;
  }
}
