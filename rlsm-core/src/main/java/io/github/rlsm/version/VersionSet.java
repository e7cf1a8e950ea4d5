// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.version;

import io.github.rlsm.io.StoreDirectory;
import io.github.rlsm.io.StoreFileName;
import io.github.rlsm.kv.StoreClosedException;
import io.github.rlsm.kv.StoreFailedException;
import io.github.rlsm.log.ManifestMark;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The current version of a store, and the only place where it is changed: on disk first, then in
 * memory. It lets readers pin a version without a lock, and frees files that no version needs.
 *
 * <p><b>Pinning.</b> A reader loads the current version and adds itself to its {@link PinCount}; if
 * that is refused, the version has been retired, so a newer one is current, and the reader begins
 * again. An installer publishes the new version first and retires the old one then. So a reader
 * holds a version that was current at some moment of its call, and never one whose files may go; no
 * second look at the current version is needed after the pin.
 *
 * <p>A reader that reads memory components too must take hold of those <i>before</i> it pins the
 * version: what a flush moves is in the new version before it leaves memory.
 *
 * <p><b>Failure.</b> When an edit cannot be written, nobody knows whether it will be there after
 * the next open. The set keeps its version, takes no more edits, and files of either outcome stay.
 *
 * <p>Invariants:
 *
 * <ol>
 *   <li>The current version is on disk and durable before a reader can see it.
 *   <li>A file is deleted only if neither the version on disk nor one that is pinned names it.
 * </ol>
 *
 * <p>Threads: any. {@link #current}, {@link #pin} and unpinning take no lock; edits are installed
 * one at a time.
 *
 * @param <T> an open table
 */
public final class VersionSet<T> implements AutoCloseable {

  private final StoreDirectory directory;
  private final long storeId;
  private final VersionHost<T> host;
  private final long rollBytes;
  private final AtomicLong nextFileNumber;
  private final ObsoleteFiles obsolete = new ObsoleteFiles();

  private final ReentrantLock installing = new ReentrantLock();

  /** Guarded by {@link #installing}. */
  private final TableHandles<T> handles;

  /** Guarded by {@link #installing}. */
  private ManifestWriter manifest;

  /** Length at which the manifest is rolled; guarded by {@link #installing}. */
  private long rollAt;

  /** How far the manifest in force is durable; written under {@link #installing}. */
  private volatile ManifestMark mark;

  /** The first error of an install; guarded by {@link #installing}. */
  private @Nullable Throwable failure;

  /**
   * Null once closed. Written under {@link #installing}; the write publishes the version and all
   * that hangs on it.
   */
  private volatile @Nullable LiveVersion<T> current;

  private VersionSet(
      StoreDirectory directory, RecoveredManifest recovered, VersionHost<T> host, long rollBytes) {
    this.directory = directory;
    this.storeId = recovered.storeId();
    this.host = host;
    this.handles = new TableHandles<>(host);
    this.rollBytes = rollBytes;
    nextFileNumber = new AtomicLong(recovered.nextFileNumber());
    long number = newFileNumber();
    Version version = withNextFileNumber(recovered.version(), number + 1);
    manifest = startManifest(number, version);
    mark = manifest.mark();
    current = handles.enliven(version, null, this::died);
    obsolete.born(version);
  }

  /**
   * Continues from what was recovered: writes the version to a new manifest and puts it in force.
   * The manifest before it is left to {@link OrphanSweep}.
   *
   * @param recovered with a store id: see {@link RecoveredManifest#withStoreId(long,
   *     java.util.Map)}
   * @param rollBytes length at which a manifest is replaced by a new one; a long snapshot raises it
   * @throws io.github.rlsm.kv.StoreIoException if the manifest could not be written; what was
   *     recovered is still there
   */
  public static <T> VersionSet<T> open(
      StoreDirectory directory, RecoveredManifest recovered, VersionHost<T> host, long rollBytes) {
    if (recovered.storeId() == 0) {
      throw new IllegalArgumentException("a new store needs an id other than 0");
    }
    return new VersionSet<>(directory, recovered, host, rollBytes);
  }

  /** The store's id, in the header of each of its files. */
  public long storeId() {
    return storeId;
  }

  /** A number for a new table, never given before. */
  public long newFileNumber() {
    return nextFileNumber.getAndIncrement();
  }

  /** Number of the manifest in force. */
  public long manifestNumber() {
    installing.lock();
    try {
      return manifest.number();
    } finally {
      installing.unlock();
    }
  }

  /** Length of the manifest in force. */
  public long manifestBytes() {
    installing.lock();
    try {
      return manifest.length();
    } finally {
      installing.unlock();
    }
  }

  /** How far the manifest has got, durably. Takes no lock. */
  public ManifestMark mark() {
    return mark;
  }

  /**
   * The current version, as a value: its tables may be closed and deleted at any time.
   *
   * @throws StoreClosedException after {@link #close}
   */
  public Version current() {
    return live().version();
  }

  /**
   * Pins the current version. Allocates nothing, takes no lock.
   *
   * @throws StoreClosedException after {@link #close}
   */
  public PinnedVersion<T> pin() {
    int stripe = PinCount.stripe();
    while (true) {
      PinnedVersion<T> pinned = live().tryPin(stripe);
      if (pinned != null) {
        return pinned;
      }
    }
  }

  private LiveVersion<T> live() {
    LiveVersion<T> live = current;
    if (live == null) {
      throw new StoreClosedException("store");
    }
    return live;
  }

  /** As {@link #install(Function)}, for an edit that is made already. */
  public Version install(VersionEdit edit) {
    return install(current -> edit);
  }

  /**
   * Makes an edit of the current version durable, then lets everyone see the version it makes. The
   * files the edit adds must be forced; their names are made durable here.
   *
   * @param maker is given the current version, which nobody else changes meanwhile, and makes the
   *     edit
   * @return the version that is current now
   * @throws IllegalStateException if the edit does not fit the current version; nothing is changed
   * @throws io.github.rlsm.kv.StoreIoException if the edit could not be written; whether the next
   *     open finds it is unknown, so the files it adds must stay, and every later install is
   *     refused
   * @throws StoreFailedException if an earlier install could not be written
   * @throws StoreClosedException after {@link #close}
   */
  public Version install(Function<Version, VersionEdit> maker) {
    return install(maker, Map.of());
  }

  /**
   * As {@link #install(Function)}, and has holes punched as soon as nobody reads what was there.
   *
   * @param holes ranges by value-log segment, into which pointers of tables lead that the edit
   *     removes, and no others
   */
  public Version install(Function<Version, VersionEdit> maker, Map<Integer, long[]> holes) {
    installing.lock();
    try {
      LiveVersion<T> before = live();
      if (failure != null) {
        throw new StoreFailedException(failure);
      }
      VersionEdit edit = maker.apply(before.version());
      Version after = before.version().apply(edit);
      if (after.nextFileNumber() > nextFileNumber.get()) {
        throw new IllegalStateException("the edit adds a table whose number was never given");
      }
      if (edit.isEmpty()) {
        return before.version();
      }
      Version installed = persistAndPublish(before, edit, after);
      holes.forEach((number, ranges) -> punch(installed, number, ranges));
      before.retire();
      return installed;
    } finally {
      installing.unlock();
    }
  }

  private Version persistAndPublish(LiveVersion<T> before, VersionEdit edit, Version after) {
    try {
      if (edit.addsFiles()) {
        directory.syncDirectory();
      }
      Version persisted = after;
      if (manifest.length() < rollAt) {
        manifest.append(edit);
      } else {
        persisted = roll(after);
      }
      mark = manifest.mark();
      publish(before, persisted);
      return persisted;
    } catch (RuntimeException | Error e) {
      failure = e;
      throw e;
    }
  }

  /** Installs a version by way of a new manifest. */
  private Version roll(Version after) {
    long number = newFileNumber();
    Version version = withNextFileNumber(after, number + 1);
    ManifestWriter old = manifest;
    manifest = startManifest(number, version);
    host.execute(() -> {
      old.close();
      directory.delete(StoreFileName.manifest(old.number()));
    });
    return version;
  }

  private static Version withNextFileNumber(Version version, long number) {
    return version.apply(VersionEdit.builder().nextFileNumber(number).build());
  }

  private ManifestWriter startManifest(long number, Version version) {
    ManifestWriter writer = ManifestWriter.create(directory, storeId, number, version);
    try {
      CurrentMarker.write(directory, storeId, number);
    } catch (RuntimeException | Error e) {
      writer.close();
      throw e;
    }
    // A factor keeps a store with a long snapshot from writing it again at every edit.
    rollAt = Math.max(rollBytes, 2 * writer.length());
    return writer;
  }

  private void publish(LiveVersion<T> before, Version after) {
    LiveVersion<T> next = handles.enliven(after, before, this::died);
    obsolete.born(after);
    current = next;
    dropTables(before.version(), after);
    dropSegments(before.version(), after);
  }

  private void dropTables(Version before, Version after) {
    for (TableMeta table : before.tables()) {
      long number = table.number();
      if (after.table(number) == null) {
        TableHandle<T> handle = handles.remove(number);
        obsolete.dropped(version -> version.table(number) != null, () -> {
          handle.close();
          directory.deleteClosed(table.fileName());
        });
      }
    }
  }

  private void dropSegments(Version before, Version after) {
    for (SegmentAccount segment : before.segments()) {
      int number = segment.number();
      if (after.segment(number) == null) {
        obsolete.dropped(
            version -> version.segment(number) != null, () -> host.freeSegment(number));
      }
    }
  }

  private void punch(Version after, int number, long[] ranges) {
    if (after.segment(number) != null) {
      obsolete.dropped(
          version -> isOther(version, after) && version.segment(number) != null,
          () -> host.punchSegment(number, ranges));
    }
  }

  @SuppressWarnings("ReferenceEquality") // a version is one object
  private static boolean isOther(Version version, Version after) {
    return version != after;
  }

  private void died(LiveVersion<T> dead) {
    List<Runnable> free = obsolete.died(dead.version());
    if (!free.isEmpty()) {
      host.execute(() -> runAll(free));
    }
  }

  /** Runs every task even if one fails; then throws the first failure. */
  private static void runAll(List<Runnable> tasks) {
    RuntimeException first = null;
    for (Runnable task : tasks) {
      try {
        task.run();
      } catch (RuntimeException e) {
        if (first == null) {
          first = e;
        } else {
          first.addSuppressed(e);
        }
      }
    }
    if (first != null) {
      throw first;
    }
  }

  /**
   * Lets nobody pin or install any more. Each table is closed, by way of
   * {@link VersionHost#execute}, as soon as the last pinned version that names it is unpinned; so
   * the host must go on executing until then. Closing twice does nothing.
   */
  @Override
  public void close() {
    installing.lock();
    try {
      LiveVersion<T> last = current;
      if (last == null) {
        return;
      }
      current = null;
      for (TableHandle<T> handle : handles.all()) {
        long number = handle.meta().number();
        obsolete.dropped(version -> version.table(number) != null, handle::close);
      }
      try {
        last.retire();
      } finally {
        manifest.close();
      }
    } finally {
      installing.unlock();
    }
  }
}
