// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import io.github.rlsm.background.StoreFiles;
import io.github.rlsm.background.StoreMemory;
import io.github.rlsm.base.CheckListener;
import io.github.rlsm.base.KeyRange;
import io.github.rlsm.base.KeyspacePrefix;
import io.github.rlsm.compact.ValueCheck;
import io.github.rlsm.io.StoreFileName;
import io.github.rlsm.kv.CorruptionException;
import io.github.rlsm.kv.FormatVersionException;
import io.github.rlsm.kv.KvException;
import io.github.rlsm.kv.ResourceExhaustedException;
import io.github.rlsm.kv.StoreClosedException;
import io.github.rlsm.kv.StoreIoException;
import io.github.rlsm.kv.VerifyListener;
import io.github.rlsm.kv.VerifyReport;
import io.github.rlsm.log.LogCheck;
import io.github.rlsm.memory.MemoryComponent;
import io.github.rlsm.read.ReadState;
import io.github.rlsm.table.Table;
import io.github.rlsm.version.KeyspaceCatalog;
import io.github.rlsm.version.Run;
import io.github.rlsm.version.SegmentAccount;
import io.github.rlsm.version.TableMeta;
import io.github.rlsm.version.Version;
import io.github.rlsm.versionset.LivePartition;
import io.github.rlsm.versionset.PinCount;
import io.github.rlsm.versionset.PinnedVersion;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads and checks all data of a read state: the manifest, each table once, all values that tables
 * point to, and the log of the memory components. Pins the read state during the whole check.
 *
 * <p>Threads: one thread, while others read and write.
 */
final class Verification implements CheckListener {

  /** The listener receives progress each time this many bytes were read. */
  private static final long PROGRESS_BYTES = 8 << 20;

  private final StoreFiles files;
  private final StoreMemory memory;
  private final VerifyListener listener;
  private final List<VerifyReport.Damage> listed = new ArrayList<>();

  /** The unreadable key ranges of each table that was checked. */
  private final Map<Long, List<KeyRange>> unreadable = new HashMap<>();

  private Version version = Version.EMPTY;
  private long bytesTotal;
  private long bytesRead;
  private long bytesTold;
  private long damageCount;

  /** The table that is being checked; null otherwise. */
  private @Nullable TableMeta table;

  Verification(StoreFiles files, StoreMemory memory, VerifyListener listener) {
    this.files = files;
    this.memory = memory;
    this.listener = listener;
  }

  VerifyReport run() {
    int stripe = PinCount.stripe();
    ReadState state = memory.readStates().pin(stripe);
    try {
      version = state.files().version();
      bytesTotal = bytesTotal(state.memory());
      checkManifest();
      checkTables(state.files());
      new ValueCheck(state.files(), files.values(), unreadable, this).run();
      long published = memory.published().get();
      for (MemoryComponent component : state.memory()) {
        LogCheck.run(component.log(), published, this);
      }
    } finally {
      state.unpin(stripe);
    }
    listener.progress(bytesRead, bytesRead);
    return new VerifyReport(bytesRead, damageCount, listed);
  }

  private long bytesTotal(List<MemoryComponent> components) {
    long bytes = files.versions().manifestBytes();
    for (TableMeta each : version.tables()) {
      bytes += each.fileBytes();
    }
    for (SegmentAccount account : version.segments()) {
      bytes += account.liveBytes();
    }
    for (MemoryComponent component : components) {
      bytes += component.log().recordBytes();
    }
    return bytes;
  }

  private void checkManifest() {
    try {
      files.versions().checkManifest();
    } catch (CorruptionException e) {
      damage(e.file(), e.offset(), null, e);
    } catch (KvException e) {
      damage(StoreFileName.manifest(files.versions().manifestNumber()), 0, null, e);
    }
    read(files.versions().manifestBytes());
  }

