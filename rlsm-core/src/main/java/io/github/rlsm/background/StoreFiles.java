// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.background;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.rlsm.background.BackgroundError.Activity;
import io.github.rlsm.compact.TableFactory;
import io.github.rlsm.io.FilterDirectory;
import io.github.rlsm.io.MappedFile;
import io.github.rlsm.io.StoreDirectory;
import io.github.rlsm.io.StoreFileName;
import io.github.rlsm.kv.ResourceExhaustedException;
import io.github.rlsm.kv.StoreIoException;
import io.github.rlsm.read.ReadStates;
import io.github.rlsm.table.PageCache;
import io.github.rlsm.table.ReadCounters;
import io.github.rlsm.table.Table;
import io.github.rlsm.table.TableWriter;
import io.github.rlsm.thread.Environment;
import io.github.rlsm.valuelog.ValueLog;
import io.github.rlsm.version.TableMeta;
import io.github.rlsm.version.Version;
import io.github.rlsm.version.VersionEdit;
import io.github.rlsm.versionset.ManifestRecovery;
import io.github.rlsm.versionset.VersionHost;
import io.github.rlsm.versionset.VersionSet;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;

/**
 * The files of an open store that hold flushed data: tables, value segments and the manifest that
 * names them. Opens them when they are first read, and deletes them once no reader needs them.
 *
 * <p>Threads: any. All fields are constant after construction, except the flag that cancels jobs.
 */
public final class StoreFiles {

  /**
   * How files are written and read.
   *
   * @param tables how tables are written
   * @param tableBytesMax length at which a table is finished
   * @param cacheBytes budget of the page cache
   * @param verifyEveryRead whether pages are checked at every read
   * @param manifestRollBytes length at which a new manifest is started
   */
  public record Settings(
      TableWriter.Settings tables,
      long tableBytesMax,
      long cacheBytes,
      boolean verifyEveryRead,
      long manifestRollBytes) {}

  private final StoreDirectory.Lock lock;
  private final BackgroundError errors;
  private final DeferredDeletes directory;

  /**
   * Closes and deletes files on a separate thread. Deletion takes as long as the kernel needs to
   * drop the cached pages.
   */
  private final DeferredCleanup deletions;

  private final PageCache cache;
  private final ReadCounters reads = new ReadCounters();
  private final MappedFiles mapped;
  private final NavigableSet<Integer> droppedSegments = new ConcurrentSkipListSet<>();
  private final ValueLog values;
  private final Host host;
  private final VersionSet<Table> versions;
  private final TableFactory tables;
  private final Map<TableFactory.WriteCause, LongAdder> tableBytes =
      new EnumMap<>(TableFactory.WriteCause.class);
  private volatile boolean closing;

  /**
   * Opens the files that a manifest names, and deletes all others.
   *
   * @param lock the lock of the directory
   * @param opened receives the resources that must be closed if the store cannot be opened
   */
  public StoreFiles(
      StoreDirectory directory,
      StoreDirectory.Lock lock,
      ManifestRecovery.Recovered manifest,
      Settings settings,
      Environment environment,
      Deque<AutoCloseable> opened) {
    this.lock = lock;
    errors =
        new BackgroundError(directory.path(), environment.nanoClock(), environment.scheduler());
    this.directory = new DeferredDeletes(directory, errors, droppedSegments);
    for (TableFactory.WriteCause cause : TableFactory.WriteCause.values()) {
      tableBytes.put(cause, new LongAdder());
    }
    deletions = new DeferredCleanup(environment.scheduler()::delete, errors);
    opened.push(deletions::run);
    cache = new PageCache(settings.cacheBytes);
    mapped = new MappedFiles(this.directory, environment.scheduler());
    values =
        new ValueLog(this.directory, manifest.storeId(), environment.nanoClock(), mapped::mapped);
    opened.push(values);
    host = new Host(manifest.storeId(), new Table.Access(cache, reads, settings.verifyEveryRead));
    versions = VersionSet.open(this.directory, manifest, host, settings.manifestRollBytes);
    opened.push(versions);
    ManifestRecovery.orphans(versions.current(), versions.manifestNumber(), this.directory.list())
        .forEach(this.directory::delete);
    tables = new TableFactory(
        this.directory,
        settings.tables,
        versions.storeId(),
        settings.tableBytesMax,
        versions::newFileNumber,
        new TableFactory.Control(this::countTableBytes, () -> closing));
  }

