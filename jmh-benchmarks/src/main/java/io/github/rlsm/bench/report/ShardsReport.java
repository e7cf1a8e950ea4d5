// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.report;

import io.github.rlsm.bench.result.ShardsPhase;
import io.github.rlsm.bench.result.ShardsResult;
import io.github.rlsm.bench.result.ShardsSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** The report of a comparison of shards, as Markdown tables. */
public final class ShardsReport {

  private ShardsReport() {}

  /** The report in Markdown. */
  public static String of(ShardsResult.All all) {
    StringBuilder text = new StringBuilder("# Shards: stores alone and under `ShardedStore`\n\n");
    text.append(String.format(
        Locale.ROOT,
        "Made by `%s` of commit %s on %s: %d × %s, %s, %s, %s.%n",
        all.command(),
        all.commit(),
        all.date(),
        all.machine().cores(),
        all.machine().processor(),
        all.machine().kernel(),
        all.machine().java(),
        all.machine().fileSystem()));
    List<Integer> sizes = all.results().stream()
        .map(result -> result.spec().data().valueBytes())
        .distinct()
        .toList();
    for (int bytes : sizes) {
      List<ShardsResult> results = all.results().stream()
          .filter(result -> result.spec().data().valueBytes() == bytes)
          .toList();
      ShardsSpec spec = results.get(0).spec();
      text.append(String.format(
          Locale.ROOT,
          "%n## Values of %,d bytes, %,d keys of 16, %d shards%n",
          bytes,
          spec.data().keys(),
          spec.shards()));
      section(text, results, "Thousand calls a second", ShardsReport::thousands);
      section(text, results, "Median and 99th percentile, µs", ShardsReport::latency);
      section(
          text,
          results,
          "Processor time a call, µs",
          phase -> format(phase.each().cpuMicros()));
      section(text, results, "Times a thread gave up its core, a call", ShardsReport::switches);
      section(text, results, "Requests served as one: puts / gets", ShardsReport::batches);
    }
    return text.toString();
  }

  private static void section(
      StringBuilder text,
      List<ShardsResult> results,
      String title,
      Function<ShardsPhase, String> cell) {
    List<String> headings = new ArrayList<>(List.of("work, clients"));
    results.forEach(result -> headings.add(result.spec().contender().title()));
    MarkdownTable table = new MarkdownTable(headings);
    List<String> rows = results.stream()
        .flatMap(result -> result.phases().stream())
        .map(ShardsReport::row)
        .distinct()
        .toList();
    boolean any = false;
    for (String row : rows) {
      List<String> cells = new ArrayList<>(List.of(row));
      for (ShardsResult result : results) {
        cells.add(result.phases().stream()
            .filter(phase -> row(phase).equals(row))
            .map(cell)
            .findFirst()
            .orElse("–"));
      }
      if (cells.subList(1, cells.size()).stream().anyMatch(one -> !one.equals("–"))) {
        table.row(cells);
        any = true;
      }
    }
    if (any) {
      text.append("\n### ").append(title).append("\n\n").append(table);
    }
  }

  private static String row(ShardsPhase phase) {
    return phase.work() + (phase.async() ? " async, " : ", ") + phase.threads();
  }

  private static String thousands(ShardsPhase phase) {
    return format(phase.perSecond() / 1_000);
  }

  private static String latency(ShardsPhase phase) {
    return phase.async()
        ? "–"
        : format(phase.each().p50Micros()) + " / " + format(phase.each().p99Micros());
  }

  private static String switches(ShardsPhase phase) {
    return phase.each().switches() < 0
        ? "–"
        : String.format(Locale.ROOT, "%.2f", phase.each().switches());
  }

  private static String batches(ShardsPhase phase) {
    return phase.batches().writeBatch() == 0 && phase.batches().readBatch() == 0
        ? "–"
        : String.format(
            Locale.ROOT,
            "%.1f / %.1f",
            phase.batches().writeBatch(),
            phase.batches().readBatch());
  }

  private static String format(double figure) {
    return String.format(Locale.ROOT, figure < 10 ? "%.1f" : "%,.0f", figure);
  }
}
