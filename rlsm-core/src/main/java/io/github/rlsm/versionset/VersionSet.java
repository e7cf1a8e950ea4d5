// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.versionset;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.rlsm.io.MappedFaults;
import io.github.rlsm.io.StoreDirectory;
import io.github.rlsm.kv.CorruptionException;
import io.github.rlsm.kv.ResourceExhaustedException;
import io.github.rlsm.kv.StoreClosedException;
import io.github.rlsm.kv.StoreFailedException;
import io.github.rlsm.log.ManifestPosition;
import io.github.rlsm.version.SegmentAccount;
import io.github.rlsm.version.TableMeta;
import io.github.rlsm.version.Version;
import io.github.rlsm.version.VersionEdit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Holds the current version of a store, and installs every change to it: on disk first, then in
 * memory. Readers pin a version without a lock. Files that no version needs are deleted.
 *
 * <p><b>Pinning.</b> A reader loads the current version and adds itself to its {@link PinCount}. A
 * refused pin means that the version was retired, so a newer one is current, and the reader starts
 * again. An installer publishes the new version before it retires the old one. So a pinned version
 * was current at some moment of the reader's call, and its files stay. After the pin, the reader
 * need not check the current version again.
 *
 * <p>A reader that also reads memory components must pin those <i>before</i> the version: a flush
 * adds entries to the new version before it removes them from memory.
 *
 * <p>An edit that cannot be written changes nothing here; see {@link Manifest} for the file.
 *
 * <p>Threads: any. {@link #current}, {@link #pin} and unpinning take no lock. Edits are installed
 * one at a time.
 *
 * <p>Keeps invariants I-5 and I-6 of ARCHITECTURE.md, and V-1 to V-3 of the package description.
 *
 * @param <T> an open table
 */
public final class VersionSet<T> implements AutoCloseable {

  private final StoreDirectory directory;
  private final long storeId;
  private final VersionHost<T> host;
  private final AtomicLong nextFileNumber;
  private final ObsoleteFiles obsolete = new ObsoleteFiles();

  private final ReentrantLock installing = new ReentrantLock();

  @GuardedBy("installing")
  private final TableHandles<T> handles;

  @GuardedBy("installing")
  private final Manifest manifest;

  /** The durable records of the manifest in force; written under {@link #installing}. */
  private volatile ManifestPosition manifestPosition;

  /**
   * Null once closed. Written under {@link #installing}. The write publishes the version and
   * everything reachable from it.
   */
  private volatile @Nullable LiveVersion<T> current;

  private VersionSet(
      StoreDirectory directory,
      ManifestRecovery.Recovered recovered,
      VersionHost<T> host,
      long rollBytes) {
    this.directory = directory;
    this.storeId = recovered.storeId();
    this.host = host;
    this.handles = new TableHandles<>(host);
    nextFileNumber = new AtomicLong(recovered.nextFileNumber());
    manifest = new Manifest(directory, recovered, rollBytes, this::newFileNumber, host::execute);
    manifestPosition = manifest.position();
    current = handles.enliven(manifest.version(), null, this::died);
    obsolete.born(manifest.version());
  }

  /**
   * Opens a version set with the recovered state: writes the version to a new manifest and puts it
   * in force. {@link ManifestRecovery#orphans} finds the old manifest later.
   *
   * @param recovered with a store id: see {@link ManifestRecovery.Recovered#withStoreId(long,
   *     java.util.Map)}
   * @param rollBytes length from which on a manifest is replaced by a new one; a long snapshot
   *     raises it
   * @throws io.github.rlsm.kv.StoreIoException if the manifest could not be written; the recovered
   *     state is still on disk
   */
  public static <T> VersionSet<T> open(
      StoreDirectory directory,
      ManifestRecovery.Recovered recovered,
      VersionHost<T> host,
      long rollBytes) {
    if (recovered.storeId() == 0) {
      throw new IllegalArgumentException("a new store needs an id other than 0");
    }
    return new VersionSet<>(directory, recovered, host, rollBytes);
  }

  /**
   * Writes the recovered state to a new manifest and puts it in force, for a caller that must rely
   * on it before the store is opened. The bytes of the old manifest may be only in the page cache,
   * and forcing the file again would not make them durable.
   *
   * @return the same state, as read from the new manifest
   */
  public static ManifestRecovery.Recovered rewrite(
      StoreDirectory directory, ManifestRecovery.Recovered recovered) {
    long id = recovered.storeId();
    long number = recovered.nextFileNumber();
    Version version = Manifest.withNextFileNumber(recovered.version(), number + 1);
    try (ManifestWriter writer = ManifestWriter.create(directory, id, number, version)) {
      CurrentMarker.write(directory, id, number);
      return new ManifestRecovery.Recovered(
          false, id, version, number + 1, recovered.droppedBytes(), writer.position());
    }
  }

  /** The store's id, in the header of each of its files. */
  public long storeId() {
    return storeId;
  }

  /** Assigns a number for a new table. Numbers are never assigned twice. */
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

  /**
   * Reads the manifest in force and compares it with the current version. Does nothing after a
   * failed install: the end of the file may be torn, and the next install starts a new file.
   *
   * @throws CorruptionException if the file is damaged, or a file that it names is missing
   * @throws StoreClosedException after {@link #close}
   */
  public void checkManifest() {
    installing.lock();
    try {
      live(); // throws if the set is closed
      manifest.check();
    } finally {
      installing.unlock();
    }
  }

  /** The durable records of the manifest in force. Takes no lock. */
  public ManifestPosition manifestPosition() {
    return manifestPosition;
  }

  /**
   * Returns the current version as a value. Its tables may be closed and deleted at any time.
   *
   * @throws StoreClosedException after {@link #close}
   */
  public Version current() {
    return live().version();
  }

  /**
   * Pins the current version. Allocates nothing and takes no lock.
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

  /** Like {@link #install(Function)}, for an edit that exists already. */
  public Version install(VersionEdit edit) {
    return install(current -> edit);
  }

  /**
   * Makes an edit of the current version durable, then publishes the resulting version to readers.
   * The files that the edit adds must be forced before. Their names are made durable here.
   *
   * @param maker creates the edit from the current version, which no other thread changes during
   *     the call
   * @return the version that is current now
   * @throws IllegalStateException if the edit does not fit the current version; nothing is changed
   * @throws ResourceExhaustedException if the edit could not be written because a resource ran out;
   *     the set owns the added files and deletes them later, and later installs are possible
   * @throws io.github.rlsm.kv.StoreIoException if the edit could not be written for another reason;
   *     the added files must stay, and every later install is refused
   * @throws StoreFailedException if an earlier install failed for such a reason
   * @throws StoreClosedException after {@link #close}
   */
  public Version install(Function<Version, VersionEdit> maker) {
    return install(maker, Map.of());
  }

  /**
   * Like {@link #install(Function)}. Also punches holes into value-log segments, as soon as no
   * reader can use the bytes there.
   *
   * @param holes ranges by value-log segment; only pointers that the edit removes lead into them
   */
  public Version install(Function<Version, VersionEdit> maker, Map<Integer, long[]> holes) {
    MappedFaults.check(); // a file made from unreadable input must not be named
    installing.lock();
    try {
      LiveVersion<T> before = live();
      manifest.checkUsable();
      VersionEdit edit = maker.apply(before.version());
      Version after = before.version().apply(edit);
      if (after.nextFileNumber() > nextFileNumber.get()) {
        throw new IllegalStateException("the edit adds a table whose number was not assigned");
      }
      if (edit.isEmpty()) {
        return before.version();
      }
      Version installed = manifest.persist(edit, after);
      show(before, installed);
      holes.forEach((number, ranges) -> punch(installed, number, ranges));
      before.retire();
      return installed;
    } finally {
      installing.unlock();
    }
  }

  /** Publishes a version that is durable. */
  @GuardedBy("installing")
  private void show(LiveVersion<T> before, Version persisted) {
    try {
      manifestPosition = manifest.position();
      publish(before, persisted);
    } catch (RuntimeException | Error e) {
      manifest.fail(e); // disk and memory may differ
      throw e;
    }
  }

  /**
   * Puts a new manifest in force if an edit failed for lack of a resource. Callers invoke this
   * before work whose result they want to install: while this fails, an install would fail too.
   *
   * @throws ResourceExhaustedException if a resource is still missing
   * @throws StoreFailedException if an install failed for another reason
   */
  public void repair() {
    installing.lock();
    try {
      LiveVersion<T> now = live();
      manifest.checkUsable();
      if (manifest.needsRepair()) {
        show(now, manifest.repair());
        now.retire();
      }
    } finally {
      installing.unlock();
    }
  }

  @GuardedBy("installing")
  private void publish(LiveVersion<T> before, Version after) {
    current = enliven(before, after);
    dropTables(before.version(), after);
    dropSegments(before.version(), after);
  }

  @GuardedBy("installing")
  private LiveVersion<T> enliven(LiveVersion<T> before, Version after) {
    try {
      LiveVersion<T> next = handles.enliven(after, before, this::died);
      obsolete.born(after);
      return next;
    } catch (RuntimeException | Error e) {
      handles.retain(before.version()); // close() closes the tables of the current version
      throw e;
    }
  }

  @GuardedBy("installing")
  private void dropTables(Version before, Version after) {
    for (TableMeta table : before.tables()) {
      long number = table.number();
      if (after.table(number) == null) {
        TableHandles.Handle<T> handle = handles.remove(number);
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

  @SuppressWarnings("ReferenceEquality") // versions are compared by identity
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

  /** Returns the number of open tables of the current version. */
  public int openTables() {
    installing.lock();
    try {
      return current == null ? 0 : handles.openCount();
    } finally {
      installing.unlock();
    }
  }

  /**
   * Evicts some open tables. Called by the argument of {@link #unmap}.
   *
   * @return actions that close these tables
   */
  public List<Runnable> evict(int tables) {
    installing.lock();
    try {
      return handles.evict(tables);
    } finally {
      installing.unlock();
    }
  }

  /**
   * Closes files that are still live but that new readers can no longer reach. Readers of the
   * version that is current now may still use them. So this method installs an equal version in its
   * place, and the files are closed once the old version is dead.
   *
   * @param evictor makes files unreachable for new readers, and returns the actions that close them
   * @throws StoreClosedException after {@link #close}; then nothing is evicted
   */
  public void unmap(Supplier<List<Runnable>> evictor) {
    installing.lock();
    try {
      LiveVersion<T> before = live();
      List<Runnable> closes = evictor.get();
      if (!closes.isEmpty()) {
        Version same =
            Manifest.withNextFileNumber(before.version(), before.version().nextFileNumber());
        publish(before, same);
        obsolete.dropped(version -> isOther(version, same), () -> runAll(closes));
        before.retire();
      }
    } finally {
      installing.unlock();
    }
  }

  /**
   * Prevents further pins and installs. Closes each table when the last pinned version that names
   * it is unpinned. It does so through {@link VersionHost#execute}, so the host must execute tasks
   * until then. Closing twice does nothing.
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
      for (TableHandles.Handle<T> handle : handles.all()) {
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
