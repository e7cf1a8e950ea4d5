// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import io.github.rlsm.kv.Durability;
import io.github.rlsm.read.Lookup;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Replaces values atomically, if they equal an expected value.
 *
 * <p>Threads: any.
 */
final class ConditionalWrites {

  private final WritePath writes;
  private final Lookup lookup;

  ConditionalWrites(WritePath writes, Lookup lookup) {
    this.writes = writes;
    this.lookup = lookup;
  }

  /** See {@link Engine#replace}. */
  Engine.Conditional replace(
      byte[] prefix,
      byte[] key,
      byte @Nullable [] expected,
      byte @Nullable [] replacement,
      Durability durability) {
    WriteScratch scratch = WriteScratch.take();
    try {
      while (true) {
        byte[] now = lookup.get(prefix, key, 0, key.length);
        if (!Arrays.equals(now, expected)) {
          return new Engine.Conditional(false, now);
        }
        Engine.Conditional done =
            tryReplace(scratch, prefix, key, expected, replacement, durability);
        if (done != null) {
          return done;
        }
      }
    } finally {
      scratch.release();
    }
  }

  /** Returns null if a later write replaced the state just before this one. */
  private Engine.@Nullable Conditional tryReplace(
      WriteScratch scratch,
      byte[] prefix,
      byte[] key,
      byte @Nullable [] expected,
      byte @Nullable [] replacement,
      Durability durability) {
    scratch.setKey(prefix, key, 0, key.length);
    boolean inValueLog = writes.build(scratch, replacement, durability);
    Engine.Conditional[] result = new Engine.Conditional[1];
    WritePath.Premise premise = seqno -> {
      Lookup.Before before = lookup.before(prefix, key, seqno);
      if (before == null) {
        return WritePath.Verdict.RETRY;
      }
      boolean asExpected = Arrays.equals(before.value(), expected);
      result[0] = new Engine.Conditional(asExpected, before.value());
      return asExpected ? WritePath.Verdict.APPLY : WritePath.Verdict.WITHDRAW;
    };
    WritePath.Verdict verdict =
        writes.writeIf(scratch, inValueLog, replacement == null, durability, premise);
    if (verdict == WritePath.Verdict.APPLY) {
      writes.count(1, key.length + (replacement == null ? 0L : replacement.length));
    }
    return verdict == WritePath.Verdict.RETRY ? null : result[0];
  }
}
