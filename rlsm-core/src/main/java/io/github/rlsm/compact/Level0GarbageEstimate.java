// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.compact;

import io.github.rlsm.base.CursorEntry;
import io.github.rlsm.base.EntryKind;
import io.github.rlsm.base.EntryView;
import io.github.rlsm.base.KeyHash;
import io.github.rlsm.base.KeyRange;
import io.github.rlsm.base.KeyspacePrefix;
import io.github.rlsm.base.ValuePointer;
import io.github.rlsm.table.Table;
import io.github.rlsm.table.TableProperties;
import io.github.rlsm.valuelog.ValueLog;
import io.github.rlsm.version.KeyspaceCatalog;
import io.github.rlsm.version.SegmentAccount;
import io.github.rlsm.version.TableMeta;
import io.github.rlsm.version.Version;
import io.github.rlsm.versionset.LivePartition;
import io.github.rlsm.versionset.PinnedVersion;
import java.util.HashMap;
import java.util.Map;

/**
 * Estimates the bytes of values that level 0 has overwritten, by segment and in tables. It looks up
 * a sample of each level 0 table's keys in the runs below. One lookup for each table suffices:
 * rewrites alone change the runs below, and each rewrite keeps the newest entry of every key.
 *
 * <p>Threads: one at a time.
 */
public final class Level0GarbageEstimate {

  /** Represents the tables themselves where values are counted by segment. */
  static final int TABLES = 0;

  /** Keys sampled of a table that is a large part of the store. */
  private static final int SAMPLES_MAX = 512;

  /**
   * Keys sampled of a table that is a small part of the store; the error is an even smaller part of
   * it.
   */
  private static final int SAMPLES_MIN = 32;

  /** A table is a large part if the store is at most this many times its size. */
  private static final int LARGE_PARTS = 16;

  private final EntryView found = new EntryView();

  /** By table number, the estimates for the tables that were in level 0 at the last call. */
  private Map<Long, Map<Integer, Double>> known = new HashMap<>();

  private KeyspaceCatalog keyspaces = KeyspaceCatalog.EMPTY;

  private double share;
  private int asked;
  private int overwriting;

  /** Creates an estimator without estimates. */
  public Level0GarbageEstimate() {}

  /**
   * The bytes that level 0 has made dead and no rewrite has dropped yet, by segment or
   * {@link #TABLES}.
   */
  Map<Integer, Double> bytes(PinnedVersion<Table> files) {
    if (!files.version().keyspaces().equals(keyspaces)) {
      keyspaces = files.version().keyspaces();
      known.clear();
    }
    Map<Long, Map<Integer, Double>> now = new HashMap<>();
    Map<Integer, Double> dead = new HashMap<>();
    for (int i = 0; i < files.version().l0().size(); i++) {
      Map<Integer, Double> ofTable = known.get(files.l0Table(i).fileNumber());
      if (ofTable == null) {
        ofTable = estimate(files, i);
      }
      now.put(files.l0Table(i).fileNumber(), ofTable);
      ofTable.forEach((segment, bytes) -> dead.merge(segment, bytes, Double::sum));
    }
    known = now;
    return dead;
  }

  private Map<Integer, Double> estimate(PinnedVersion<Table> files, int index) {
    asked = 0;
    overwriting = 0;
    Map<Integer, Double> dead = sample(files, index);
    share = asked == 0 ? 0 : (double) overwriting / asked;
    return dead;
  }

  /**
   * The share of entries in the latest sampled table that overwrote an older entry. Entries in
   * memory are expected to be similar.
   */
  double share() {
    return share;
  }

  private Map<Integer, Double> sample(PinnedVersion<Table> files, int index) {
    Map<Integer, Double> dead = new HashMap<>();
    Table table = files.l0Table(index);
    int wanted = wanted(files.version(), table);
    int visited =
        SpreadEntries.visit(table, KeyRange.ALL, wanted, entry -> add(dead, files, index, entry));
    double times = (double) table.properties().entries() / Math.max(1, visited);
    dead.replaceAll((segment, bytes) -> bytes * times);
    return dead;
  }

  /**
   * The number of entries to sample of a table. Each is looked up in the filters of all overlapping
   * runs, and the filters of a large store are not all in memory.
   */
  private static int wanted(Version version, Table table) {
    double store = 0;
    for (TableMeta each : version.tables()) {
      store += each.fileBytes();
    }
    for (SegmentAccount each : version.segments()) {
      store += each.totalBytes();
    }
    TableProperties properties = table.properties();
    double own = properties.keyBytes() + properties.valueBytes() + properties.separatedBytes();
    double share = own / Math.max(own, store);
    return (int) Math.max(SAMPLES_MIN, Math.min(1, share * LARGE_PARTS) * SAMPLES_MAX);
  }

  /** Counts the bytes that an entry of level 0 makes dead. */
  private void add(
      Map<Integer, Double> dead, PinnedVersion<Table> files, int index, CursorEntry entry) {
    int length = entry.keyLength();
    int keyspace = KeyspacePrefix.id(entry.buffer(), entry.keyOffset());
    if (!files.version().keyspaces().isLive(keyspace)) {
      if (entry.kind() == EntryKind.POINTER) {
        ValuePointer own = ValuePointer.read(entry.buffer(), entry.valueOffset());
        dead.merge(own.segment(), (double) ValueLog.recordBytes(length, own), Double::sum);
      }
      return;
    }
    asked++;
    byte[] key = new byte[length];
    entry.buffer().get(entry.keyOffset(), key);
    if (findBelow(files, index, key) && found.kind() != EntryKind.DELETE) {
      if (found.kind() == EntryKind.POINTER) {
        ValuePointer older = ValuePointer.read(found.buffer(), found.valueOffset());
        dead.merge(older.segment(), (double) ValueLog.recordBytes(length, older), Double::sum);
      } else {
        dead.merge(TABLES, (double) (length + found.valueLength()), Double::sum);
      }
      overwriting++;
    }
    found.clear();
  }

  private boolean findBelow(PinnedVersion<Table> files, int index, byte[] key) {
    long hash = KeyHash.hash(key, 0, key.length);
    found.clear();
    for (int i = index + 1; i < files.l0Count(); i++) {
      if (isIn(files.l0Table(i), key, hash)) {
        return true;
      }
    }
    LivePartition<Table> partition = files.partitionFor(key, 0, key.length);
    if (partition == null) {
      return false;
    }
    for (int i = partition.runCount() - 1; i >= 0; i--) {
      if (partition.run(i).range().contains(key, 0, key.length)
          && isIn(partition.table(i), key, hash)) {
        return true;
      }
    }
    return false;
  }

  private boolean isIn(Table table, byte[] key, long hash) {
    return table.mightContain(hash) && table.find(key, 0, key.length, hash, found);
  }
}
