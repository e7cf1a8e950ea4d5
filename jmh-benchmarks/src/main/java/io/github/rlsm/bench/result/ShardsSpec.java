// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.result;

import io.github.rlsm.bench.shards.Contender;
import io.github.rlsm.bench.shards.Work;
import java.util.List;

/**
 * What one process measures.
 *
 * @param contender the store
 * @param shards how many, if it has any
 * @param keys entries that are loaded
 * @param valueBytes bytes of each value
 * @param works what clients do, one after the other
 * @param threads how many clients there are in each round
 * @param millis how long each phase lasts
 */
public record ShardsSpec(
    Contender contender,
    int shards,
    int keys,
    int valueBytes,
    List<Work> works,
    List<Integer> threads,
    int millis) {

  /** Copies the lists. */
  public ShardsSpec {
    works = List.copyOf(works);
    threads = List.copyOf(threads);
  }
}
