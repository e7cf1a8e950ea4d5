// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.log;

import io.github.rlsm.base.PartMark;

/** Receives the entries that recovery finds in the log, in the order of their seqnos. */
public interface RecordVisitor {

  /** A new generation begins; the entries that follow are in it. */
  void generation(LogGeneration generation);

  /** An entry of the current generation. */
  void entry(int location, long seqno);

  /** The entries that follow, from that seqno on, are a part of a batch over several stores. */
  default void part(PartMark mark, long seqno) {}
}
