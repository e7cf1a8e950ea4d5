// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.store;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.h2.mvstore.Cursor;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.type.ByteArrayDataType;

/**
 * H2's MVStore. By default it commits in the background, once a second or when enough writes have
 * gathered. Writes of the last second may be lost when the process dies; the other stores promise
 * more. If each write must be durable, each is committed and synced.
 *
 * <p>Threads: see {@link BenchStore}.
 */
final class MvBenchStore implements BenchStore {

  private final MVStore store;
  private final MVMap<byte[], byte[]> map;
  private final boolean sync;

  private MvBenchStore(MVStore store, boolean sync) {
    this.store = store;
    this.sync = sync;
    this.map = store.openMap(
        "bench",
        new MVMap.Builder<byte[], byte[]>()
            .keyType(ByteArrayDataType.INSTANCE)
            .valueType(ByteArrayDataType.INSTANCE));
  }

  static MvBenchStore open(Path directory, StoreSettings settings) {
    MVStore.Builder builder = new MVStore.Builder()
        .fileName(directory.resolve("bench.mv").toString())
        .cacheSize((int) Math.max(1, settings.cacheBytes() >> 20));
    if (settings.sync()) {
      builder.autoCommitDisabled();
    }
    return new MvBenchStore(builder.open(), settings.sync());
  }

  @Override
  public Session openSession() {
    return new MvSession();
  }

  /** Commits and syncs. There is no way to wait for the work of an idle MVStore. */
  @Override
  public long settle() {
    long begin = System.nanoTime();
    store.commit();
    store.sync();
    return System.nanoTime() - begin;
  }

  @Override
  public Map<String, String> statistics() {
    Map<String, String> statistics = new LinkedHashMap<>();
    store.populateInfo(statistics::put);
    statistics.put("fillRate", Integer.toString(store.getFillRate()));
    return statistics;
  }

  @Override
  public void close() {
    store.close();
  }

  private void commitIfSync() {
    if (sync) {
      store.commit();
      store.sync();
    }
  }

  private static byte[] copy(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(buffer.position(), bytes);
    return bytes;
  }

  /** One client. The map is thread-safe. */
  private final class MvSession implements Session {

    @Override
    public void put(ByteBuffer key, ByteBuffer value) {
      map.put(copy(key), copy(value));
      commitIfSync();
    }

    @Override
    public boolean get(ByteBuffer key, ByteBuffer value) {
      byte[] found = map.get(copy(key));
      if (found == null) {
        return false;
      }
      value.clear().put(found).flip();
      return true;
    }

    @Override
    public void delete(ByteBuffer key) {
      map.remove(copy(key));
      commitIfSync();
    }

    @Override
    public int scan(ByteBuffer from, int limit, EntryVisitor visitor) {
      Cursor<byte[], byte[]> cursor = map.cursor(copy(from));
      int visited = 0;
      while (visited < limit && cursor.hasNext()) {
        cursor.next();
        visitor.entry(ByteBuffer.wrap(cursor.getKey()), ByteBuffer.wrap(cursor.getValue()));
        visited++;
      }
      return visited;
    }

    @Override
    public void close() {}
  }
}
