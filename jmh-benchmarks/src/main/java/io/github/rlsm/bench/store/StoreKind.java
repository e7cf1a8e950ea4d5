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
          + " what was written") {
    @Override
    public BenchStore open(Path directory, StoreSettings settings) {
      return RlsmBenchStore.open(directory, settings);
    }
  },
  /** This project's store with its log on a device: a file beside it. */
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
      "an acknowledged write is in the log that the kernel has: it survives the death of the"
          + " process; power loss leaves a prefix of what was written") {
    @Override
    public BenchStore open(Path directory, StoreSettings settings) {
      return RocksBenchStore.open(directory, settings, false);
    }
  },
  /** RocksDB that uses its logs again, and changes them often enough that it does. */
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

  /** Opens the store in an existing directory, with what an earlier opening left there. */
  public abstract BenchStore open(Path directory, StoreSettings settings);

  /** The name in reports. */
  public String title() {
    return title;
  }

  /** What an acknowledged write survives, in words. */
  public String promise() {
    return promise;
  }

  /** The name on the command line. */
  public String option() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Whether the store is fastest with direct buffers; else it is given heap buffers. */
  public boolean directBuffers() {
    return directBuffers;
  }

  /** A buffer of the kind the store is fastest with. */
  public ByteBuffer allocate(int bytes) {
    return directBuffers ? ByteBuffer.allocateDirect(bytes) : ByteBuffer.allocate(bytes);
  }

  /**
   * The stores named in a comma-separated list, in that order.
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
