// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.compact;

import io.github.rlsm.base.EntryView;
import io.github.rlsm.base.KeyHash;
import io.github.rlsm.base.KeyRange;
import io.github.rlsm.base.KeyspacePrefix;
import io.github.rlsm.level.Table;
import io.github.rlsm.level.TableProperties;
import io.github.rlsm.version.KeyspaceCatalog;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Estimates how many entries of a run are shadowed by newer runs of its partition, or belong to
 * keyspaces that were dropped: some of its keys, spread evenly, are looked up in the newer runs.
 *
 * <p>What is shadowed stays shadowed: newer runs are rewritten, and each rewrite keeps the newest
 * entry of every key. So the sample of a run is taken once, what was found in a newer run is
 * forgotten, and the rest is looked up in runs that have come since.
 *
 * <p>To take a sample is to read pages all over a run. They are in memory when the run has just
 * been written, and hardly later, so samples are kept, all of them, in few bytes; where they would
 * be too many, each is smaller.
 *
 * <p>Threads: one at a time.
 */
final class DeadEntries {

  /** Samples of one partition's run, if there are many partitions; their errors cancel out. */
  private static final int SAMPLES_MIN = 48;

  /** Samples of the runs over one key in all partitions together. */
  private static final int SAMPLES_IN_ALL = 1024;

  /** Samples of a run, if there are so many runs that there is no room for more. */
  private static final int SAMPLES_LEAST = 8;

  /** Memory that samples may take: twice those of 4,000 runs with 48 keys of 30 bytes. */
  private static final long KEPT_BYTES_MAX = 16 << 20;

  /** What a sample takes beside its keys, about. */
  private static final int SAMPLE_BYTES = 256;

  /** What a sampled key takes beside its bytes. */
  private static final int KEY_OVERHEAD_BYTES = Integer.BYTES + Long.BYTES;

  /** A run as this class needs it: a table, and the keys of it that count. */
  record Part(Table table, KeyRange range) {

    private Slice slice() {
      return new Slice(table.fileNumber(), range);
    }

    private boolean holds(byte[] keys, int offset, int length, long hash) {
      return range.contains(keys, offset, length)
          && table.mightContain(hash)
          && table.find(keys, offset, length, hash, new EntryView());
    }
  }

  private record Slice(long table, KeyRange range) {}

  /** Some keys of a run, one behind the other: those that nothing was found to shadow. */
  private static final class Sample {
    private final int size;
    private final int droppedKeyspaces;
    private final byte[] keys;
    private final int[] ends;
    private final long[] hashes;
    private int alive;

    /** The runs that these were looked up in. */
    private List<Slice> newer = List.of();

    Sample(int size, int droppedKeyspaces, List<byte[]> readable) {
      this.size = size;
      this.droppedKeyspaces = droppedKeyspaces;
      this.alive = readable.size();
      this.ends = new int[alive];
      this.hashes = new long[alive];
      this.keys = new byte[readable.stream().mapToInt(key -> key.length).sum()];
      int end = 0;
      for (int i = 0; i < alive; i++) {
        byte[] key = readable.get(i);
        System.arraycopy(key, 0, keys, end, key.length);
        end += key.length;
        ends[i] = end;
        hashes[i] = KeyHash.hash(key, 0, key.length);
      }
    }

    long bytes() {
      return SAMPLE_BYTES + keys.length + (long) KEY_OVERHEAD_BYTES * ends.length;
    }

    void lookUp(List<Part> runs) {
      List<Slice> now = new ArrayList<>(runs.size());
      for (Part run : runs) {
        Slice slice = run.slice();
        now.add(slice);
        if (!newer.contains(slice)) {
          removeHeldBy(run);
        }
      }
      newer = now;
    }

    private void removeHeldBy(Part run) {
      int kept = 0;
      int keptEnd = 0;
      int start = 0;
      for (int i = 0; i < alive; i++) {
        int end = ends[i];
        int length = end - start;
        if (!run.holds(keys, start, length, hashes[i])) {
          System.arraycopy(keys, start, keys, keptEnd, length);
          keptEnd += length;
          ends[kept] = keptEnd;
          hashes[kept] = hashes[i];
          kept++;
        }
        start = end;
      }
      alive = kept;
    }

