// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.compact;

import io.github.rlsm.base.EntryCursor;
import io.github.rlsm.base.EntryView;
import io.github.rlsm.base.KeyHash;
import io.github.rlsm.base.KeyRange;
import io.github.rlsm.base.KeyspacePrefix;
import io.github.rlsm.level.KeySample;
import io.github.rlsm.level.Table;
import io.github.rlsm.version.KeyspaceCatalog;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;

/**
 * Estimates how many entries of a run are shadowed by newer runs of its partition, or belong to
 * keyspaces that were dropped: some of its keys, spread evenly, are looked up in the newer runs.
 *
 * <p>What is shadowed stays shadowed: newer runs are rewritten, and each rewrite keeps the newest
 * entry of every key. So the sample of a run is taken once, what was found in a newer run is
 * forgotten, and the rest is looked up in runs that have come since.
 *
 * <p>Threads: one at a time.
 */
final class DeadEntries {

  /** Samples of one partition's run, if there are many partitions; their errors cancel out. */
  private static final int SAMPLES_MIN = 48;

  /** Samples of the runs over one key in all partitions together. */
  private static final int SAMPLES_IN_ALL = 1024;

  /** Memory that the samples of the runs asked for last may take. */
  private static final long KEPT_BYTES_MAX = 4 << 20;

  /** What a sample takes beside its keys, about. */
  private static final int SAMPLE_BYTES = 512;

  /** What a sampled key takes beside its bytes, about. */
  private static final int KEY_OVERHEAD_BYTES = 64;

  /** A run as this class needs it: a table, and the keys of it that count. */
  record Part(Table table, KeyRange range) {

    private Slice slice() {
      return new Slice(table.fileNumber(), range);
    }

    private boolean holds(Key key) {
      byte[] bytes = key.bytes;
      return range.contains(bytes)
          && table.mightContain(key.hash)
          && table.find(bytes, 0, bytes.length, key.hash, new EntryView());
    }
  }

  private record Slice(long table, KeyRange range) {}

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Key(byte[] bytes, long hash) {}

  /** Some keys of a run. */
  private static final class Sample {
    private final int size;
    private final int droppedKeyspaces;
    private final long bytes;

    /** Those that nothing was found to shadow. */
    private final List<Key> alive;

    /** The runs that these were looked up in. */
    private Set<Slice> newer = Set.of();

    Sample(int size, int droppedKeyspaces, List<Key> alive) {
      this.size = size;
      this.droppedKeyspaces = droppedKeyspaces;
      this.alive = alive;
      this.bytes = SAMPLE_BYTES
          + alive.stream()
              .mapToLong(key -> key.bytes.length + KEY_OVERHEAD_BYTES)
              .sum();
    }

    void lookUp(List<Part> runs) {
      Set<Slice> now = new HashSet<>();
      for (Part run : runs) {
        now.add(run.slice());
        if (!newer.contains(run.slice())) {
          alive.removeIf(run::holds);
        }
      }
      newer = now;
    }

    double deadShare() {
      return size == 0 ? 0 : 1 - (double) alive.size() / size;
    }
  }

  /** The one asked for last stands last. */
  private final LinkedHashMap<Slice, Sample> samples = new LinkedHashMap<>(16, 0.75f, true);

  /** What all samples take, or took when they were made. */
  private long keptBytes;

  /**
   * The share, 0 to 1, of a run's entries that newer runs hold too, or nobody can read.
   *
   * @param partitions how many there are beside this one's, and this one
   */
  double share(Part run, List<Part> newer, KeyspaceCatalog keyspaces, int partitions) {
    int dropped = keyspaces.nextId() - 1 - keyspaces.names().size();
    if (newer.isEmpty() && dropped == 0) {
      return 0;
    }
    Slice slice = run.slice();
    Sample sample = samples.get(slice);
    if (sample == null || sample.droppedKeyspaces != dropped) {
      int wanted = Math.max(SAMPLES_MIN, SAMPLES_IN_ALL / partitions);
      sample = sample(run, keyspaces, dropped, wanted);
      keep(slice, sample);
    }
    sample.lookUp(newer);
    return sample.deadShare();
  }

  /** Memory that samples take. */
  long keptBytes() {
    return keptBytes;
  }

  private void keep(Slice slice, Sample sample) {
    Sample before = samples.put(slice, sample);
    keptBytes += sample.bytes - (before == null ? 0 : before.bytes);
    Iterator<Sample> eldest = samples.values().iterator();
    while (keptBytes > KEPT_BYTES_MAX) {
      keptBytes -= eldest.next().bytes;
      eldest.remove();
    }
  }

  private static Sample sample(Part run, KeyspaceCatalog keyspaces, int dropped, int wanted) {
    EntryCursor cursor = run.table.cursor(run.range, false);
    List<Key> readable = new ArrayList<>();
    int size = 0;
    List<KeySample> places = run.table.samples(run.range, wanted);
    // A sample is the first key of a page; where pages are few, the keys behind it count as well.
    int perPlace = (wanted + places.size() - 1) / Math.max(1, places.size());
    for (KeySample place : places) {
      boolean more = cursor.seek(place.key(), 0, place.key().length);
      for (int i = 0; more && i < perPlace; i++) {
        byte[] key = new byte[cursor.keyLength()];
        cursor.keyBuffer().get(cursor.keyOffset(), key);
        size++;
        if (keyspaces.isLive(KeyspacePrefix.id(ByteBuffer.wrap(key), 0))) {
          readable.add(new Key(key, KeyHash.hash(key, 0, key.length)));
        }
        more = cursor.next();
      }
    }
    return new Sample(size, dropped, readable);
  }
}
