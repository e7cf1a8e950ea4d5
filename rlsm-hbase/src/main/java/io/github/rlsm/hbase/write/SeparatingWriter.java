// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.write;

import static io.github.rlsm.hbase.values.ValueReferenceTag.UNKNOWN_OFFSET;

import io.github.rlsm.base.KeyRange;
import io.github.rlsm.hbase.files.StoreFileSet;
import io.github.rlsm.hbase.values.KeyFileMark.ValueFile;
import io.github.rlsm.hbase.values.ShadowCell;
import io.github.rlsm.hbase.values.ValueReferenceTag;
import io.github.rlsm.hbase.values.ValueReferenceTag.Pointer;
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
import org.apache.hadoop.hbase.ExtendedCell;
import org.apache.hadoop.hbase.regionserver.AbstractMultiFileWriter;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.StoreFileWriter;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Writes each cell twice: to a complete file, and to a key file, where a shadow replaces a large
 * value. A cell that arrives as a shadow has its value in a file that stays, and goes to key files
 * only.
 *
 * <p>HBase adds complete files to the store before key files. Complete files alone hold all data,
 * while key files without them would hold shadows without values. The last file of all records that
 * the work is complete ({@link PartitionedFileWriter}). The exception is the sequence id of a
 * flush, which the single complete file must carry.
 *
 * <p>Threads: the thread of one flush or compaction.
 */
public final class SeparatingWriter extends AbstractMultiFileWriter {

  private final Optional<PartitionedFileWriter> complete;
  private final PartitionedFileWriter keys;
  private final ValueFileTable table;
  private final LargeValues large;
  private final int valueBytesMin;
  private final boolean inherits;
  private final CellOffsets offsets;

  /** Counts the large values of a complete file, from which the live fraction is computed later. */
  private static final class LargeValues implements Annex {
    private long bytes;

    @Override
    public void close(StoreFileWriter writer, KeyRange tile) throws IOException {
      writer.appendFileInfo(StoreFileSet.LARGE_VALUES_KEY, Bytes.toBytes(bytes));
      bytes = 0;
    }
  }

  /**
   * The rules for writing both kinds of files.
   *
   * @param complete the plan for complete files; empty if every value stays where it is
   * @param keys the plan for key files
   * @param valueBytesMin the smallest length of a large value, in bytes
   * @param inherited the covers of the input key files that the new key files take over
   * @param offsets the offsets of cells in complete files
   */
  public record Plan(
      Optional<FilePlan> complete,
      FilePlan keys,
      int valueBytesMin,
      List<ValueFile> inherited,
      CellOffsets offsets) {
    /** Copies the inherited entries. */
    public Plan {
      inherited = List.copyOf(inherited);
    }
  }

  /**
   * Creates a writer with a plan; {@link #init(WriterFactory, WriterFactory)} sets the destination.
   *
   * @param meter receives the size of each file
   */
  public SeparatingWriter(CellComparator comparator, Plan plan, LongConsumer meter) {
    this.large = new LargeValues();
    this.table = new ValueFileTable(plan.valueBytesMin(), plan.inherited());
    this.complete =
        plan.complete().map(files -> new PartitionedFileWriter(comparator, files, meter, large));
    this.keys = new PartitionedFileWriter(comparator, plan.keys(), meter, table);
    this.valueBytesMin = plan.valueBytesMin();
    this.offsets = plan.offsets();
    this.inherits = !plan.inherited().isEmpty();
  }

  /**
   * Sets the writer factories.
   *
   * @param ofComplete creates complete files
   * @param ofKeys creates key files, which have tags
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
    if (ValueReferenceTag.of(cell) != null) {
      return; // HBase's engine wrote this shadow to a file that is not a key file.
    }
    if (complete.isEmpty()) {
      // A delete, a small value, or a coprocessor's copy is written in full; a complete file that
      // stays holds it too.
      keys.append(cell);
      return;
    }
    PartitionedFileWriter files = complete.get();
    files.append(cell);
    String name = files.currentName();
    long offset = offsets.of(files.current(), (ExtendedCell) cell);
    if (cell.getValueLength() < valueBytesMin || !ValueReferenceTag.fits(cell)) {
      keys.append(cell);
      table.besides(name);
      return;
    }
    large.bytes += cell.getValueLength();
    appendTo(name, cell, offset, offset == UNKNOWN_OFFSET ? 0 : CellOffsets.checksum(cell));
    table.besides(name);
  }

  private void appendShadow(ShadowCell shadow) throws IOException {
    Pointer before = shadow.pointer();
    appendTo(shadow.file(), shadow, before.offset(), before.checksum());
  }

  /** Opening the cell's key file may reset the table, so the table is consulted afterwards. */
  private void appendTo(String name, Cell cell, long offset, int checksum) throws IOException {
    keys.beginRow(cell);
    Optional<Pointer> pointer = table.refer(name, (ExtendedCell) cell, offset, checksum);
    keys.append(pointer.isPresent() ? ValueReferenceTag.shadowOf(cell, pointer.get()) : cell);
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
    // Without a complete cell, the key files alone record that the work is complete.
    if (complete.isPresent() && !(withKeys && complete.get().isEmpty())) {
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
