// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.version;

import io.github.rlsm.io.MappedFaults;
import io.github.rlsm.io.StoreDirectory;
import io.github.rlsm.io.StoreFileName;
import io.github.rlsm.kv.CorruptionException;
import io.github.rlsm.kv.ResourceExhaustedException;
import io.github.rlsm.kv.StoreClosedException;
import io.github.rlsm.kv.StoreFailedException;
import io.github.rlsm.log.ManifestMark;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
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
 * <p><b>Failure.</b> When an edit cannot be written, it is unknown whether the next open finds it.
 * The set keeps its version, and the files of either outcome stay. What happens then depends on the
 * error:
 *
 * <ul>
 *   <li>A resource ran out, for example room on the device. The manifest takes no more edits. The
 *       next install, or {@link #repair}, writes the whole current version to a new manifest and
 *       puts that in force. From then on the failed edit has not happened, and the files that it
 *       added are deleted. A crash before the switch opens the old manifest, with the edit or
 *       without it. Both are right, because no other edit was installed in between.
 *   <li>Any other error is final: the set takes no more edits.
 * </ul>
 *
 * <p>An edit that drops a keyspace always goes to a new manifest. Otherwise a crash could make a
 * failed drop take effect, and lose the writes that the keyspace received after the failure.
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

  /** The first final error of an install; guarded by {@link #installing}. */
  private @Nullable Throwable failure;

  /**
   * Whether an edit failed for want of a resource since a manifest was begun; guarded by
   * {@link #installing}.
   */
  private boolean needsNewManifest;

  /** The files that such edits would have added; guarded by {@link #installing}. */
  private final List<String> undecided = new ArrayList<>();

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

  /**
   * Writes the recovered state to a new manifest and puts it in force, for a caller that must rely
   * on it before the store is opened. The bytes of the old manifest may be in the page cache only,
   * and forcing the file again would not make them durable.
   *
   * @return the same, as read from the new manifest
   */
  public static RecoveredManifest rewrite(StoreDirectory directory, RecoveredManifest recovered) {
    long number = recovered.nextFileNumber();
    Version version = withNextFileNumber(recovered.version(), number + 1);
    try (ManifestWriter writer =
        ManifestWriter.create(directory, recovered.storeId(), number, version)) {
      CurrentMarker.write(directory, recovered.storeId(), number);
      return new RecoveredManifest(
          false, recovered.storeId(), version, number + 1, recovered.droppedBytes(), writer.mark());
    }
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

  /**
   * Reads the manifest in force and compares it with the current version. Does nothing after a
   * failed install: the file's end may be torn then, and the next install begins another file.
   *
   * @throws CorruptionException if the file is damaged, or a file that it names is missing
   */
  public void checkManifest() {
    installing.lock();
    try {
      Version version = live().version();
      if (failure == null && !needsNewManifest && manifest.isWhole()) {
        RecoveredManifest found = ManifestRecovery.recover(directory);
        if (found.droppedBytes() > 0 || !found.version().equals(version)) {
          throw new CorruptionException(
              StoreFileName.manifest(manifest.number()),
              manifest.length() - found.droppedBytes(),
              "its records do not give the version that is in use");
        }
      }
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
   * @throws ResourceExhaustedException if the edit could not be written because a resource ran out;
   *     the files it adds belong to this set, and later installs are possible
   * @throws io.github.rlsm.kv.StoreIoException if the edit could not be written for another cause;
   *     the files it adds must stay, and every later install is refused
   * @throws StoreFailedException if an earlier install failed for such a cause
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
    MappedFaults.check(); // nothing is named that was made of what could not be read
    installing.lock();
    try {
      LiveVersion<T> before = live();
      checkUsable();
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

  private void checkUsable() {
    if (failure != null) {
      throw new StoreFailedException(failure);
    }
  }

  private Version persistAndPublish(LiveVersion<T> before, VersionEdit edit, Version after) {
    Version persisted = persist(before.version(), edit, after);
    try {
      mark = manifest.mark();
      publish(before, persisted);
      return persisted;
    } catch (RuntimeException | Error e) {
      failure = e; // what is on disk and what is in memory may differ
      throw e;
    }
  }

  private Version persist(Version before, VersionEdit edit, Version after) {
    try {
      if (edit.addsFiles()) {
        directory.syncDirectory();
      }
      boolean fits = manifest.isWhole() && manifest.length() < rollAt;
      if (fits && !needsNewManifest && !edit.dropsKeyspace()) {
        manifest.append(edit);
        return after;
      }
      return roll(after);
    } catch (RuntimeException | Error e) {
      // After an OutOfMemoryError a drop may have reached the disk: see above.
      boolean passes = e instanceof ResourceExhaustedException
          || (e instanceof OutOfMemoryError && !edit.dropsKeyspace());
      if (passes) {
        needsNewManifest = true;
        undecided.addAll(filesAdded(before, after));
      } else {
        failure = e;
      }
      throw e;
    }
  }

  private static List<String> filesAdded(Version before, Version after) {
    List<String> names = new ArrayList<>();
    for (TableMeta table : after.tables()) {
      if (before.table(table.number()) == null) {
        names.add(table.fileName());
      }
    }
    if (after.flushedSeqno() == before.flushedSeqno()) { // else memory still reads the segment
      for (SegmentAccount segment : after.segments()) {
        if (before.segment(segment.number()) == null) {
          names.add(StoreFileName.valueLog(segment.number()));
        }
      }
    }
    return names;
  }

  /**
   * Puts a new manifest in force if an edit failed for want of a resource. To be called before work
   * whose result is to be installed: while this fails, the result could not be installed either.
   *
   * @throws ResourceExhaustedException if a resource is still missing
   * @throws StoreFailedException if an install failed for another cause
   */
  public void repair() {
    installing.lock();
    try {
      LiveVersion<T> now = live();
      checkUsable();
      if (needsNewManifest) {
        persistAndPublish(now, VersionEdit.builder().build(), now.version());
        now.retire();
      }
    } finally {
      installing.unlock();
    }
  }

  /** Puts a version on disk by way of a new manifest. */
  private Version roll(Version after) {
    long number = newFileNumber();
    Version version = withNextFileNumber(after, number + 1);
    ManifestWriter old = manifest;
    List<String> dead = List.copyOf(undecided);
    manifest = startManifest(number, version);
    needsNewManifest = false;
    undecided.clear();
    try {
      host.execute(() -> {
        old.close();
        directory.delete(StoreFileName.manifest(old.number()));
        dead.forEach(directory::deleteClosed);
      });
    } catch (OutOfMemoryError e) {
      // The edit is done. The next open sweeps these files.
    }
    return version;
  }

  private static Version withNextFileNumber(Version version, long number) {
    return version.apply(VersionEdit.builder().nextFileNumber(number).build());
  }

  private ManifestWriter startManifest(long number, Version version) {
    ManifestWriter writer;
    try {
      writer = ManifestWriter.create(directory, storeId, number, version);
    } catch (ResourceExhaustedException e) {
      deleteIfThere(number);
      throw e;
    }
    try {
      CurrentMarker.write(directory, storeId, number);
    } catch (RuntimeException | Error e) {
      writer.close();
      if (e instanceof ResourceExhaustedException) {
        deleteIfThere(number); // a full disk must not fill up with manifests
      }
      throw e;
    }
    // A factor keeps a store with a long snapshot from writing it again at every edit.
    rollAt = Math.max(rollBytes, 2 * writer.length());
    return writer;
  }

  private void deleteIfThere(long number) {
    String name = StoreFileName.manifest(number);
    if (directory.exists(name)) {
      directory.delete(name);
    }
  }

  private void publish(LiveVersion<T> before, Version after) {
    current = enliven(before, after);
    dropTables(before.version(), after);
    dropSegments(before.version(), after);
  }

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

  /** How many tables of the current version are open. */
  public int openTables() {
    installing.lock();
    try {
      return current == null ? 0 : handles.openCount();
    } finally {
      installing.unlock();
    }
  }

  /**
   * Evicts some open tables; see {@link #unmap}, whose argument calls this.
   *
   * @return what closes them
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
   * Closes files that are still live but were taken out of the readers' reach. It closes them as
   * soon as no reader can use them any more: when the version that is current now is dead. An equal
   * version takes its place.
   *
   * @param evictor takes files out of reach, and returns the actions that close them
   * @throws StoreClosedException after {@link #close}; then nothing is evicted
   */
  public void unmap(Supplier<List<Runnable>> evictor) {
    installing.lock();
    try {
      LiveVersion<T> before = live();
      List<Runnable> closes = evictor.get();
      if (!closes.isEmpty()) {
        Version same = withNextFileNumber(before.version(), before.version().nextFileNumber());
        publish(before, same);
        obsolete.dropped(version -> isOther(version, same), () -> runAll(closes));
        before.retire();
      }
    } finally {
      installing.unlock();
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