    double deadShare() {
      return size == 0 ? 0 : 1 - (double) alive / size;
    }
  }

  /** The one asked for last stands last. */
  private final LinkedHashMap<Slice, Sample> samples = new LinkedHashMap<>(16, 0.75f, true);

  private final long keptBytesMax;
  private long keptBytes;
  private long taken;

  /** Nothing is known yet. */
  DeadEntries() {
    this(KEPT_BYTES_MAX);
  }

  /** As without a limit to the memory of samples, which has a default. */
  DeadEntries(long keptBytesMax) {
    this.keptBytesMax = keptBytesMax;
  }

  /**
   * The levels that runs are of.
   *
   * @param partitions how many there are
   * @param runs how many there are in all of them
   */
  record Population(int partitions, int runs) {}

  /**
   * The share, 0 to 1, of a run's entries that newer runs hold too, or nobody can read.
   *
   * @param takes whether a sample may be taken; if not, the share of a run of which there is none
   *     is 0
   */
  double share(
      Part run, List<Part> newer, KeyspaceCatalog keyspaces, Population all, boolean takes) {
    int dropped = dropped(keyspaces);
    Slice slice = run.slice();
    Sample sample = samples.get(slice);
    if (sample == null || sample.droppedKeyspaces != dropped) {
      if (!takes) {
        return 0;
      }
      sample = sample(run, keyspaces, dropped, wanted(run, all));
      taken += sample.size;
      keep(slice, sample);
    }
    sample.lookUp(newer);
    return sample.deadShare();
  }

  /** How many keyspaces were ever dropped. */
  static int dropped(KeyspaceCatalog keyspaces) {
    return keyspaces.nextId() - 1 - keyspaces.names().size();
  }

  private int wanted(Part run, Population all) {
    int enough = Math.max(SAMPLES_MIN, SAMPLES_IN_ALL / Math.max(1, all.partitions));
    TableProperties properties = run.table.properties();
    double keyBytes = (double) properties.keyBytes() / properties.entries() + KEY_OVERHEAD_BYTES;
    // The rest is for samples of runs that are gone, until somebody looks which these are.
    double room = ((double) keptBytesMax / 2 / Math.max(1, all.runs) - SAMPLE_BYTES) / keyBytes;
    double most = Math.min((double) properties.entries(), Math.min(enough, room));
    return (int) Math.max(SAMPLES_LEAST, most);
  }

  /** Whether samples of runs that are gone should be {@linkplain #forgetAllBut forgotten}. */
  boolean isCrowded() {
    return keptBytes > keptBytesMax / 4 * 3;
  }

  /** Forgets the samples of all other runs. */
  void forgetAllBut(Stream<Part> runs) {
    samples.keySet().retainAll(runs.map(Part::slice).collect(Collectors.toSet()));
    keptBytes = samples.values().stream().mapToLong(Sample::bytes).sum();
  }

  /** Memory that samples take. */
  long keptBytes() {
    return keptBytes;
  }

  /** How many keys were ever sampled. */
  long taken() {
    return taken;
  }

  private void keep(Slice slice, Sample sample) {
    Sample before = samples.put(slice, sample);
    keptBytes += sample.bytes() - (before == null ? 0 : before.bytes());
    Iterator<Sample> eldest = samples.values().iterator();
    while (keptBytes > keptBytesMax) {
      keptBytes -= eldest.next().bytes();
      eldest.remove();
    }
  }

  private static Sample sample(Part run, KeyspaceCatalog keyspaces, int dropped, int wanted) {
    List<byte[]> readable = new ArrayList<>();
    int size = SpreadEntries.visit(run.table, run.range, wanted, entry -> {
      byte[] key = new byte[entry.keyLength()];
      entry.keyBuffer().get(entry.keyOffset(), key);
      if (keyspaces.isLive(KeyspacePrefix.id(ByteBuffer.wrap(key), 0))) {
        readable.add(key);
      }
    });
    return new Sample(size, dropped, readable);
  }
}
