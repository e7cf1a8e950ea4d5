// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.micro;

import io.github.rlsm.Rlsm;
import io.github.rlsm.RlsmOptions;
import io.github.rlsm.bench.run.Directories;
import io.github.rlsm.bench.store.StoreSettings;
import io.github.rlsm.bench.workload.Keys;
import io.github.rlsm.kv.Durability;
import io.github.rlsm.kv.KvStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.ThreadParams;

/**
 * Measures gets in a whole store with all files in memory: of a present key, of an absent key, and
 * of many keys at once.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class StoreGetBenchmark {

  private static final int MULTI = 32;

  /** Keys in the store. */
  @Param("2000000")
  public int entries;

  /** Bytes of each value. */
  @Param("100")
  public int valueBytes;

  /** Whether to finish background work first. */
  @Param("true")
  public boolean settled;

  private final Path path = ScratchLog.makeDirectory();
  private KvStore store;

  /** Loads the store in random order. */
  @Setup
  public void load() {
    store = Rlsm.open(path, RlsmOptions.builder().build());
    ByteBuffer buffer = ByteBuffer.allocate(StoreSettings.KEY_BYTES);
    byte[] key = new byte[StoreSettings.KEY_BYTES];
    byte[] value = new byte[valueBytes];
    SplittableRandom random = new SplittableRandom(1);
    for (int id = 0; id < entries; id++) {
      Keys.fill(buffer, id);
      buffer.get(0, key);
      random.nextBytes(value);
      store.put(key, value, Durability.OS);
    }
    if (settled) {
      store.settle();
    } else {
      store.flush();
    }
  }

  /** Removes the store. */
  @TearDown
  public void close() throws IOException {
    System.out.println(store.stats().reads());
    store.close();
    Directories.delete(path);
  }

  /** The state of one reader thread. */
  @State(Scope.Thread)
  public static class Reader {

    private final ByteBuffer buffer = ByteBuffer.allocate(StoreSettings.KEY_BYTES);
    private final byte[] key = new byte[StoreSettings.KEY_BYTES];
    private final ByteBuffer value = ByteBuffer.allocate(4096);
    private final List<byte[]> many = new ArrayList<>();
    private SplittableRandom random;
    private int entries;

    /** Each thread draws different keys. */
    @Setup
    public void begin(StoreGetBenchmark benchmark, ThreadParams threads) {
      random = new SplittableRandom(threads.getThreadIndex());
      entries = benchmark.entries;
      for (int i = 0; i < MULTI; i++) {
        many.add(new byte[StoreSettings.KEY_BYTES]);
      }
    }

    private byte[] present() {
      return key(random.nextInt(entries));
    }

    private byte[] absent() {
      return key((long) entries + random.nextInt(entries));
    }

    private byte[] key(long id) {
      Keys.fill(buffer, id);
      buffer.get(0, key);
      return key;
    }

    private List<byte[]> presentMany() {
      for (byte[] one : many) {
        System.arraycopy(present(), 0, one, 0, one.length);
      }
      return many;
    }
  }

  /** Gets a present key. */
  @Benchmark
  public byte @Nullable [] present(Reader reader) {
    return store.get(reader.present());
  }

  /** Gets an absent key. */
  @Benchmark
  public byte @Nullable [] absent(Reader reader) {
    return store.get(reader.absent());
  }

  /** Gets a present key; copies the value into the caller's array. */
  @Benchmark
  public int presentInto(Reader reader) {
    return store.get(reader.present(), reader.value.clear());
  }

  /** Gets many present keys in one call; reports the time per key. */
  @Benchmark
  @OperationsPerInvocation(MULTI)
  public List<byte @Nullable []> presentMany(Reader reader) {
    return store.multiGet(reader.presentMany());
  }
}
