// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.rocks;

import io.github.rlsm.kv.EntryLimits;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ColumnFamilyHandle;

/**
 * Where a keyspace's keys stand: a column family, and what stands before each key.
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

  /** A family of its own. */
  static KeyPlace whole(ColumnFamilyHandle family) {
    return new KeyPlace(family, NOTHING);
  }

  /** The part of a family whose keys begin with a number. */
  static KeyPlace numbered(ColumnFamilyHandle family, int number) {
    return new KeyPlace(
        family, ByteBuffer.allocate(Integer.BYTES).putInt(number).array());
  }

  ColumnFamilyHandle family() {
    return family;
  }

  /** A user's key, which is checked, as RocksDB has it. */
  byte[] key(byte[] key, int offset, int length) {
    EntryLimits.checkKey(key, offset, length);
    if (prefix.length == 0 && offset == 0 && length == key.length) {
      return key;
    }
    byte[] placed = Arrays.copyOf(prefix, prefix.length + length);
    System.arraycopy(key, offset, placed, prefix.length, length);
    return placed;
  }

  /** A user's key of one that RocksDB has. */
  byte[] userKey(byte[] placed) {
    return prefix.length == 0 ? placed : Arrays.copyOfRange(placed, prefix.length, placed.length);
  }

  /** Where a scan from a key on begins; null for the family's beginning. */
  byte @Nullable [] from(byte @Nullable [] key) {
    return prefix.length == 0 ? key : bound(key == null ? NOTHING : key);
  }

  /** Where a scan up to a key ends; null for the family's end. */
  byte @Nullable [] to(byte @Nullable [] key) {
    return prefix.length == 0 ? key : key == null ? end() : bound(key);
  }

  private byte[] bound(byte[] key) {
    byte[] placed = Arrays.copyOf(prefix, prefix.length + key.length);
    System.arraycopy(key, 0, placed, prefix.length, key.length);
    return placed;
  }

  /** The smallest key after all of this place; of a numbered one. */
  byte[] end() {
    return ByteBuffer.allocate(Integer.BYTES)
        .putInt(ByteBuffer.wrap(prefix).getInt() + 1)
        .array();
  }

  /** The smallest key of this place, or below it. */
  byte[] begin() {
    return prefix.clone();
  }
}
