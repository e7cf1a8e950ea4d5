// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.log;

import io.github.rlsm.io.MappedFile;

/**
 * The bytes between two tails of a generation, in both of its segments. A range from 0 includes the
 * heads.
 *
 * @param generation the generation
 * @param from the earlier tail; 0 for the beginning of the files
 * @param to the later tail
 */
public record LogRange(LogGeneration generation, long from, long to) {

  /** The seqno below which every record of the generation is in the range or before it. */
  public long endSeqno() {
    return generation.seqno(to);
  }

  /** The first offset of the range in one stream's segment. */
  public int start(boolean inValueLog) {
    return LogGeneration.offset(from, inValueLog);
  }

  /** The bytes of the range in one stream's segment. */
  public int length(boolean inValueLog) {
    return LogGeneration.offset(to, inValueLog) - start(inValueLog);
  }

  /**
   * Returns the union with a range of the same generation that begins where this range ends, or
   * later.
   */
  public LogRange with(LogRange later) {
    return new LogRange(generation, from, later.to);
  }

  /** Forces the range in place: the values first, and then the records that point to them. */
  public void force() {
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
