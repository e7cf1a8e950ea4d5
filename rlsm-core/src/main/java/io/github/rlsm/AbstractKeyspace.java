// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import io.github.rlsm.engine.Engine;
import io.github.rlsm.engine.WriteScratch;
import io.github.rlsm.kv.Durability;
import io.github.rlsm.kv.EntryLimits;
import io.github.rlsm.kv.Keyspace;
import io.github.rlsm.kv.KvIterator;
import io.github.rlsm.kv.ScanOptions;
import io.github.rlsm.read.SnapshotHandle;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The base class of the default keyspace and of named ones: an engine and a key prefix. Threads:
 * any.
 */
abstract class AbstractKeyspace implements Keyspace {

  private final Engine engine;
  private final byte[] prefix;

  AbstractKeyspace(Engine engine, byte[] prefix) {
    this.engine = engine;
    this.prefix = prefix;
  }

  final Engine engine() {
    return engine;
  }

  final byte[] prefix() {
    return prefix;
  }

  /** Throws if the keyspace was dropped or its store is closed. */
  abstract void check();

  @Override
  public final byte @Nullable [] get(byte[] key, int offset, int length) {
    EntryLimits.checkKey(key, offset, length);
    check();
    return engine.get(prefix, key, offset, length);
  }

  @Override
  public final int get(byte[] key, int offset, int length, ByteBuffer destination) {
    EntryLimits.checkKey(key, offset, length);
    Objects.requireNonNull(destination, "destination");
    check();
    return engine.get(prefix, key, offset, length, destination);
  }

  @Override
  public final int get(ByteBuffer key, ByteBuffer destination) {
    Objects.requireNonNull(key, "key");
    if (!key.hasArray()) {
      return Keyspace.super.get(key, destination);
    }
    return get(key.array(), key.arrayOffset() + key.position(), key.remaining(), destination);
  }

  @Override
  public final boolean contains(byte[] key, int offset, int length) {
    EntryLimits.checkKey(key, offset, length);
    check();
    return engine.contains(prefix, key, offset, length);
  }

  @Override
  public final List<byte @Nullable []> multiGet(List<byte[]> keys) {
    EntryLimits.checkKeys(keys);
    check();
    SnapshotHandle handle = engine.snapshot();
    try {
      return new KeyspaceView(engine, prefix, handle).multiGet(keys);
    } finally {
      engine.release(handle);
    }
  }

  @Override
  public final KvIterator scan(ScanOptions options) {
    Objects.requireNonNull(options, "options");
    check();
    return KeyspaceView.scan(engine, prefix, engine.snapshot(), options);
  }

  @Override
  public final void put(
      byte[] key,
      int keyOffset,
      int keyLength,
      byte[] value,
      int valueOffset,
      int valueLength,
      Durability durability) {
    EntryLimits.checkKey(key, keyOffset, keyLength);
    EntryLimits.checkValue(value, valueOffset, valueLength);
    Objects.requireNonNull(durability, "durability");
    check();
    WriteScratch place = WriteScratch.of(prefix, key, keyOffset, keyLength);
    engine.put(place, value, valueOffset, valueLength, durability);
  }

  @Override
  public final void delete(byte[] key, int offset, int length, Durability durability) {
    EntryLimits.checkKey(key, offset, length);
    Objects.requireNonNull(durability, "durability");
    check();
    engine.delete(WriteScratch.of(prefix, key, offset, length), durability);
  }

  @Override
  public final boolean compareAndSet(
      byte[] key,
      byte @Nullable [] expected,
      byte @Nullable [] replacement,
      Durability durability) {
    EntryLimits.checkKey(key);
    EntryLimits.checkValueOrNull(expected);
    EntryLimits.checkValueOrNull(replacement);
    Objects.requireNonNull(durability, "durability");
    check();
    return engine.replace(prefix, key, expected, replacement, durability).applied();
  }

  @Override
  public final byte @Nullable [] putIfAbsent(byte[] key, byte[] value, Durability durability) {
    EntryLimits.checkKey(key);
    EntryLimits.checkValue(value);
    Objects.requireNonNull(durability, "durability");
    check();
    return engine.replace(prefix, key, null, value, durability).found();
  }
}
