// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import io.github.rlsm.kv.Durability;
import io.github.rlsm.kv.InvalidOptionsException;
import io.github.rlsm.level.Compression;
import io.github.rlsm.memory.MemtableKind;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/**
 * How a store works. Immutable; made by {@link #builder()}, or by name with
 * {@link #fromProperties}, and checked as a whole: every problem is reported at once.
 */
public final class RlsmOptions {

  private static final RlsmOptions DEFAULTS = builder().build();

  /** The least that is legal. */
  private static final long SHARD_BUDGET_MIN = 1L << 20;

  private final long memoryBudget;
  private final int logSegmentBytes;
  private final int separationThreshold;
  private final Durability defaultDurability;
  private final MemtableKind memtable;
  private final int memtableEntries;
  private final int pageBytes;
  private final int filterBitsPerKey;
  private final Compression compression;
  private final VerifyChecksums verifyChecksums;
  private final long partitionBytes;
  private final int runsPerPartition;
  private final double deadFraction;
  private final int l0Trigger;
  private final long linkBytes;
  private final double maxSpaceAmplification;
  private final int backgroundThreads;
  private final Optional<Path> directLog;
  private final boolean directLogFallback;
  private final int shards;
  private final boolean pinShards;

  private RlsmOptions(Builder builder) {
    memoryBudget = builder.memoryBudget;
    logSegmentBytes = builder.logSegmentBytes;
    separationThreshold = builder.separationThreshold;
    defaultDurability = builder.defaultDurability;
    memtable = builder.memtable;
    memtableEntries = builder.memtableEntries;
    pageBytes = builder.pageBytes;
    filterBitsPerKey = builder.filterBitsPerKey;
    compression = builder.compression;
    verifyChecksums = builder.verifyChecksums;
    partitionBytes = builder.partitionBytes;
    runsPerPartition = builder.runsPerPartition;
    deadFraction = builder.deadFraction;
    l0Trigger = builder.l0Trigger;
    linkBytes = builder.linkBytes;
    maxSpaceAmplification = builder.maxSpaceAmplification;
    backgroundThreads = builder.backgroundThreads;
    directLog = builder.directLog;
    directLogFallback = builder.directLogFallback;
    shards = builder.shards;
    pinShards = builder.pinShards;
  }

  /** The defaults. */
  public static RlsmOptions defaults() {
    return DEFAULTS;
  }

  /** A builder that begins with the defaults. */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Options by name, the rest as the defaults. Sizes may end in k, m or g.
   *
   * @throws InvalidOptionsException for names that do not exist, with the nearest that does, and
   *     for values that are not legal; all of them at once
   */
  public static RlsmOptions fromProperties(Map<String, String> properties) {
    return OptionNames.parse(properties);
  }

  /** All options by name, as {@link #fromProperties} takes them. */
  public SortedMap<String, String> toProperties() {
    return OptionNames.format(this);
  }

  /** The options of one of several shards: with its part of the memory budget, and its device. */
  RlsmOptions ofShard(int count, int shard) {
    SortedMap<String, String> options = toProperties();
    long budget = Math.max(SHARD_BUDGET_MIN, memoryBudget / Math.max(1, count));
    options.put("memoryBudget", Long.toString(budget));
    directLog.ifPresent(
        path -> options.put("directLog", String.format(Locale.ROOT, "%s-%04d", path, shard)));
    options.put("shards", "0");
    return fromProperties(options);
  }

  /** The same without a log device. */
  RlsmOptions withLogInFiles() {
    SortedMap<String, String> options = toProperties();
    options.remove("directLog");
    options.remove("directLogFallback");
    return fromProperties(options);
  }

  /** See {@link Builder#memoryBudget}. */
  public long memoryBudget() {
    return memoryBudget;
  }

  /** See {@link Builder#logSegmentBytes}. */
  public int logSegmentBytes() {
    return logSegmentBytes;
  }

  /** See {@link Builder#separationThreshold}. */
  public int separationThreshold() {
    return separationThreshold;
  }

  /** See {@link Builder#defaultDurability}. */
  public Durability defaultDurability() {
    return defaultDurability;
  }

  /** See {@link Builder#memtable}. */
  public MemtableKind memtable() {
    return memtable;
  }

  /** See {@link Builder#memtableEntries}. */
  public int memtableEntries() {
    return memtableEntries;
  }

  /** See {@link Builder#pageBytes}. */
  public int pageBytes() {
    return pageBytes;
  }

  /** See {@link Builder#filterBitsPerKey}. */
  public int filterBitsPerKey() {
    return filterBitsPerKey;
  }

  /** See {@link Builder#compression}. */
  public Compression compression() {
    return compression;
  }

  /** See {@link Builder#verifyChecksums}. */
  public VerifyChecksums verifyChecksums() {
    return verifyChecksums;
  }