  /** Opens and closes tables and frees value segments for the version set. Threads: any. */
  private final class Host implements VersionHost<Table> {

    private final long storeId;
    private final Table.Access access;
    private final AtomicLong openTables = new AtomicLong();

    Host(long storeId, Table.Access access) {
      this.storeId = storeId;
      this.access = access;
    }

    @Override
    public Table openTable(TableMeta meta) {
      MappedFile file = directory.openReadOnly(StoreFileName.table(meta.number()));
      try {
        Table table = Table.open(file, storeId, meta.number(), access);
        openTables.incrementAndGet();
        mapped.mapped();
        return table;
      } catch (RuntimeException | Error e) {
        file.close();
        throw e;
      }
    }

    @Override
    public void closeTable(Table table) {
      openTables.decrementAndGet();
      table.close();
    }

    @Override
    public void freeSegment(int number) {
      values.free(number);
    }

    @Override
    public void punchSegment(int number, long[] ranges) {
      values.punch(number, ranges);
    }

    @Override
    public void execute(Runnable task) {
      deletions.add(task);
    }
  }

  /** Starts to limit the number of mapped files, see {@link MappedFiles}. */
  void limitMappings(ReadStates readStates) {
    mapped.start(versions, values, readStates);
  }

  /** Returns the directory, whose failed deletions are retried. */
  public StoreDirectory directory() {
    return directory;
  }

  /** Retries the deletions that failed. */
  void retryDeletions() {
    directory.retry();
  }

  /** Returns the lock of the directory. */
  public StoreDirectory.Lock lock() {
    return lock;
  }

  /** Returns the value log. */
  public ValueLog values() {
    return values;
  }

  /** Returns the versions of the set of live files. */
  public VersionSet<Table> versions() {
    return versions;
  }

  /** Returns the factory of new tables. */
  TableFactory tables() {
    return tables;
  }

  /**
   * Returns the numbers of the value segments that jobs have written and dropped from memory,
   * because memory was short. A job adds them before any thread can delete them. Their deletion
   * removes them, in a time that hardly depends on their number. Threads: any.
   */
  NavigableSet<Integer> droppedSegments() {
    return droppedSegments;
  }

  /** Sets what to do after files were deleted. */
  void whenDeleted(Runnable action) {
    deletions.whenDone(action);
  }

  /** Returns the counters of page reads. */
  public ReadCounters reads() {
    return reads;
  }

  /** Returns the error state of the store. */
  public BackgroundError errors() {
    return errors;
  }

  /** Returns the number of mapped files. */
  public long mappedFiles() {
    return host.openTables.get() + values.openSegments();
  }

  /** Returns the memory of the page cache. */
  public long cacheBytes() {
    return cache.bytes();
  }

  private void countTableBytes(TableFactory.WriteCause cause, long bytes) {
    tableBytes.getOrDefault(cause, new LongAdder()).add(bytes);
  }

  /** Returns the bytes of tables written for a cause. */
  public long tableBytes(TableFactory.WriteCause cause) {
    return tableBytes.getOrDefault(cause, new LongAdder()).sum();
  }

  /** Bytes of memory that nothing uses. */
  long freeMemoryBytes() {
    return directory.freeMemoryBytes();
  }

  /** Returns the memory that this process may use, page cache included. */
  long memoryBytes() {
    return directory.memoryBytes();
  }

  /** Whether the device has more free space than this. */
  boolean hasRoom(long bytes) {
    try {
      return directory.freeBytes() > bytes;
    } catch (StoreIoException e) {
      return true; // the retry will report the error
    }
  }