  private void checkTables(PinnedVersion<Table> pinned) {
    for (int i = 0; i < version.l0().size(); i++) {
      int index = i;
      check(version.l0().get(i), () -> pinned.l0Table(index));
    }
    for (int i = 0; i < version.partitions().size(); i++) {
      LivePartition<Table> partition = pinned.partition(i);
      for (int j = 0; j < partition.partition().runs().size(); j++) {
        int index = j;
        check(partition.partition().runs().get(j), () -> partition.table(index));
      }
    }
  }

  /**
   * Checks the table of a run. Several runs may be slices of one table, which is checked as a whole
   * with its first run.
   */
  private void check(Run run, Supplier<Table> opened) {
    if (unreadable.putIfAbsent(run.table(), new ArrayList<>()) != null) {
      return;
    }
    TableMeta meta = Objects.requireNonNull(version.table(run.table()));
    table = meta;
    try {
      opened.get().check(this);
    } catch (KvException e) {
      long offset = e instanceof CorruptionException damage ? damage.offset() : 0;
      damage(meta.fileName(), offset, KeyRange.ALL, e);
    } finally {
      table = null;
    }
  }

  @Override
  public void read(long bytes) {
    if (files.isClosing()) {
      throw new StoreClosedException("store");
    }
    bytesRead += bytes;
    if (bytesRead - bytesTold >= PROGRESS_BYTES) {
      bytesTold = bytesRead;
      listener.progress(bytesRead, Math.max(bytesRead, bytesTotal));
    }
  }

  @Override
  public void damage(String file, long offset, @Nullable KeyRange keys, KvException cause) {
    if (!isDamage(cause)) {
      throw cause;
    }
    KeyRange affected = keys;
    TableMeta checked = table;
    if (checked != null && keys != null) {
      byte[] largest = checked.keys().largest();
      byte[] end = Arrays.copyOf(largest, largest.length + 1);
      affected = KeyRange.of(checked.keys().smallest(), end).intersection(keys);
      Objects.requireNonNull(unreadable.get(checked.number())).add(affected);
    }
    damageCount++;
    VerifyReport.Damage damage =
        new VerifyReport.Damage(file, offset, affected == null ? List.of() : keys(affected), cause);
    if (listed.size() < VerifyReport.LISTED_MAX) {
      listed.add(damage);
    }
    listener.damaged(damage);
  }

  /** A lack of descriptors or memory makes a sound file unreadable, so it is not damage. */
  private static boolean isDamage(KvException cause) {
    return cause instanceof CorruptionException
        || cause instanceof FormatVersionException
        || (cause instanceof StoreIoException && !(cause instanceof ResourceExhaustedException));
  }

  /** Returns the part of a range of internal keys in each keyspace. */
  private List<VerifyReport.Keys> keys(KeyRange range) {
    List<VerifyReport.Keys> all = new ArrayList<>();
    addKeys(range, KeyspaceCatalog.DEFAULT_ID, "", all);
    version.keyspaces().names().forEach((id, name) -> addKeys(range, id, name, all));
    return all;
  }

  private static void addKeys(KeyRange range, int id, String name, List<VerifyReport.Keys> all) {
    KeyRange keyspace = KeyspacePrefix.range(id);
    KeyRange part = range.intersection(keyspace);
    if (!part.isEmpty()) {
      byte[] prefix = KeyspacePrefix.of(id);
      byte[] to = part.to();
      boolean isOpen = to == null || Arrays.equals(to, keyspace.to());
      all.add(new VerifyReport.Keys(
          name, userKey(part.from(), prefix), isOpen ? new byte[0] : userKey(to, prefix)));
    }
  }

  /** Returns a key without the prefix; empty for a bound at or before the keyspace's first key. */
  private static byte[] userKey(byte @Nullable [] key, byte[] prefix) {
    return key == null || key.length <= prefix.length
        ? new byte[0]
        : Arrays.copyOfRange(key, prefix.length, key.length);
  }
}
