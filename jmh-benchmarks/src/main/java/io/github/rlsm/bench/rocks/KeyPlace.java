// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.rocks;

import io.github.rlsm.kv.EntryLimits;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ColumnFamilyHandle;

/**
 * The location of a keyspace's keys: a column family and a key prefix.
 *
 * <p>Threads: any; immutable.
 */
final class KeyPlace {

  private static final byte[] NOTHING = {};

  private final ColumnFamilyHandle family;
  private final byte[] prefix;

  private KeyPlace(ColumnFamilyHandle family, byte[] prefix) {
    this.family = family;
    this.prefix = prefix;
  }

  /** A keyspace that is a whole column family, without a prefix. */
  static KeyPlace whole(ColumnFamilyHandle family) {
    return new KeyPlace(family, NOTHING);
  }

  /** A keyspace that is the part of a family whose keys begin with a number. */
  static KeyPlace numbered(ColumnFamilyHandle family, int number) {
    return new KeyPlace(
        family, ByteBuffer.allocate(Integer.BYTES).putInt(number).array());
  }

  ColumnFamilyHandle family() {
    return family;
  }

  /** Checks a user's key and converts it to RocksDB's key. */
  byte[] key(byte[] key, int offset, int length) {
    EntryLimits.checkKey(key, offset, length);
    if (prefix.length == 0 && offset == 0 && length == key.length) {
      return key;
    }
    byte[] placed = Arrays.copyOf(prefix, prefix.length + length);
    System.arraycopy(key, offset, placed, prefix.length, length);
    return placed;
  }

  /** Converts RocksDB's key to the user's key. */
  byte[] userKey(byte[] placed) {
    return prefix.length == 0 ? placed : Arrays.copyOfRange(placed, prefix.length, placed.length);
  }

  /** The lower bound of a scan from a key; null for the start of the family. */
  byte @Nullable [] from(byte @Nullable [] key) {
    return prefix.length == 0 ? key : bound(key == null ? NOTHING : key);
  }

  /** The upper bound of a scan up to a key; null for the end of the family. */
  byte @Nullable [] to(byte @Nullable [] key) {
    return prefix.length == 0 ? key : key == null ? end() : bound(key);
  }

  private byte[] bound(byte[] key) {
    byte[] placed = Arrays.copyOf(prefix, prefix.length + key.length);
    System.arraycopy(key, 0, placed, prefix.length, key.length);
    return placed;
  }

  /** The smallest key after all keys of this numbered keyspace. */
  byte[] end() {
    return ByteBuffer.allocate(Integer.BYTES)
        .putInt(ByteBuffer.wrap(prefix).getInt() + 1)
        .array();
  }

  /** A lower bound of all keys of this keyspace. */
  byte[] begin() {
    return prefix.clone();
  }
}
