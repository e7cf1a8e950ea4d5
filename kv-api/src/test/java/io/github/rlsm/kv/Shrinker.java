// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Shortens a failing history. Leaves out ever smaller pieces as long as the rest still fails, in
 * any way. Stops after a number of runs.
 */
final class Shrinker {

  private final Function<List<Op>, ModelRun.@Nullable Failure> run;
  private int runsLeft;
  private List<Op> operations;
  private ModelRun.Failure failure;

  /**
   * Creates a shrinker for one history.
   *
   * @param run runs a history; returns null if it does not fail
   * @param operations the history that failed
   * @param failure how it failed
   * @param runs the largest number of further runs
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

  /** Shrinks until no run is left or no piece can be left out. */
  void shrink() {
    for (int piece = operations.size() / 2; piece > 0 && runsLeft > 0; ) {
      if (!leaveOutPieces(piece)) {
        piece /= 2;
      }
    }
  }

  /** The shortest failing history found. */
  List<Op> operations() {
    return operations;
  }

  /** The failure of the shortest history. */
  ModelRun.Failure failure() {
    return failure;
  }

  /**
   * Tries to leave out each piece of this size, the last ones first. Returns whether any was left
   * out.
   */
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
