// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import io.github.rlsm.kv.Durability;
import io.github.rlsm.kv.InvalidOptionsException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/**
 * The options of a store. Immutable. Build them with {@link #builder()}, or by name with
 * {@link #fromProperties}. Both check all options together and report every problem at once.
 *
 * <p>Every option except {@link Builder#shards} may change whenever the store is opened. Options of
 * tables apply to the tables that are written from then on.
 */
public final class RlsmOptions {

  private static final RlsmOptions DEFAULTS = builder().build();

  /** The minimum memory budget, in bytes. */
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
  private final double restSpaceAmplification;
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
    restSpaceAmplification = builder.restSpaceAmplification;
    backgroundThreads = builder.backgroundThreads;
    directLog = builder.directLog;
    directLogFallback = builder.directLogFallback;
    shards = builder.shards;
    pinShards = builder.pinShards;
  }

  /** Returns the default options. */
  public static RlsmOptions defaults() {
    return DEFAULTS;
  }

  /** Returns a builder with the default options. */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Returns options by name; all others have their defaults. Sizes may end in k, m or g.
   *
   * @throws InvalidOptionsException for unknown names, with the closest known name, and for illegal
   *     values; reports all problems at once
   */
  public static RlsmOptions fromProperties(Map<String, String> properties) {
    return OptionNames.parse(properties);
  }

  /** Returns all options by name, in the format of {@link #fromProperties}. */
  public SortedMap<String, String> toProperties() {
    return OptionNames.format(this);
  }

  /**
   * The options of one shard of several, with its share of the memory budget and its log device.
   */
  RlsmOptions ofShard(int count, int shard) {
    SortedMap<String, String> options = toProperties();
    long budget = Math.max(SHARD_BUDGET_MIN, memoryBudget / Math.max(1, count));
    options.put("memoryBudget", Long.toString(budget));
    directLog.ifPresent(
        path -> options.put("directLog", String.format(Locale.ROOT, "%s-%04d", path, shard)));
    options.put("shards", "0");
    return fromProperties(options);
  }

  /** The same options without a log device. */
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

  /** See {@link Builder#restSpaceAmplification}. */
  public double restSpaceAmplification() {
    return restSpaceAmplification;
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

  /** A builder of options. Threads: one at a time. */
  public static final class Builder {

    private long memoryBudget = 512L << 20;
    private int logSegmentBytes = 0;
    private int separationThreshold = 768;
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
    private double maxSpaceAmplification = 2;
    private double restSpaceAmplification = 1.3;
    private int backgroundThreads = Math.min(4, Runtime.getRuntime().availableProcessors());
    private Optional<Path> directLog = Optional.empty();
    private boolean directLogFallback = false;
    private int shards = 0;
    private boolean pinShards = false;

    private Builder() {}

    /**
     * The memory budget of the store, in bytes. The budget covers recent writes and their indexes,
     * and with {@link #compression} a cache of decompressed pages. The operating system's cache of
     * the store's files is not part of the budget. Default 512 MiB. A larger budget makes flushes
     * larger and fewer. May change on reopening.
     */
    public Builder memoryBudget(long value) {
      memoryBudget = value;
      return this;
    }

    /**
     * The length of a segment of the write-ahead log and of the value log, in bytes. The default 0
     * means an eighth of the memory budget, between 256 KiB and 64 MiB. A flush writes about one
     * segment of data. A record longer than a segment gets a separate one. May change on reopening.
     */
    public Builder logSegmentBytes(int value) {
      logSegmentBytes = value;
      return this;
    }

    /**
     * The length, in bytes, from which values are stored in the value log, apart from their keys.
     * Merges of tables do not rewrite such a value. It is written again when the store reclaims
     * space, or puts values of up to 4 KiB into key order. Shorter values are stored with their
     * keys. Default 768; docs/benchmarks has the curve behind it. May change on reopening, and then
     * applies to later writes.
     */
    public Builder separationThreshold(int value) {
      separationThreshold = value;
      return this;
    }

    /**
     * The durability of writes that do not specify one. Default {@link Durability#OS}: writes
     * survive a crash of the process, but not of the machine.
     */
    public Builder defaultDurability(Durability value) {
      defaultDurability = value;
      return this;
    }

    /**
     * The data structure of the sorted memory tier. Default {@link MemtableKind#SORTED_RUNS}. May
     * change on reopening. The others are for comparison: docs/decisions/0035-kinds-of-memtable.md
     * has the reasons and figures.
     */
    public Builder memtable(MemtableKind value) {
      memtable = value;
      return this;
    }

    /**
     * The maximum number of entries in a memory component. The default 0 means one entry for each
     * 128 bytes of a log segment. While segments are shorter than {@link #logSegmentBytes}, or hold
     * only values in the value log, a component has fewer entries. An entry takes about 24 bytes of
     * the Java heap. May change on reopening.
     */
    public Builder memtableEntries(int value) {
      memtableEntries = value;
      return this;
    }

    /**
     * The size of a table page, in bytes; a power of two. Default 4096. Smaller pages waste less of
     * a cold read; larger pages compress better. May change on reopening, for new tables.
     */
    public Builder pageBytes(int value) {
      pageBytes = value;
      return this;
    }

    /**
     * The size of the tables' filters, in bits per key. 0 disables filters. Default 14: about one
     * in 500 tables without the key is searched because of a false positive. Each bit less
     * increases false positives by about half. Each bit more costs an eighth of a byte per key, on
     * disk and in memory while the table is read.
     */
    public Builder filterBitsPerKey(int value) {
      filterBitsPerKey = value;
      return this;
    }

    /**
     * The compression of pages. Default none. LZ4 and Zstandard need their library on the class
     * path. A cache of decompressed pages takes a quarter of the memory budget.
     */
    public Builder compression(Compression value) {
      compression = value;
      return this;
    }

    /**
     * When page checksums are verified. Default: at the first read of each page. Verification at
     * every read also detects later damage, and makes lookups a few times slower.
     */
    public Builder verifyChecksums(VerifyChecksums value) {
      verifyChecksums = value;
      return this;
    }

    /**
     * The size at which a key range of level 1 is split, in bytes. Default 120 MiB, as in the RLSM
     * paper (section V). A store with more than 1,024 such ranges uses up to eight times this size.
     * May change on reopening.
     */
    public Builder partitionBytes(long value) {
      partitionBytes = value;
      return this;
    }

    /**
     * The number of runs in a key range that may hold the same key before some are merged, in a
     * small store. Default 8. A larger number reduces writes and costs scan speed and space. Each
     * doubling of the store beyond 64 log segments (4 GiB with the default budget) allows one more
     * run, up to 12 more. So the write cost per byte grows slowly. Ranges that are scanned are
     * merged regardless.
     */
    public Builder runsPerPartition(int value) {
      runsPerPartition = value;
      return this;
    }

    /**
     * The fraction of overwritten and deleted entries above which a key range is cleaned. Default
     * 0.5. A smaller fraction saves space and speeds up scans, and costs writes.
     */
    public Builder deadFraction(double value) {
      deadFraction = value;
      return this;
    }

    /**
     * Compaction starts when level 0 has more tables than this, in a small store. Default 4. The
     * threshold grows with the store like {@link #runsPerPartition}. A larger number saves writes,
     * and makes reads slower.
     */
    public Builder l0Trigger(int value) {
      l0Trigger = value;
      return this;
    }

    /**
     * The length, in bytes, from which a slice of a level-0 table is linked into its key range
     * without copying. Shorter slices are copied together. Default 256 KiB. A smaller length saves
     * writes, and costs space: a table stays on disk while one of its slices is linked.
     */
    public Builder linkBytes(long value) {
      linkBytes = value;
      return this;
    }

    /**
     * The maximum number of bytes on disk for each byte of current keys and values while the store
     * is written to. Close to the limit, the store reclaims space: it relocates live values out of
     * value-log segments and rewrites tables. It throttles writers to the pace of that work. Must
     * be more than 1. Default 2. {@link #restSpaceAmplification} is the target without writes.
     *
     * <p>A smaller limit costs writes, because live values are relocated more often:
     * docs/benchmarks/space has figures. The limit does not count the log of the data in memory,
     * level 0 or the output of running jobs. These do not grow with the store. It does not count
     * data that only a snapshot needs either. Segments and key ranges with hardly any garbage are
     * not rewritten. May change on reopening.
     */
    public Builder maxSpaceAmplification(double value) {
      maxSpaceAmplification = value;
      return this;
    }

    /**
     * The number of bytes on disk for each byte of current keys and values to which a store shrinks
     * when it is not written to. The store begins to shrink after one second without writes, and in
     * {@code KvStore.settle()}. A write ends it. Must be more than 1. Default 1.3. If it exceeds
     * {@link #maxSpaceAmplification}, that limit is the target.
     *
     * <p>A smaller target costs writes after each phase of overwriting. May change on reopening.
     */
    public Builder restSpaceAmplification(double value) {
      restSpaceAmplification = value;
      return this;
    }

    /**
     * The number of shards, up to 1024. The default 0 means a store without shards. Begin with it:
     * on two cores, shards made calls slower, see docs/benchmarks/shards. Otherwise use about one
     * shard per available core. The number is stored on disk. Opening with another number fails;
     * {@link Rlsm#reshard} changes it.
     */
    public Builder shards(int value) {
      shards = value;
      return this;
    }

    /**
     * Whether each shard's thread is pinned to a separate core. Default false: asynchronous calls
     * may become faster, and forces much slower, see docs/benchmarks/shards. May change on
     * reopening.
     *
     * <p>The option needs a number of {@link #shards}, at least that many cores for the process,
     * and net.openhft:affinity on the class path. Otherwise it has no effect, and the store logs
     * one warning.
     */
    public Builder pinShards(boolean value) {
      pinShards = value;
      return this;
    }

    /**
     * The number of threads that compact and reclaim space. The store has three more background
     * threads, to flush, to prepare log segments and to delete files. Default: the number of
     * processors, at most 4. If the compaction threads fall behind, writers wait. May change on
     * reopening.
     */
    public Builder backgroundThreads(int value) {
      backgroundThreads = value;
      return this;
    }

    /**
     * A log device: a raw block device, a partition or a preallocated file, initialised by
     * {@code log-device init}. {@link Durability#SYNC} writes become durable on it by one direct
     * write per group of waiting writers, without file system metadata. Other durabilities are
     * unaffected. Default none. May change on reopening.
     *
     * <p>A log device belongs to one store at a time. While the store is open, and after a crash,
     * the directory is incomplete without the device: back up and move both together. Closing the
     * store leaves no data on the device. Each shard of a store with shards has a separate device,
     * at this path followed by {@code -0000}, {@code -0001} and so on. The device cannot be in the
     * directory of the store.
     */
    public Builder directLog(Path value) {
      directLog = Optional.of(value.toAbsolutePath().normalize());
      return this;
    }

    /**
     * Whether the store opens without its log device, with a warning, if the device cannot be used.
     * Default false: opening fails. Opening always fails if the device holds data that the store
     * needs.
     */
    public Builder directLogFallback(boolean value) {
      directLogFallback = value;
      return this;
    }

    /**
     * Builds the options.
     *
     * @throws InvalidOptionsException if some are illegal; reports all problems at once
     */
    public RlsmOptions build() {
      RlsmOptions options = new RlsmOptions(this);
      OptionNames.check(options);
      return options;
    }
  }
}
