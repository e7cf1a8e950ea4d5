// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.ycsb;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.rlsm.bench.gauge.Machine;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The results of {@code ./bench ycsb}.
 *
 * @param date the start time of the first run, ISO 8601
 * @param commit the commit of the measured source
 * @param command the last command line
 * @param machine the machine
 * @param conditions what all runs share
 * @param runs the finished runs, in their order
 */
record YcsbResult(
    String date,
    String commit,
    String command,
    Machine machine,
    Conditions conditions,
    List<Run> runs) {

  /**
   * The conditions of all runs.
   *
   * @param memoryBytes memory of each process, page cache included if the limit is enforced
   * @param memoryLimit how the memory is limited
   * @param workloads YCSB's core workloads, in their order, comma-separated
   * @param operations operations of each workload without scans
   * @param scanOperations operations of the workload with scans
   * @param threads client threads
   */
  record Conditions(
      long memoryBytes,
      String memoryLimit,
      String workloads,
      int operations,
      int scanOperations,
      int threads) {}

  /**
   * One run of all workloads over one store.
   *
   * @param store name of the store
   * @param scale values in the store, relative to the memory
   * @param round number of the run, counted from 1 for each store and scale
   * @param report what {@code ./ycsb} reports
   */
  record Run(String store, double scale, int round, JsonNode report) {

    boolean is(String otherStore, double otherScale, int otherRound) {
      return store.equals(otherStore) && scale == otherScale && round == otherRound;
    }
  }

  /** Copies the list of runs. */
  YcsbResult {
    runs = List.copyOf(runs);
  }

  boolean has(String store, double scale, int round) {
    return runs.stream().anyMatch(run -> run.is(store, scale, round));
  }

  /** Describes why the runs of another result cannot be compared with these; empty if they can. */
  Optional<String> difference(YcsbResult other) {
    if (!commit.equals(other.commit)) {
      return Optional.of("of commit " + commit + ", and this is " + other.commit);
    }
    return conditions.equals(other.conditions)
        ? Optional.empty()
        : Optional.of("with " + conditions + ", and the options say " + other.conditions);
  }

  /** A copy with the runs of an earlier result in addition. */
  YcsbResult continuing(YcsbResult earlier) {
    List<Run> all = new ArrayList<>(earlier.runs);
    all.addAll(runs);
    return new YcsbResult(earlier.date, commit, command, machine, conditions, all);
  }

  /** A copy with one more run. */
  YcsbResult with(Run run) {
    List<Run> all = new ArrayList<>(runs);
    all.add(run);
    return new YcsbResult(date, commit, command, machine, conditions, all);
  }
}
