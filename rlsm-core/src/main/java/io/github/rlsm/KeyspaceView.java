// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import io.github.rlsm.base.KeyRange;
import io.github.rlsm.base.KeyspacePrefix;
import io.github.rlsm.engine.Engine;
import io.github.rlsm.kv.EntryLimits;
import io.github.rlsm.kv.KvIterator;
import io.github.rlsm.kv.KvReader;
import io.github.rlsm.kv.ScanOptions;
import io.github.rlsm.read.Scan;
import io.github.rlsm.read.Scans;
import io.github.rlsm.read.SnapshotHandle;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A read-only view of one keyspace through a snapshot handle. The creator of the view owns the
 * handle. Threads: any.
 */
class KeyspaceView implements KvReader {

  private final Engine engine;
  private final byte[] prefix;
  private final SnapshotHandle handle;

  KeyspaceView(Engine engine, byte[] prefix, SnapshotHandle handle) {
    this.engine = engine;
    this.prefix = prefix;
    this.handle = handle;
  }

  /** Throws if the view may no longer be used. */
  void check() {
    // The creator uses the view only while it holds the handle.
  }

  @Override
  public final byte @Nullable [] get(byte[] key, int offset, int length) {
    EntryLimits.checkKey(key, offset, length);
    check();
    return engine.get(handle, prefix, key, offset, length);
  }

  @Override
  public final List<byte @Nullable []> multiGet(List<byte[]> keys) {
    EntryLimits.checkKeys(keys);
    check();
    List<byte @Nullable []> values = new ArrayList<>(keys.size());
    for (byte[] key : keys) {
      values.add(engine.get(handle, prefix, key, 0, key.length));
    }
    return values;
  }

  @Override
  public final KvIterator scan(ScanOptions options) {
    Objects.requireNonNull(options, "options");
    check();
    return scan(engine, prefix, engine.share(handle), options);
  }

  /** Opens a scan that releases the handle when it is closed. */
  static KvIterator scan(Engine engine, byte[] prefix, SnapshotHandle handle, ScanOptions options) {
    Scans.Request request = new Scans.Request(
        range(prefix, options), options.isReverse(), options.limit(), options.isKeysOnly());
    return new Entries(engine.scan(handle, request), prefix.length, options.isKeysOnly());
  }

  private static KeyRange range(byte[] prefix, ScanOptions options) {
    KeyRange all = KeyspacePrefix.rangeOf(prefix);
    byte[] from = options.from();
    byte[] to = options.to();
    return KeyRange.of(
        from == null ? all.from() : internalKey(prefix, from),
        to == null ? all.to() : internalKey(prefix, to));
  }

  private static byte[] internalKey(byte[] prefix, byte[] key) {
    byte[] internal = new byte[prefix.length + key.length];
    System.arraycopy(prefix, 0, internal, 0, prefix.length);
    System.arraycopy(key, 0, internal, prefix.length, key.length);
    return internal;
  }

  /** The user's iterator over an engine scan. Threads: one at a time. */
  private static final class Entries implements KvIterator {

    private final Scan scan;
    private final int prefixLength;
    private final boolean keysOnly;
    private boolean onEntry;

    Entries(Scan scan, int prefixLength, boolean keysOnly) {
      this.scan = scan;
      this.prefixLength = prefixLength;
      this.keysOnly = keysOnly;
    }

    @Override
    public boolean next() {
      onEntry = false;
      onEntry = scan.next();
      return onEntry;
    }

    @Override
    public byte[] key() {
      checkKey();
      return scan.key(prefixLength);
    }

    @Override
    public int key(ByteBuffer destination) {
      Objects.requireNonNull(destination, "destination");
      checkKey();
      return scan.key(prefixLength, destination);
    }

    @Override
    public byte[] value() {
      checkValue();
      return scan.value();
    }

    @Override
    public int value(ByteBuffer destination) {
      Objects.requireNonNull(destination, "destination");
      checkValue();
      return scan.value(destination);
    }

    private void checkKey() {
      scan.check();
      if (!onEntry) {
        throw new IllegalStateException("the iterator is not on an entry; call next() first");
      }
    }

    private void checkValue() {
      checkKey();
      if (keysOnly) {
        throw new IllegalStateException("the scan reads keys only; start a scan without keysOnly");
      }
    }

    @Override
    public void close() {
      scan.close();
    }
  }
}
