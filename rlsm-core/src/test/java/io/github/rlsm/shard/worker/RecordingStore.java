// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard.worker;

import io.github.rlsm.kv.Durability;
import io.github.rlsm.kv.ModelStore;
import io.github.rlsm.kv.StoreHealth;
import io.github.rlsm.kv.WriteBatch;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** A model that records its calls, and can be made to fail. Threads: any. */
public final class RecordingStore extends ModelStore {

  private static final byte[] POISON = {13};

  private final List<String> calls = new CopyOnWriteArrayList<>();
  private volatile @Nullable Throwable failure;
  private volatile @Nullable Throwable syncFailure;
  private volatile StoreHealth health = StoreHealth.HEALTHY;
  private volatile Runnable beforeSync = () -> {};
  private volatile Runnable beforeWrite = () -> {};

  /** Makes every further write fail with this unchecked exception or error. */
  public void failWith(@Nullable Throwable cause) {
    failure = cause;
  }

  /** Makes every further sync fail. */
  public void failSyncWith(Throwable cause) {
    syncFailure = cause;
  }

  /** Runs at the start of each sync. */
  public void beforeSync(Runnable action) {
    beforeSync = action;
  }

  /** Looks up a key without recording the call. */
  public byte @Nullable [] getDirectly(byte[] key) {
    return super.get(key, 0, key.length);
  }

  @Override
  public void sync() {
    beforeSync.run();
    Throwable cause = syncFailure;
    if (cause != null) {
      throw Request.rethrown(cause);
    }
    super.sync();
  }

  /** Runs at the start of each batch's write. */
  public void beforeWrite(Runnable action) {
    beforeWrite = action;
  }

  /** Sets the result of {@link #health}. */
  public void healthIs(StoreHealth now) {
    health = now;
  }

  @Override
  public StoreHealth health() {
    return health;
  }

  @Override
  public void resume() {
    calls.add("resume");
  }

  public void forgetCalls() {
    calls.clear();
  }

  public List<String> calls() {
    return calls;
  }

  private void record(String call) {
    calls.add(call);
    Throwable cause = failure;
    if (cause != null) {
      throw Request.rethrown(cause);
    }
  }

  @Override
  public void write(WriteBatch batch, Durability durability) {
    beforeWrite.run();
    record("write " + batch.count() + " " + durability);
    super.write(batch, durability);
  }

  @Override
  public void put(
      byte[] key,
      int keyOffset,
      int keyLength,
      byte[] value,
      int valueOffset,
      int valueLength,
      Durability durability) {
    record("put");
    super.put(key, keyOffset, keyLength, value, valueOffset, valueLength, durability);
  }

  @Override
  public byte @Nullable [] get(byte[] key, int offset, int length) {
    calls.add("get");
    return super.get(key, offset, length);
  }

  @Override
  public List<byte @Nullable []> multiGet(List<byte[]> keys) {
    calls.add("multiGet " + keys.size());
    if (keys.stream().anyMatch(key -> key[0] == POISON[0])) {
      throw new IllegalStateException("a key that cannot be read with others");
    }
    return super.multiGet(keys);
  }
}
