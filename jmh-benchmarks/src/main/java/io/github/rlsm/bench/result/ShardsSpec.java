// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.result;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.github.rlsm.bench.shards.Contender;
import io.github.rlsm.bench.shards.Work;
import java.util.List;

/**
 * The task of one process.
 *
 * @param contender the store
 * @param shards number of shards, if the store has shards
 * @param data the entries to load
 * @param works the kinds of work, one after the other
 * @param threads number of clients in each round
 * @param millis duration of each phase
 */
public record ShardsSpec(
    Contender contender,
    int shards,
    @JsonUnwrapped Data data,
    List<Work> works,
    List<Integer> threads,
    int millis) {

  /**
   * The entries of a store.
   *
   * @param keys number of entries
   * @param valueBytes bytes of each value
   */
  public record Data(int keys, int valueBytes) {}

  /** Copies the lists. */
  public ShardsSpec {
    works = List.copyOf(works);
    threads = List.copyOf(threads);
  }
}
