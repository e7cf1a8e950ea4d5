// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Makes a history that fails shorter: leaves out ever smaller pieces as long as what is left still
 * fails, in whatever way. Stops after a number of runs.
 */
final class Shrinker {

  private final Function<List<Op>, ModelRun.@Nullable Failure> run;
  private int runsLeft;
  private List<Op> operations;
  private ModelRun.Failure failure;

  /**
   * A shrinker for one history.
   *
   * @param run runs a history; returns null if it does not fail
   * @param operations the history that failed
   * @param failure how it failed
   * @param runs how often it may be run again
   */
  Shrinker(
      Function<List<Op>, ModelRun.@Nullable Failure> run,
      List<Op> operations,
      ModelRun.Failure failure,
      int runs) {
    this.run = run;
    this.runsLeft = runs;
    this.operations = operations;
    this.failure = failure;
    cutAfterFailure();
  }

  /** Shrinks as far as the runs last. */
  void shrink() {
    for (int piece = operations.size() / 2; piece > 0 && runsLeft > 0; ) {
      if (!leaveOutPieces(piece)) {
        piece /= 2;
      }
    }
  }

  /** What is left. */
  List<Op> operations() {
    return operations;
  }

  /** How it fails. */
  ModelRun.Failure failure() {
    return failure;
  }

  /** Tries to leave out each piece of this size, last ones first; tells whether any could be. */
  private boolean leaveOutPieces(int size) {
    boolean shrunk = false;
    for (int end = operations.size(); end > 0 && runsLeft > 0; end -= size) {
      end = Math.min(end, operations.size());
      List<Op> candidate = new ArrayList<>(operations);
      candidate.subList(Math.max(0, end - size), end).clear();
      runsLeft--;
      ModelRun.Failure still = run.apply(candidate);
      if (still != null) {
        operations = candidate;
        failure = still;
        cutAfterFailure();
        shrunk = true;
      }
    }
    return shrunk;
  }

  private void cutAfterFailure() {
    operations = operations.subList(0, Math.min(operations.size(), failure.at() + 1));
  }
}