  /** Installs an edit on behalf of a user's call. */
  public Version install(Function<Version, VersionEdit> maker) {
    errors.check();
    try {
      Version installed = versions.install(maker);
      errors.worked(Activity.INSTALL);
      return installed;
    } catch (StoreIoException | Error e) {
      errors.report(e, Activity.INSTALL);
      throw e;
    }
  }

  /** Repairs the manifest after an edit could not be installed. */
  void repairManifest() {
    try {
      versions.repair();
      errors.worked(Activity.INSTALL);
    } catch (RuntimeException | Error e) {
      errors.report(e, Activity.INSTALL);
    }
  }

  /**
   * Records in the manifest how far the log is durable, unless all of it is in tables. So the next
   * opening detects if the log of a closed store was lost.
   */
  public void recordDurable(long seqno) {
    Version now = versions.current();
    if (seqno > Math.max(now.flushedSeqno(), now.durableSeqno())) {
      try {
        versions.install(VersionEdit.builder().durable(seqno).build());
      } catch (ResourceExhaustedException e) {
        // The record only helps to detect damage. The data is safe without it, and closing must
        // succeed.
      }
    }
  }

  /** Ends jobs that write tables. */
  void cancelJobs() {
    closing = true;
  }

  /** Whether the store is closing. */
  public boolean isClosing() {
    return closing;
  }

  /** Runs a task that deletes a file on the thread for deletions. */
  void deleteLater(Runnable task) {
    deletions.add(task);
  }

  /** Closes and deletes the files that no reader needs any more. */
  public void runDeletions() {
    deletions.run();
  }

  /**
   * A directory that retries failed deletions later. The file stays until then; the next opening of
   * the store sweeps it if it still exists. So a failed unlink blocks no write. A deleted file is
   * not loaded again.
   *
   * <p>Only deletions of numbered files are deferred. A number is never reused while the store is
   * open, so a later retry cannot delete another file of the same name.
   *
   * <p>Threads: any.
   */
  private static final class DeferredDeletes extends FilterDirectory {

    private final BackgroundError errors;
    private final Set<Integer> droppedSegments;

    @GuardedBy("itself")
    private final Set<String> left = new LinkedHashSet<>();

    DeferredDeletes(
        StoreDirectory directory, BackgroundError errors, Set<Integer> droppedSegments) {
      super(directory);
      this.droppedSegments = droppedSegments;
      this.errors = errors;
    }

    @Override
    public void delete(String name) {
      attempt(name, () -> super.delete(name));
    }

    @Override
    public void deleteClosed(String name) {
      attempt(name, () -> super.deleteClosed(name));
    }

    private void attempt(String name, Runnable deletion) {
      StoreFileName.parse(name)
          .filter(file -> file.type() == StoreFileName.Type.VALUE_LOG)
          .ifPresent(file -> droppedSegments.remove((int) file.number()));
      try {
        deletion.run();
      } catch (StoreIoException e) {
        if (!isNumbered(name)) {
          throw e;
        }
        synchronized (left) {
          left.add(name);
        }
        errors.report(e, Activity.DELETE);
      }
    }

    private static boolean isNumbered(String name) {
      return StoreFileName.parse(name)
          .filter(file -> switch (file.type()) {
            case TABLE, MANIFEST, WRITE_AHEAD_LOG, VALUE_LOG -> true;
            case CURRENT, CURRENT_TEMPORARY, SHARDS, SHARDS_TEMPORARY -> false;
            case LOG_DEVICE, LOG_DEVICE_TEMPORARY, SEGMENT_TEMPORARY, LOCK -> false;
          })
          .isPresent();
    }

    /** Retries the failed deletions. */
    void retry() {
      List<String> names;
      synchronized (left) {
        names = new ArrayList<>(left);
      }
      try {
        for (String name : names) {
          if (exists(name)) { // a deletion can succeed and still report an error
            super.delete(name);
          }
          synchronized (left) {
            left.remove(name);
          }
        }
      } catch (StoreIoException e) {
        errors.report(e, Activity.DELETE);
        return;
      }
      synchronized (left) {
        if (left.isEmpty()) {
          errors.worked(Activity.DELETE);
        }
      }
    }
  }
}
