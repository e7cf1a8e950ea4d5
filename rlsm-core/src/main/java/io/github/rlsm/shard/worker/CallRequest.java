// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard.worker;

import io.github.rlsm.kv.KvStore;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A request for one call of the shard's store, served alone. Threads: see {@link Request}. */
public final class CallRequest<T extends @Nullable Object> extends Request {

  private final Access access;
  private final Function<KvStore, T> call;
  private @Nullable T result;

  /** Creates a request with the given effect on the store. */
  public CallRequest(Access access, Function<KvStore, T> call) {
    this.access = access;
    this.call = call;
  }

  @Override
  public Access access() {
    return access;
  }

  @Override
  public void run(KvStore shard) {
    try {
      result = call.apply(shard);
    } catch (RuntimeException e) {
      fail(e);
      return;
    }
    finish();
  }

  /** Waits for the end of the call and returns its result. */
  @SuppressWarnings("NullAway") // Null only if the call returned null.
  public T result() {
    await();
    return result;
  }
}
