// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.compact;

import io.github.rlsm.base.EntryCursor;
import io.github.rlsm.io.AppendFile;
import io.github.rlsm.io.StoreDirectory;
import io.github.rlsm.io.StoreFileName;
import io.github.rlsm.level.TableProperties;
import io.github.rlsm.level.TableSettings;
import io.github.rlsm.level.TableWriter;
import io.github.rlsm.version.TableMeta;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.ObjLongConsumer;

/**
 * Makes new tables, forced, and cut where they get long.
 *
 * <p>Threads: any; each {@link Output} one at a time.
 */
public final class TableFactory {

  /** Whether to give up is asked every so many entries. */
  private static final int CANCEL_CHECK_MASK = (1 << 10) - 1;

  private final StoreDirectory directory;
  private final TableSettings settings;
  private final long storeId;
  private final long tableBytesMax;
  private final LongSupplier numbers;
  private final ObjLongConsumer<WriteCause> written;
  private final BooleanSupplier cancelled;

  /**
   * A factory.
   *
   * @param tableBytesMax length at which a table is ended and another begun
   * @param numbers file numbers never given before
   * @param written told how many bytes were written, and why
   * @param cancelled asked now and then whether to give up, with a {@link JobCancelledException}
   */
  public TableFactory(
      StoreDirectory directory,
      TableSettings settings,
      long storeId,
      long tableBytesMax,
      LongSupplier numbers,
      ObjLongConsumer<WriteCause> written,
      BooleanSupplier cancelled) {
    this.directory = directory;
    this.settings = settings;
    this.storeId = storeId;
    this.tableBytesMax = tableBytesMax;
    this.numbers = numbers;
    this.written = written;
    this.cancelled = cancelled;
  }

  /** Begins to write tables; none is there until the first entry is added. */
  Output begin(WriteCause cause) {
    return new Output(cause);
  }

  /** A sequence of new tables, with entries in ascending order of key. */
  final class Output implements AutoCloseable {

    private final WriteCause cause;
    private final List<TableMeta> finished = new ArrayList<>();
    private final List<String> names = new ArrayList<>();
    private AppendFile file;
    private TableWriter writer;
    private long number;
    private boolean kept;
    private boolean forgetting;
    private int added;

    @SuppressWarnings("NullAway.Init") // file and writer are set together, by open()
    private Output(WriteCause cause) {
      this.cause = cause;
    }

    /**
     * The pages of these tables leave memory as soon as they are durable, so that what others have
     * there stays.
     */
    void forgetPages() {
      forgetting = true;
    }

    /** The writer to add the next entry to. */
    TableWriter writer() {
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

    /** Gives up if that was asked for. */
    void checkCancelled() {
      if (cancelled.getAsBoolean()) {
        throw new JobCancelledException();
      }
    }

    /** Adds the entry that a cursor is on. */
    void add(EntryCursor entry) {
      writer().add(entry);
    }

    private void open() {
      number = numbers.getAsLong();
      String name = StoreFileName.table(number);
      file = directory.create(name);
      names.add(name);
      try {
        writer = new TableWriter(file, settings, storeId, number);
      } catch (RuntimeException | Error e) {
        file.close();
        throw e;
      }
    }

    /** Ends the table that is being written, if there is one, and makes it durable. */
    private void finishTable() {
      if (writer == null) {
        return;
      }
      TableProperties properties = writer.finish();
      file.force();
      if (forgetting) {
        file.forget(writer.pagesLength());
      }
      long bytes = file.length();
      written.accept(cause, bytes);
      finished.add(new TableMeta(
          number,
          bytes,
          properties.entries(),
          properties.tombstones(),
          properties.smallestKey(),
          properties.largestKey(),
          properties.minSeqno(),
          properties.maxSeqno()));
      release();
    }

    @SuppressWarnings("NullAway") // back to the state before open()
    private void release() {
      writer.close();
      file.close();
      writer = null;
      file = null;
    }

    /** Ends the last table; from now on the tables outlive this object. */
    List<TableMeta> finish() {
      finishTable();
      kept = true;
      return List.copyOf(finished);
    }

    /** Closes what is open; deletes the tables unless they were finished. */
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
}
