// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.compact;

import io.github.rlsm.base.CursorEntry;
import io.github.rlsm.base.ValuePointer;
import io.github.rlsm.io.AppendFile;
import io.github.rlsm.io.StoreDirectory;
import io.github.rlsm.io.StoreFileName;
import io.github.rlsm.table.TableProperties;
import io.github.rlsm.table.TableWriter;
import io.github.rlsm.version.TableMeta;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.ObjLongConsumer;

/**
 * Creates new tables, forces them, and begins another table when one gets long.
 *
 * <p>Threads: any; each {@link Output} one at a time.
 */
public final class TableFactory {

  /** Mask for the number of entries between two checks for cancellation. */
  private static final int CANCEL_CHECK_MASK = (1 << 10) - 1;

  private final StoreDirectory directory;
  private final TableWriter.Settings settings;
  private final long storeId;
  private final long tableBytesMax;
  private final LongSupplier numbers;
  private final Control control;

  /**
   * The connection of running jobs to the store that runs them.
   *
   * @param written receives the number of bytes written to tables, and the cause
   * @param cancelled polled while tables are written; if true, the job ends with a
   *     {@link JobCancelledException}
   */
  public record Control(ObjLongConsumer<WriteCause> written, BooleanSupplier cancelled) {}

  /**
   * Creates a factory.
   *
   * @param tableBytesMax length at which a table ends and the next begins
   * @param numbers supplies file numbers that were never used before
   * @param control receives the cause and the bytes of each table, and cancels jobs
   */
  public TableFactory(
      StoreDirectory directory,
      TableWriter.Settings settings,
      long storeId,
      long tableBytesMax,
      LongSupplier numbers,
      Control control) {
    this.directory = directory;
    this.settings = settings;
    this.storeId = storeId;
    this.tableBytesMax = tableBytesMax;
    this.numbers = numbers;
    this.control = control;
  }

  /**
   * Begins a sequence of tables. No file is created before the first entry.
   *
   * @param entriesMax the most entries that the tables may get together
   */
  Output begin(WriteCause cause, long entriesMax) {
    return new Output(cause, entriesMax);
  }

  /** A sequence of new tables, with entries in ascending key order. */
  final class Output implements AutoCloseable {

    private final WriteCause cause;
    private final long entriesMax;
    private final List<TableMeta> finished = new ArrayList<>();
    private final List<String> names = new ArrayList<>();
    private AppendFile file;
    private TableWriter writer;
    private long number;
    private boolean kept;
    private boolean forgetting;
    private long added;

    @SuppressWarnings("NullAway.Init") // file and writer are set together, by open()
    private Output(WriteCause cause, long entriesMax) {
      this.cause = cause;
      this.entriesMax = entriesMax;
    }

    /**
     * Drops the pages of these tables from memory once they are durable, so that they evict no
     * other pages. A table stays in memory if as many bytes are free as it has.
     */
    void forgetPages() {
      forgetting = true;
    }

    private TableWriter writer() {
      if ((++added & CANCEL_CHECK_MASK) == 0) {
        checkCancelled();
      }
      if (writer != null && writer.bytesSoFar() >= tableBytesMax) {
        finishTable();
      }
      if (writer == null) {
        open();
      }
      return writer;
    }

    /** Throws if the job is cancelled. */
    void checkCancelled() {
      if (control.cancelled().getAsBoolean()) {
        throw new JobCancelledException();
      }
    }

    /** Adds the entry that a cursor is on. */
    void add(CursorEntry entry) {
      writer().add(entry);
    }

    /** Adds the entry that a cursor is on, with a pointer to its value. */
    void addPointer(CursorEntry entry, ValuePointer pointer) {
      writer().addPointer(entry, pointer);
    }

    private void open() {
      number = numbers.getAsLong();
      String name = StoreFileName.table(number);
      file = directory.create(name);
      names.add(name);
      try {
        TableWriter.Size size = new TableWriter.Size(entriesMax - added + 1, tableBytesMax);
        writer = new TableWriter(file, settings, size, storeId, number);
      } catch (RuntimeException | Error e) {
        file.close();
        throw e;
      }
    }

    /** Finishes the current table, if there is one, and makes it durable. */
    private void finishTable() {
      if (writer == null) {
        return;
      }
      TableProperties properties = writer.finish();
      file.force();
      long bytes = file.length();
      if (forgetting && directory.freeMemoryBytes() < bytes) {
        file.forget(writer.pagesLength());
      }
      control.written().accept(cause, bytes);
      finished.add(new TableMeta(
          number,
          bytes,
          properties.entries(),
          properties.tombstones(),
          properties.keys(),
          properties.seqnos()));
      release();
    }

    @SuppressWarnings("NullAway") // back to the state before open()
    private void release() {
      writer.close();
      file.close();
      writer = null;
      file = null;
    }

    /** Finishes the last table. The tables are then kept when this object is closed. */
    List<TableMeta> finish() {
      finishTable();
      kept = true;
      return List.copyOf(finished);
    }

    /** Closes the current file. Deletes the tables unless they were finished. */
    @Override
    public void close() {
      if (writer != null) {
        release();
      }
      if (!kept) {
        names.forEach(directory::delete);
      }
    }
  }

  /**
   * Signals that a job was cancelled because the store is being closed. The files that the job has
   * written are deleted.
   */
  public static final class JobCancelledException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    JobCancelledException() {
      super("job cancelled: the store is being closed", null, false, false);
    }
  }

  /** The reasons for writes to tables, by which {@code Stats} counts bytes. */
  public enum WriteCause {
    /** A memory component is written to level 0. */
    FLUSH,
    /** Slices of level 0 that are too small to be linked are copied to partitions. */
    COMPACT,
    /** Runs of a partition are rewritten as one. */
    CLEAN
  }
}
