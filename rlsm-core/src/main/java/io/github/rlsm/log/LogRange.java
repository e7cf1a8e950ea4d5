// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.log;

import io.github.rlsm.io.MappedFile;

/**
 * What lies between two tails of a generation, in both of its segments; from the very beginning
 * with the heads.
 *
 * @param generation whose segments
 * @param from the earlier tail, 0 for the beginning of the files
 * @param to the later one
 */
record LogRange(LogGeneration generation, long from, long to) {

  /** Seqno below which all of the generation is in the range or before it. */
  long endSeqno() {
    return generation.seqno(to);
  }

  int start(boolean inValueLog) {
    return LogGeneration.offset(from, inValueLog);
  }

  int length(boolean inValueLog) {
    return LogGeneration.offset(to, inValueLog) - start(inValueLog);
  }

  /** Together with one that begins where this one ends, or later. */
  LogRange with(LogRange later) {
    return new LogRange(generation, from, later.to);
  }

  /** Makes it durable where it is: first the values, then what points to them. */
  void force() {
    force(true);
    force(false);
  }

  private void force(boolean inValueLog) {
    MappedFile file = generation.file(inValueLog);
    if (length(inValueLog) > 0) {
      file.force(start(inValueLog), length(inValueLog));
    }
  }
}