  /** See {@link Builder#partitionBytes}. */
  public long partitionBytes() {
    return partitionBytes;
  }

  /** See {@link Builder#runsPerPartition}. */
  public int runsPerPartition() {
    return runsPerPartition;
  }

  /** See {@link Builder#deadFraction}. */
  public double deadFraction() {
    return deadFraction;
  }

  /** See {@link Builder#l0Trigger}. */
  public int l0Trigger() {
    return l0Trigger;
  }

  /** See {@link Builder#linkBytes}. */
  public long linkBytes() {
    return linkBytes;
  }

  /** See {@link Builder#maxSpaceAmplification}. */
  public double maxSpaceAmplification() {
    return maxSpaceAmplification;
  }

  /** See {@link Builder#backgroundThreads}. */
  public int backgroundThreads() {
    return backgroundThreads;
  }

  /** See {@link Builder#directLog}. */
  public Optional<Path> directLog() {
    return directLog;
  }

  /** See {@link Builder#directLogFallback}. */
  public boolean directLogFallback() {
    return directLogFallback;
  }

  /** See {@link Builder#shards}. */
  public int shards() {
    return shards;
  }

  /** See {@link Builder#pinShards}. */
  public boolean pinShards() {
    return pinShards;
  }

  @Override
  public String toString() {
    return "RlsmOptions" + toProperties();
  }

  /** Collects options. Threads: one at a time. */
  public static final class Builder {

    private long memoryBudget = 512L << 20;
    private int logSegmentBytes = 0;
    private int separationThreshold = 512;
    private Durability defaultDurability = Durability.OS;
    private MemtableKind memtable = MemtableKind.SORTED_RUNS;
    private int memtableEntries = 0;
    private int pageBytes = 4096;
    private int filterBitsPerKey = 14;
    private Compression compression = Compression.NONE;
    private VerifyChecksums verifyChecksums = VerifyChecksums.FIRST_READ;
    private long partitionBytes = 120L << 20;
    private int runsPerPartition = 8;
    private double deadFraction = 0.5;
    private int l0Trigger = 4;
    private long linkBytes = 256L << 10;
    private double maxSpaceAmplification = 1.3;
    private int backgroundThreads = Math.min(4, Runtime.getRuntime().availableProcessors());
    private Optional<Path> directLog = Optional.empty();
    private boolean directLogFallback = false;
    private int shards = 0;
    private boolean pinShards = false;

    private Builder() {}

    /**
     * How much memory the store may take, in bytes: recent writes with their indexes, and the page
     * cache. What the operating system caches of the store's files comes on top and is its to give
     * and take. Default 512 MiB. More makes flushes larger and fewer. May change on reopening.
     */
    public Builder memoryBudget(long value) {
      memoryBudget = value;
      return this;
    }

    /**
     * Length of a segment of the write-ahead log and of the value log, in bytes; 0, the default,
     * for an eighth of the memory budget, from 256 KiB to 64 MiB. A segment's worth of writes is
     * flushed at once. A record that is longer gets a segment of its own. May change on reopening.
     */
    public Builder logSegmentBytes(int value) {
      logSegmentBytes = value;
      return this;
    }

    /**
     * Values this long and longer, in bytes, are stored in the value log, apart from their keys,
     * and written once; shorter ones beside their keys. Default 512: docs/benchmarks has the curve
     * behind it. May change on reopening, for what is written from then on.
     */
    public Builder separationThreshold(int value) {
      separationThreshold = value;
      return this;
    }

    /**
     * What writes survive that do not say themselves. Default {@link Durability#OS}: the death of
     * the process, not of the machine.
     */
    public Builder defaultDurability(Durability value) {
      defaultDurability = value;
      return this;
    }

    /**
     * How the sorted memory tier is built. Default {@link MemtableKind#SORTED_RUNS}, the fastest on
     * every machine measured.
     */
    public Builder memtable(MemtableKind value) {
      memtable = value;
      return this;
    }

    /**
     * How many entries a memory component holds at most; 0, the default, for one for each 128 bytes
     * of a log segment. May change on reopening.
     */
    public Builder memtableEntries(int value) {
      memtableEntries = value;
      return this;
    }

    /**
     * Size of a page of a table, in bytes: a power of two. Default 4096. Smaller pages waste less
     * of a cold read, larger ones compress better. May change on reopening, for new tables.
     */
    public Builder pageBytes(int value) {
      pageBytes = value;
      return this;
    }

    /**
     * Size of the tables' filters, in bits for each key. Default 14: of 500 tables that do not hold
     * a key, about one is searched for it in vain. Each bit less makes that half as many again;
     * each bit more costs an eighth of a byte a key on disk, and in memory while the table is read.
     * 0 for no filters.
     */
    public Builder filterBitsPerKey(int value) {
      filterBitsPerKey = value;
      return this;
    }

