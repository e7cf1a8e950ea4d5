// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.rocks;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.rlsm.kv.Durability;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteBatch;

/**
 * Maps keyspace names to the number prefixes of their keys. The map is stored in the same family
 * under prefix 0. The empty name has the highest number ever used, so that no number is used twice.
 *
 * <p>Threads: any; guarded by this object's monitor.
 */
final class RocksCatalog {

  private final RocksDatabase database;
  private final KeyPlace own;

  @GuardedBy("this")
  private final Map<String, Integer> numbers = new TreeMap<>();

  @GuardedBy("this")
  private int highest;

  RocksCatalog(RocksDatabase database) {
    this.database = database;
    this.own = KeyPlace.numbered(database.named(), 0);
    database.call("read the names of keyspaces", () -> {
      read();
      return this;
    });
  }

  private synchronized void read() throws RocksDBException {
    try (ReadOptions options = new ReadOptions();
        RocksIterator names = database.rocks().newIterator(database.named(), options)) {
      for (names.seek(own.begin()); names.isValid() && isOwn(names.key()); names.next()) {
        int number = ByteBuffer.wrap(names.value()).getInt();
        String name = new String(own.userKey(names.key()), UTF_8);
        if (name.isEmpty()) {
          highest = number;
        } else {
          numbers.put(name, number);
        }
      }
      names.status();
    }
  }

  private static boolean isOwn(byte[] key) {
    return ByteBuffer.wrap(key).getInt() == 0;
  }

  synchronized Set<String> names() {
    return Set.copyOf(numbers.keySet());
  }

  /** The location of the keyspace's keys. Creates the keyspace if necessary. */
  synchronized KeyPlace make(String name) throws RocksDBException {
    Integer number = numbers.get(name);
    if (number == null) {
      try (WriteBatch batch = new WriteBatch()) {
        batch.put(database.named(), key(name), number(highest + 1));
        batch.put(database.named(), own.begin(), number(highest + 1));
        database.rocks().write(database.writes(Durability.SYNC), batch);
      }
      highest++;
      number = highest;
      numbers.put(name, number);
    }
    return KeyPlace.numbered(database.named(), number);
  }

  /** Drops a keyspace. Returns whether it existed. */
  synchronized boolean drop(String name) throws RocksDBException {
    Integer number = numbers.get(name);
    if (number == null) {
      return false;
    }
    KeyPlace place = KeyPlace.numbered(database.named(), number);
    try (WriteBatch batch = new WriteBatch()) {
      batch.delete(database.named(), key(name));
      batch.deleteRange(database.named(), place.begin(), place.end());
      database.rocks().write(database.writes(Durability.SYNC), batch);
    }
    numbers.remove(name);
    return true;
  }

  private byte[] key(String name) {
    byte[] utf8 = name.getBytes(UTF_8);
    return own.key(utf8, 0, utf8.length);
  }

  private static byte[] number(int number) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(number).array();
  }
}
