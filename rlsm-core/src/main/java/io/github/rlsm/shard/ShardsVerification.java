// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard;

import io.github.rlsm.kv.KvStore;
import io.github.rlsm.kv.VerifyListener;
import io.github.rlsm.kv.VerifyReport;
import java.util.ArrayList;
import java.util.List;

/**
 * Verifies all shards and merges the results into one report.
 *
 * <p>Threads: one thread.
 */
final class ShardsVerification {

  private final int shards;
  private final VerifyListener listener;
  private final List<VerifyReport.Damage> listed = new ArrayList<>();
  private int done;
  private long bytes;
  private long damageCount;

  ShardsVerification(int shards, VerifyListener listener) {
    this.shards = shards;
    this.listener = listener;
  }

  /** Verifies the next shard. */
  void add(int shard, KvStore store) {
    VerifyReport report = store.verify(new VerifyListener() {
      @Override
      public void progress(long read, long total) {
        // The remaining shards are assumed to be as large as this one.
        listener.progress(bytes + read, bytes + total * (shards - done));
      }

      @Override
      public void damaged(VerifyReport.Damage damage) {
        listener.damaged(damage.ofShard(shard));
      }
    });
    done++;
    bytes += report.bytesRead();
    damageCount += report.damageCount();
    report.damage().stream()
        .limit(VerifyReport.LISTED_MAX - listed.size())
        .map(damage -> damage.ofShard(shard))
        .forEach(listed::add);
  }

  VerifyReport report() {
    return new VerifyReport(bytes, damageCount, listed);
  }
}
