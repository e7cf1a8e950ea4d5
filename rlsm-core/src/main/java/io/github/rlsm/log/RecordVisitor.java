// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.log;

import io.github.rlsm.base.PartHeader;

/** Receives the entries that recovery finds in the log, in the order of their seqnos. */
public interface RecordVisitor {

  /** Begins a generation. The entries that follow belong to it. */
  void generation(LogGeneration generation);

  /** Receives an entry of the current generation. */
  void entry(int location, long seqno);

  /** Announces that the entries from a seqno on are a part of a cross-shard batch. */
  default void part(PartHeader header, long seqno) {}
}
