// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.compact;

import io.github.rlsm.base.EntryCursor;
import io.github.rlsm.base.EntryKind;
import io.github.rlsm.base.EntryView;
import io.github.rlsm.base.KeyHash;
import io.github.rlsm.base.KeyRange;
import io.github.rlsm.base.KeyspacePrefix;
import io.github.rlsm.base.ValuePointer;
import io.github.rlsm.level.KeySample;
import io.github.rlsm.level.Table;
import io.github.rlsm.log.ValueLog;
import io.github.rlsm.version.LivePartition;
import io.github.rlsm.version.PinnedVersion;
import io.github.rlsm.version.Run;
import io.github.rlsm.version.Version;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Estimates which values the tables of level 0 have overwritten, by segment: some of their keys are
 * looked up in what lies below.
 *
 * <p>Threads: one at a time.
 */
final class Overwritten {

  /** A table with no more entries is looked at as a whole. */
  private static final int SAMPLES = 512;

  private final EntryView found = new EntryView();

  /** By segment, the bytes that level 0 has made dead and no rewrite has met yet. */
  Map<Integer, Double> bytes(PinnedVersion<Table> files) {
    Map<Integer, Double> dead = new HashMap<>();
    for (int i = 0; i < files.version().l0().size(); i++) {
      estimate(dead, files, i);
    }
    return dead;
  }

  private void estimate(Map<Integer, Double> dead, PinnedVersion<Table> files, int index) {
    Table table = files.l0Table(index);
    long entries = table.properties().entries();
    EntryCursor cursor = table.cursor(KeyRange.ALL, false);
    if (entries <= SAMPLES) {
      for (boolean more = cursor.seekFirst(); more; more = cursor.next()) {
        add(dead, files, index, cursor, 1);
      }
      return;
    }
    List<KeySample> samples = table.samples(KeyRange.ALL, SAMPLES);
    int perSample = (SAMPLES + samples.size() - 1) / Math.max(1, samples.size());
    double times = (double) entries / Math.max(1, samples.size() * perSample);
    for (KeySample sample : samples) {
      boolean more = cursor.seek(sample.key(), 0, sample.key().length);
      for (int i = 0; more && i < perSample; i++) {
        add(dead, files, index, cursor, times);
        more = cursor.next();
      }
    }
  }

  /** Counts what an entry of level 0 makes dead, so many times. */
  private void add(
      Map<Integer, Double> dead,
      PinnedVersion<Table> files,
      int index,
      EntryCursor entry,
      double times) {
    int length = entry.keyLength();
    int keyspace = KeyspacePrefix.id(entry.keyBuffer(), entry.keyOffset());
    if (!files.version().keyspaces().isLive(keyspace)) {
      if (entry.kind() == EntryKind.POINTER) {
        ValuePointer own = ValuePointer.read(entry.valueBuffer(), entry.valueOffset());
        dead.merge(own.segment(), times * ValueLog.recordBytes(length, own), Double::sum);
      }
      return;
    }
    byte[] key = new byte[length];
    entry.keyBuffer().get(entry.keyOffset(), key);
    if (findBelow(files, index, key) && found.kind() == EntryKind.POINTER) {
      ValuePointer older = ValuePointer.read(found.buffer(), found.valueOffset());
      dead.merge(older.segment(), times * ValueLog.recordBytes(length, older), Double::sum);
    }
    found.clear();
  }

  private boolean findBelow(PinnedVersion<Table> files, int index, byte[] key) {
    Version version = files.version();
    long hash = KeyHash.hash(key, 0, key.length);
    found.clear();
    for (int i = index + 1; i < version.l0().size(); i++) {
      if (files.l0Table(i).find(key, 0, key.length, hash, found)) {
        return true;
      }
    }
    LivePartition<Table> partition = files.partitionFor(key, 0, key.length);
    if (partition == null) {
      return false;
    }
    List<Run> runs = partition.partition().runs();
    for (int i = runs.size() - 1; i >= 0; i--) {
      if (runs.get(i).range().contains(key, 0, key.length)
          && partition.table(i).find(key, 0, key.length, hash, found)) {
        return true;
      }
    }
    return false;
  }
}
