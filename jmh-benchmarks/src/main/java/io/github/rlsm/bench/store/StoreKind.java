// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.store;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The stores that are compared. */
public enum StoreKind {
  /** This project's store. */
  RLSM(
      "RLSM",
      false,
      "an acknowledged write survives the death of the process; power loss leaves a prefix of"
          + " all writes") {
    @Override
    public BenchStore open(Path directory, StoreSettings settings) {
      return RlsmBenchStore.open(directory, settings);
    }
  },
  /** This project's store with its log on a device, here a preallocated file. */
  RLSM_DIRECT("RLSM, direct log", false, "as RLSM") {
    @Override
    public BenchStore open(Path directory, StoreSettings settings) {
      return RlsmBenchStore.openDirect(directory, settings);
    }
  },
  /** RocksDB with its leveled compaction. */
  ROCKSDB(
      "RocksDB",
      true,
      "the kernel has the log of an acknowledged write, so the write survives the death of the"
          + " process; power loss leaves a prefix of all writes") {
    @Override
    public BenchStore open(Path directory, StoreSettings settings) {
      return RocksBenchStore.open(directory, settings, false);
    }
  },
  /** RocksDB with recycled logs. Switches logs often enough for recycling to happen. */
  ROCKSDB_RECYCLED(
      "RocksDB, recycled logs", true, "as RocksDB; write buffers, and so logs, of 8 MiB") {
    @Override
    public BenchStore open(Path directory, StoreSettings settings) {
      return RocksBenchStore.openRecycling(directory, settings);
    }
  },
  /** RocksDB with values of 512 bytes and more in blob files. */
  BLOBDB("RocksDB + BlobDB", true, "as RocksDB") {
    @Override
    public BenchStore open(Path directory, StoreSettings settings) {
      return RocksBenchStore.open(directory, settings, true);
    }
  },
  /** LMDB. */
  LMDB(
      "LMDB",
      true,
      "WRITEMAP and NOSYNC: an acknowledged write survives the death of the process, but power"
          + " loss may leave the whole database corrupt; **weaker than RocksDB**. Every put synced"
          + " in the sync workload: as the others") {
    @Override
    public BenchStore open(Path directory, StoreSettings settings) {
      return LmdbBenchStore.open(directory, settings);
    }
  },
  /** H2's MVStore. */
  MVSTORE(
      "MVStore",
      false,
      "commits in the background: the last second's writes may be lost with the process;"
          + " **weaker than RocksDB**. Every put committed and synced in the sync workload: as the"
          + " others") {
    @Override
    public BenchStore open(Path directory, StoreSettings settings) {
      return MvBenchStore.open(directory, settings);
    }
  };

  private final String title;
  private final boolean directBuffers;
  private final String promise;

  StoreKind(String title, boolean directBuffers, String promise) {
    this.title = title;
    this.directBuffers = directBuffers;
    this.promise = promise;
  }

  /** Opens the store in an existing directory, with the data of an earlier opening. */
  public abstract BenchStore open(Path directory, StoreSettings settings);

  /** The name in reports. */
  public String title() {
    return title;
  }

  /** The failures that an acknowledged write survives, as text. */
  public String promise() {
    return promise;
  }

  /** The name on the command line. */
  public String option() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Whether the store is fastest with direct buffers. Otherwise it gets heap buffers. */
  public boolean directBuffers() {
    return directBuffers;
  }

  /** Allocates a buffer of the store's fastest kind. */
  public ByteBuffer allocate(int bytes) {
    return directBuffers ? ByteBuffer.allocateDirect(bytes) : ByteBuffer.allocate(bytes);
  }

  /**
   * Parses a comma-separated list of stores. Keeps the order.
   *
   * @throws IllegalArgumentException if a name is unknown
   */
  public static List<StoreKind> parse(String names) {
    return Arrays.stream(names.split(","))
        .map(String::trim)
        .map(StoreKind::named)
        .toList();
  }

  private static StoreKind named(String name) {
    return Arrays.stream(values())
        .filter(kind -> kind.option().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no store \"" + name + "\"; there are "
            + Arrays.stream(values()).map(StoreKind::option).collect(Collectors.joining(", "))));
  }
}
