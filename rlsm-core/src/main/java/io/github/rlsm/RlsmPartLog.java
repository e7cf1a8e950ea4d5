// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import io.github.rlsm.base.PartHeader;
import io.github.rlsm.base.PartTail;
import io.github.rlsm.engine.Engine;
import io.github.rlsm.engine.EngineOpening;
import io.github.rlsm.io.StoreDirectory;
import io.github.rlsm.kv.WriteBatch;
import io.github.rlsm.shard.parts.PartLog;
import io.github.rlsm.thread.Environment;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;

/**
 * Gives {@link io.github.rlsm.shard.ShardedStore} access to the log of one shard. Threads: as
 * {@link PartLog}.
 */
final class RlsmPartLog implements PartLog {

  private final RlsmStore store;
  private final Engine engine;

  private RlsmPartLog(RlsmStore store, Engine engine) {
    this.store = store;
    this.engine = engine;
  }

  /** Starts to open a shard. */
  static PartLog.Opening prepare(
      StoreDirectory files, RlsmOptions options, Environment environment) {
    EngineOpening opening =
        new EngineOpening(files, EngineSettingsOf.options(options), environment);
    return new PartLog.Opening() {
      @Override
      public PartTail survey() {
        return opening.survey();
      }

      @Override
      public Opened open(long end, LongConsumer dependencies) {
        Engine engine = opening.open(end, dependencies::accept);
        RlsmStore store = new RlsmStore(engine, options.defaultDurability(), Runnable::run);
        return new Opened(store, new RlsmPartLog(store, engine));
      }

      @Override
      public void close() {
        opening.close();
      }
    };
  }

  @Override
  public void checkWrites() {
    engine.checkWrites();
  }

  @Override
  public boolean write(WriteBatch part, PartHeader header, BooleanSupplier consent) {
    UserBatch resolved = new UserBatch(part, store);
    resolved.check();
    return engine.writePart(resolved, header, consent);
  }

  @Override
  public void force() {
    engine.forceParts();
  }

  @Override
  public void fail(Throwable cause) {
    engine.fail(cause);
  }
}
