// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import io.github.rlsm.kv.Keyspace;
import io.github.rlsm.kv.WriteBatch;
import io.github.rlsm.log.RecordEncoder;
import org.jspecify.annotations.Nullable;

/** A user's batch whose keyspaces are resolved to prefixes. Threads: one at a time. */
final class UserBatch implements RecordEncoder.Batch {

  private final WriteBatch batch;
  private final RlsmStore store;

  UserBatch(WriteBatch batch, RlsmStore store) {
    this.batch = batch;
    this.store = store;
  }

  /**
   * Throws if a keyspace belongs to another store or was dropped. Called before anything is
   * written.
   */
  void check() {
    batch.forEach(new WriteBatch.Visitor() {
      @Override
      public void put(
          @Nullable Keyspace keyspace,
          byte[] bytes,
          int keyOffset,
          int keyLength,
          int valueOffset,
          int valueLength) {
        check(keyspace);
      }

      @Override
      public void delete(@Nullable Keyspace keyspace, byte[] bytes, int keyOffset, int keyLength) {
        check(keyspace);
      }

      private void check(@Nullable Keyspace keyspace) {
        if (keyspace != null) {
          store.own(keyspace).check();
        }
      }
    });
  }

  @Override
  public int operations() {
    return batch.count();
  }

  @Override
  public long bytes() {
    return batch.byteCount();
  }

  @Override
  public int encode(RecordEncoder encoder) {
    Encoding encoding = new Encoding(encoder);
    batch.forEach(encoding);
    return encoding.longestValue;
  }

  private final class Encoding implements WriteBatch.Visitor {

    private final RecordEncoder encoder;
    private int longestValue;

    Encoding(RecordEncoder encoder) {
      this.encoder = encoder;
    }

    @Override
    public void put(
        @Nullable Keyspace keyspace,
        byte[] bytes,
        int keyOffset,
        int keyLength,
        int valueOffset,
        int valueLength) {
      byte[] prefix = prefix(keyspace);
      encoder.addToBatch(prefix, bytes, keyOffset, keyLength, valueOffset, valueLength);
      longestValue = Math.max(longestValue, valueLength);
    }

    @Override
    public void delete(@Nullable Keyspace keyspace, byte[] bytes, int keyOffset, int keyLength) {
      byte[] prefix = prefix(keyspace);
      encoder.addToBatch(prefix, bytes, keyOffset, keyLength, 0, -1);
    }

    private byte[] prefix(@Nullable Keyspace keyspace) {
      return keyspace == null ? store.prefix() : store.own(keyspace).prefix();
    }
  }
}
