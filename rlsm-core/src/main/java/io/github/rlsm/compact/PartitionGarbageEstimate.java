// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.compact;

import io.github.rlsm.base.EntryView;
import io.github.rlsm.base.KeyHash;
import io.github.rlsm.base.KeyRange;
import io.github.rlsm.base.KeyspacePrefix;
import io.github.rlsm.table.Table;
import io.github.rlsm.table.TableProperties;
import io.github.rlsm.version.KeyspaceCatalog;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Estimates how many entries of a run are dead: shadowed by newer runs of its partition, or in
 * dropped keyspaces. It looks up a sample of the run's keys, spread evenly, in the newer runs.
 * Small runs have small samples: an append adds a run to every partition, and each lookup may read
 * a page.
 *
 * <p>A shadowed entry stays shadowed: newer runs are rewritten, and each rewrite keeps the newest
 * entry of every key. So a run is sampled once. Keys that a newer run holds are removed from the
 * sample, and the other keys are looked up in runs that are added later.
 *
 * <p>Sampling reads pages from all parts of a run. Unless memory is short, they are in memory when
 * the run was just written, and rarely later. So all samples are kept, in a compact form. With very
 * many runs each sample is smaller.
 *
 * <p>Threads: one at a time.
 */
final class PartitionGarbageEstimate {

  /** Keys sampled of a large run if there are many partitions; the errors average out. */
  private static final int SAMPLES_MIN = 48;

  /** Keys sampled of large runs over one key, in all partitions together. */
  private static final int SAMPLES_IN_ALL = 1024;

  /** Keys sampled of a small run, and of all runs if there are too many for larger samples. */
  private static final int SAMPLES_LEAST = 8;

  /** A run with at least one in this many of an average partition's entries is large. */
  private static final int LARGE_PARTS = 4;

  /**
   * The memory limit for samples: twice the memory for 4,000 runs with 48 keys of 30 bytes each.
   */
  private static final long KEPT_BYTES_MAX = 16 << 20;

  /** Estimated memory of a sample without its keys. */
  private static final int SAMPLE_BYTES = 256;

  /** Memory of a sampled key without its bytes. */
  private static final int KEY_OVERHEAD_BYTES = Integer.BYTES + Long.BYTES;

  /**
   * A run.
   *
   * @param table its table
   * @param range the range of the table's keys that count
   * @param entries the number of entries in the range
   */
  record Part(Table table, KeyRange range, long entries) {

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

  /**
   * Runs of a partition that are newer than the run to estimate. Estimates of one partition's runs
   * share one object: it begins empty, and gets each run after that run's estimate, from the newest
   * to the oldest.
   *
   * <p>Threads: one at a time.
   */
  static final class Newer {
    private final List<Part> parts = new ArrayList<>();
    private final Set<Slice> slices = new HashSet<>();

    /** Adds a run that is older than those added before. */
    void add(Part run) {
      parts.add(run);
      slices.add(run.slice());
    }

    boolean isEmpty() {
      return parts.isEmpty();
    }
  }

  /**
   * The sampled keys of a run, concatenated, without the keys that a newer run was found to hold.
   */
  private static final class Sample {
    private final int size;
    private final int droppedKeyspaces;

    /** The least seqno of the run's table. */
    private final long oldestSeqno;

    private final byte[] keys;
    private final int[] ends;
    private final long[] hashes;
    private int alive;

    /**
     * The runs in which the keys were looked up, and the partition's older runs. An edit never puts
     * an older run before a newer one, so keys need no lookup in any of them.
     */
    private Set<Slice> lookedUp = Set.of();

    Sample(int size, int droppedKeyspaces, long oldestSeqno, List<byte[]> readable) {
      this.size = size;
      this.droppedKeyspaces = droppedKeyspaces;
      this.oldestSeqno = oldestSeqno;
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

    /** Runs without entries as new as the oldest sampled entry shadow none of them. */
    void lookUp(Newer newer) {
      for (Part run : newer.parts) {
        if (run.table.properties().seqnos().max() >= oldestSeqno
            && !lookedUp.contains(run.slice())) {
          removeHeldBy(run);
        }
      }
      // Not the parts: they would keep deleted tables from being collected.
      lookedUp = newer.slices;
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

  /** In access order: the most recently used sample is last. */
  private final LinkedHashMap<Slice, Sample> samples = new LinkedHashMap<>(16, 0.75f, true);

  private final long keptBytesMax;
  private long keptBytes;
  private long taken;

  /** Creates an estimator without samples. */
  PartitionGarbageEstimate() {
    this(KEPT_BYTES_MAX);
  }

  /** Creates an estimator with a memory limit for samples. */
  PartitionGarbageEstimate(long keptBytesMax) {
    this.keptBytesMax = keptBytesMax;
  }

  /**
   * The size of the level that the runs belong to.
   *
   * @param partitions the number of partitions
   * @param runs the number of runs in all partitions
   * @param entries the number of entries in all runs
   */
  record Population(int partitions, int runs, long entries) {}

  /**
   * The share, 0 to 1, of a run's entries that are shadowed by newer runs or in dropped keyspaces.
   *
   * @param takes whether a new sample may be taken; if false, the share of a run without a sample
   *     is 0
   */
  double share(Part run, Newer newer, KeyspaceCatalog keyspaces, Population all, boolean takes) {
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

  /** The number of keyspaces that were dropped since the store was created. */
  static int dropped(KeyspaceCatalog keyspaces) {
    return keyspaces.nextId() - 1 - keyspaces.names().size();
  }

  /** An error in a small run's share is a small error in its partition's share. */
  private int wanted(Part run, Population all) {
    int largest = Math.max(SAMPLES_MIN, SAMPLES_IN_ALL / Math.max(1, all.partitions));
    double average = (double) all.entries / Math.max(1, all.partitions);
    double enough = largest * Math.min(1, run.entries * LARGE_PARTS / Math.max(1, average));
    TableProperties properties = run.table.properties();
    double keyBytes = (double) properties.keyBytes() / properties.entries() + KEY_OVERHEAD_BYTES;
    // The rest of the memory is for samples of deleted runs, until forgetAllBut() removes them.
    double room = ((double) keptBytesMax / 2 / Math.max(1, all.runs) - SAMPLE_BYTES) / keyBytes;
    double most = Math.min((double) properties.entries(), Math.min(enough, room));
    return (int) Math.max(SAMPLES_LEAST, most);
  }

  /** Whether samples of deleted runs should be {@linkplain #forgetAllBut removed}. */
  boolean isCrowded() {
    return keptBytes > keptBytesMax / 4 * 3;
  }

  /** Removes the samples of all runs except the given runs. */
  void forgetAllBut(Stream<Part> runs) {
    samples.keySet().retainAll(runs.map(Part::slice).collect(Collectors.toSet()));
    keptBytes = samples.values().stream().mapToLong(Sample::bytes).sum();
  }

  /** Memory that samples take, in bytes. Only tests of the memory limit call this. */
  long keptBytes() {
    return keptBytes;
  }

  /** The number of keys sampled so far. */
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
      entry.buffer().get(entry.keyOffset(), key);
      if (keyspaces.isLive(KeyspacePrefix.id(ByteBuffer.wrap(key), 0))) {
        readable.add(key);
      }
    });
    return new Sample(size, dropped, run.table.properties().seqnos().min(), readable);
  }
}