    /**
     * How pages are compressed. Default none. LZ4 and Zstandard need their library on the class
     * path. Decompressed pages are kept in a cache that takes a quarter of the memory budget.
     */
    public Builder compression(Compression value) {
      compression = value;
      return this;
    }

    /** When the checksums of pages are checked. Default the first time each is read. */
    public Builder verifyChecksums(VerifyChecksums value) {
      verifyChecksums = value;
      return this;
    }

    /**
     * Size at which a key range of level 1 is split, in bytes. Default 120 MiB, as in the RLSM
     * paper (section V); up to eight times as much in a store of more than 1,024 such ranges. May
     * change on reopening.
     */
    public Builder partitionBytes(long value) {
      partitionBytes = value;
      return this;
    }

    /**
     * How many runs of a key range may hold the same key before some are merged, in a small store.
     * Default 8. More saves writing and costs scanning and space. One more is allowed with each
     * doubling of the store beyond 64 log segments (4 GiB with the default budget), up to 12 more,
     * so that what a byte costs to write grows slowly; ranges that are scanned are merged all the
     * same.
     */
    public Builder runsPerPartition(int value) {
      runsPerPartition = value;
      return this;
    }

    /** Share of overwritten and deleted entries above which a key range is cleaned. Default 0.5. */
    public Builder deadFraction(double value) {
      deadFraction = value;
      return this;
    }

    /**
     * Compaction starts when level 0 has more tables than this, in a small store. Default 4. It
     * grows like {@link #runsPerPartition}.
     */
    public Builder l0Trigger(int value) {
      l0Trigger = value;
      return this;
    }

    /**
     * A part of a level-0 table at least this long, in bytes, is linked into its key range without
     * copying; shorter ones are copied together. Default 256 KiB.
     */
    public Builder linkBytes(long value) {
      linkBytes = value;
      return this;
    }

    /**
     * How many bytes the store may take on disk for each byte of current keys and values. Above
     * that, values that are still current are moved out of segments of the value log, and tables
     * are rewritten, to free what is not; as it comes near, writers are slowed to the pace of that.
     * More than 1, default 1.3. Smaller costs writes: values of 1,000 bytes that are overwritten at
     * random are written 3.7 times each at 1.3 and 1.5 times at 2. Not counted are the log of what
     * is in memory, level 0 and what running jobs are about to bring, which do not grow with the
     * store, and what only a snapshot still needs. Segments and key ranges in which hardly anything
     * is dead are left alone. May change on reopening.
     */
    public Builder maxSpaceAmplification(double value) {
      maxSpaceAmplification = value;
      return this;
    }

    /**
     * How many shards a store has: 0, the default, for a store without, which
     * {@link RlsmStore#open} opens; 1 to 1024 for one of several, which {@link RlsmStores} does,
     * about as many as there are cores for them. Kept on disk: another number is refused,
     * {@link RlsmStores#reshard} changes it.
     */
    public Builder shards(int value) {
      shards = value;
      return this;
    }

    /**
     * Whether each shard's thread is kept on a core of its own. Default false: calls that do not
     * wait may gain by it, forces may lose much, see docs/benchmarks/shards. It does something only
     * if {@link #shards} says how many there are, the process may use at least as many cores, and
     * net.openhft:affinity is on the class path; otherwise one warning is logged. May change on
     * reopening.
     */
    public Builder pinShards(boolean value) {
      pinShards = value;
      return this;
    }

    /**
     * Threads that compact and free space, beside the one that flushes. Default as many as there
     * are processors, up to 4: what they do not keep up with, writers wait for. May change on
     * reopening.
     */
    public Builder backgroundThreads(int value) {
      backgroundThreads = value;
      return this;
    }

    /**
     * A log device: a raw block device, a partition or a preallocated file, made one by
     * {@code log-device init}. {@link Durability#SYNC} writes become durable on it with one direct
     * write for all who wait, without a file system's metadata; the other durabilities are as
     * without it. It belongs to one store at a time, and while that is open and after a crash the
     * store is not whole without it: back it up and move it together with the directory. Closing
     * the store leaves nothing on it. In a store of several shards each has a device of its own, at
     * this path followed by {@code -0000}, {@code -0001} and so on. It cannot be in the directory
     * of the store. Default none. May change on reopening.
     */
    public Builder directLog(Path value) {
      directLog = Optional.of(value.toAbsolutePath().normalize());
      return this;
    }

    /**
     * Whether a store opens without its log device, and with a warning, if that cannot be used;
     * never so if the device has what the store needs. Default false: it is an error.
     */
    public Builder directLogFallback(boolean value) {
      directLogFallback = value;
      return this;
    }

    /**
     * The options collected so far.
     *
     * @throws InvalidOptionsException if some are not legal; all of them at once
     */
    public RlsmOptions build() {
      RlsmOptions options = new RlsmOptions(this);
      OptionNames.check(options);
      return options;
    }
  }
}
