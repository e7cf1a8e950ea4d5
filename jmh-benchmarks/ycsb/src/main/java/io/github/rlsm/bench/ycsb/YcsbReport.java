// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.ycsb;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.rlsm.bench.report.MarkdownTable;
import io.github.rlsm.bench.report.Median;
import io.github.rlsm.bench.ycsb.YcsbResult.Run;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/**
 * Formats results as Markdown: one table for each amount of data, with one row for each phase.
 * Figures are medians of a store's runs.
 */
final class YcsbReport {

  private static final String OWN = "rlsm";

  private YcsbReport() {}

  static String of(YcsbResult result) {
    StringBuilder text =
        new StringBuilder("# YCSB's core workloads over this store and RocksDB\n\n");
    YcsbResult.Conditions conditions = result.conditions();
    text.append(String.format(
        Locale.ROOT,
        "Records of ten fields of 100 B, %d client threads, %,d operations of each workload and"
            + " %,d of workload e. Both stores run behind the same YCSB client, each in its own"
            + " process with %d MiB of memory (%s). Each store runs the load and a, b, c, f, then a"
            + " new load and d, then a new load and e. *Settled* includes the wait for background"
            + " work. Latencies are those of the most frequent operation. WA: bytes written, by the"
            + " store's own count, for each byte of user data until settled.%n%n",
        conditions.threads(),
        conditions.operations(),
        conditions.scanOperations(),
        conditions.memoryBytes() >> 20,
        conditions.memoryLimit()));
    text.append(String.format(
        Locale.ROOT,
        "`%s`, commit %s, %s, %s, %d cores, %s, %s.%n",
        result.command(),
        result.commit(),
        result.date(),
        result.machine().processor(),
        result.machine().cores(),
        result.machine().java(),
        result.machine().fileSystem()));
    Set<Double> scales =
        new LinkedHashSet<>(result.runs().stream().map(Run::scale).toList());
    for (double scale : scales) {
      List<Run> own = runs(result, scale, run -> run.store().equals(OWN));
      List<Run> peer = runs(result, scale, run -> !run.store().equals(OWN));
      List<Run> any = own.isEmpty() ? peer : own;
      text.append(String.format(
          Locale.ROOT,
          "%n## %s × the memory: %,d records, %d and %d runs%n%n",
          scale,
          any.get(0).report().at("/settings/records").asLong(),
          own.size(),
          peer.size()));
      text.append(table(own, peer));
    }
    return text.toString();
  }

  private static List<Run> runs(YcsbResult result, double scale, Predicate<Run> wanted) {
    return result.runs().stream()
        .filter(run -> run.scale() == scale && wanted.test(run))
        .toList();
  }

  private static MarkdownTable table(List<Run> own, List<Run> peer) {
    MarkdownTable table = new MarkdownTable(List.of(
        "own / RocksDB's",
        "operations/s",
        "ratio",
        "settled, ratio",
        "p50, µs",
        "p99.9, ms",
        "longest, ms",
        "WA",
        "errors"));
    for (String phase : phases(own, peer)) {
      List<JsonNode> ours = named(own, phase);
      List<JsonNode> theirs = named(peer, phase);
      table.row(List.of(
          phase,
          pair("%,.0f", ours, theirs, YcsbReport::rate),
          ratio(ours, theirs, YcsbReport::rate),
          ratio(ours, theirs, YcsbReport::settledRate),
          pair("%,.0f", ours, theirs, node -> latency(node, "p50")),
          pair("%.2f", ours, theirs, node -> latency(node, "p999") / 1_000),
          pair("%.0f", ours, theirs, node -> latency(node, "max") / 1_000),
          pair(
              "%.2f",
              ours, theirs, node -> node.at("/storage/writeAmplification").asDouble()),
          pair("%.0f", ours, theirs, node -> node.path("errors").asDouble())));
    }
    return table;
  }

  /** The names of all phases: of the first load and of each workload. */
  private static Set<String> phases(List<Run> own, List<Run> peer) {
    Set<String> names = new LinkedHashSet<>();
    for (List<Run> runs : List.of(own, peer)) {
      runs.forEach(run -> all(run).forEach(phase -> names.add(phase.path("name").asText())));
    }
    return names;
  }

  private static List<JsonNode> all(Run run) {
    List<JsonNode> phases = new ArrayList<>();
    run.report().path("sessions").forEach(session -> session.path("phases").forEach(phases::add));
    return phases;
  }

  /** The first phase of each run with a name: later loads have no row. */
  private static List<JsonNode> named(List<Run> runs, String name) {
    return runs.stream()
        .map(run -> all(run).stream()
            .filter(phase -> phase.path("name").asText().equals(name))
            .findFirst())
        .flatMap(Optional::stream)
        .toList();
  }

  private static double rate(JsonNode phase) {
    return phase.path("operationsPerSecond").asDouble();
  }

  private static double settledRate(JsonNode phase) {
    double seconds =
        phase.path("seconds").asDouble() + phase.at("/storage/settleSeconds").asDouble();
    return phase.path("operations").asDouble() / seconds;
  }

  /** A latency of the phase's most frequent operation, in microseconds. */
  private static double latency(JsonNode phase, String which) {
    JsonNode most = null;
    for (JsonNode kind : phase.path("kinds")) {
      if (most == null
          || kind.path("succeeded").asLong() > most.path("succeeded").asLong()) {
        most = kind;
      }
    }
    return most == null ? 0 : most.path("latencyMicros").path(which).asDouble();
  }

  private static String pair(
      String format, List<JsonNode> own, List<JsonNode> peer, ToDoubleFunction<JsonNode> value) {
    return cell(format, own, value) + " / " + cell(format, peer, value);
  }

  private static String cell(
      String format, List<JsonNode> phases, ToDoubleFunction<JsonNode> value) {
    return phases.isEmpty() ? "-" : String.format(Locale.ROOT, format, median(phases, value));
  }

  /** The ratio of the medians; bold below 1. */
  private static String ratio(
      List<JsonNode> own, List<JsonNode> peer, ToDoubleFunction<JsonNode> value) {
    if (own.isEmpty() || peer.isEmpty()) {
      return "-";
    }
    double ratio = median(own, value) / median(peer, value);
    String text = String.format(Locale.ROOT, "%.2f", ratio);
    return ratio < 1 ? "**" + text + "**" : text;
  }

  private static double median(List<JsonNode> phases, ToDoubleFunction<JsonNode> value) {
    return Median.of(phases.stream().mapToDouble(value));
  }
}
