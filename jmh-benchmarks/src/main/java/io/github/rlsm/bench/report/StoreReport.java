// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.report;

import io.github.rlsm.bench.gauge.Machine;
import io.github.rlsm.bench.result.BenchResult;
import io.github.rlsm.bench.result.RunSpec;
import io.github.rlsm.bench.result.StoreResult;
import io.github.rlsm.bench.store.StoreKind;
import io.github.rlsm.bench.store.StoreSettings;
import io.github.rlsm.bench.workload.PhasePlan;
import io.github.rlsm.bench.workload.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** The report of a measurement of whole stores, in Markdown. */
public final class StoreReport {

  private static final String CUT = "†";
  private static final String ABSENT = "–";

  private final BenchResult result;
  private final StringBuilder text = new StringBuilder();

  private StoreReport(BenchResult result) {
    this.result = result;
  }

  /** The report. */
  public static String of(BenchResult result) {
    return new StoreReport(result).write();
  }

  private String write() {
    text.append("# Whole stores\n\n").append(setting()).append('\n');
    SizeCurve.of(result).forEach(curve -> text.append(curve.table()));
    SizeCurve.others(result).forEach(this::workload);
    text.append("## What the stores promise\n\n");
    result.runs().stream()
        .map(run -> run.spec().store())
        .distinct()
        .forEach(store -> text.append("- **")
            .append(store.title())
            .append("**: ")
            .append(store.promise())
            .append('\n'));
    return text.toString();
  }

  private String setting() {
    Machine machine = result.machine();
    RunSpec spec = result.runs().get(0).spec();
    return String.join(
        "",
        line("Date, commit", result.date() + ", " + result.commit()),
        line("Command", "`" + result.command() + "`"),
        line(
            "Machine",
            String.format(
                Locale.ROOT,
                "%s, %d cores, %.0f GiB, %s, %s",
                machine.processor(),
                machine.cores(),
                machine.memoryBytes() / (double) (1L << 30),
                machine.kernel(),
                machine.fileSystem())),
        line("Java", machine.java()),
        line(
            "Memory for each process",
            String.format(
                Locale.ROOT,
                "%,d MiB, by %s",
                spec.conditions().memoryBytes() >> 20,
                result.memoryLimit())),
        line(
            "Clients",
            String.format(
                Locale.ROOT,
                "%d threads; each makes its next call when the previous call has returned",
                spec.conditions().clients())),
        line("Repetitions", repetitions() + "; medians are shown"),
        line("Cut", CUT + " marks a phase that ran out of time"));
  }

  private long repetitions() {
    return result.runs().stream().mapToInt(StoreResult::repetition).max().orElse(0);
  }

  private void workload(Summary summary) {
    Workload workload = summary.workload();
    RunSpec spec = result.runs().get(0).spec();
    StoreSettings settings = new StoreSettings(
        workload.keys(),
        workload.valueBytes(),
        spec.conditions().memoryBytes(),
        workload.sync(),
        spec.conditions().clients(),
        spec.rlsmOptions());
    text.append(String.format(
        Locale.ROOT,
        "## %s: %,d × %,d B%s, %.2f GiB of data: %s\n\n",
        workload.name(),
        workload.keys(),
        workload.valueBytes(),
        workload.sync() ? " for each number of threads, every put synced" : "",
        settings.dataBytes() / (double) (1L << 30),
        settings.fitsInMemory() ? "fits in memory" : "does not fit in memory"));
    List<Metric> throughput = Metrics.throughput(workload.sync());
    text.append("Operations per second:\n\n")
        .append(values(summary, throughput))
        .append('\n');
    ratios(summary, StoreKind.ROCKSDB, throughput);
    if (!workload.sync()) {
      ratios(summary, StoreKind.LMDB, throughput);
    }
    latencies(summary);
    if (!workload.sync()) {
      text.append(
              "Bytes written (WA) and disk space used (SA) per byte of user data, until settled;"
                  + " peak memory without mapped files; errors found:\n\n")
          .append(values(summary, Metrics.cost()))
          .append('\n');
    }
    failures(summary);
  }

  private void ratios(Summary summary, StoreKind baseline, List<Metric> metrics) {
    if (summary.runs(baseline).isEmpty() || summary.stores().size() < 2) {
      return;
    }
    MarkdownTable table = new MarkdownTable(headings(metrics));
    for (StoreKind store : summary.stores()) {
      if (store != baseline) {
        List<String> cells = new ArrayList<>(List.of(store.title()));
        for (Metric metric : metrics) {
          cells.add(cell(summary.ratio(store, baseline, metric), 2, false));
        }
        table.row(cells);
      }
    }
    text.append(String.format(Locale.ROOT, "Divided by %s's:\n\n%s\n", baseline.title(), table));
  }

  private void latencies(Summary summary) {
    List<String> headings = new ArrayList<>(List.of("µs"));
    List<List<Metric>> groups = new ArrayList<>();
    if (summary.workload().sync()) {
      latency(headings, groups, PhasePlan.DEVICE_BEFORE, PhasePlan.DEVICE_BEFORE, "put");
      for (int clients : PhasePlan.syncClients()) {
        String phase = PhasePlan.syncName(clients);
        latency(headings, groups, phase, phase, "put");
      }
      latency(headings, groups, PhasePlan.DEVICE_AFTER, PhasePlan.DEVICE_AFTER, "put");
    } else {
      latency(headings, groups, "load", PhasePlan.LOAD, "put");
      latency(headings, groups, "read", PhasePlan.READ, "get");
      latency(headings, groups, "scan ≤100", PhasePlan.SCAN_SHORT, "scan");
      latency(headings, groups, "overwrite", PhasePlan.OVERWRITE, "put");
      latency(headings, groups, "50/50 get", PhasePlan.MIXED, "get");
      latency(headings, groups, "50/50 put", PhasePlan.MIXED, "put");
    }
    MarkdownTable table = new MarkdownTable(headings);
    for (StoreKind store : summary.stores()) {
      List<String> cells = new ArrayList<>(List.of(store.title()));
      for (List<Metric> group : groups) {
        cells.add(String.join(
            " / ",
            group.stream()
                .map(metric -> cell(summary.median(store, metric), 1, false))
                .toList()));
      }
      table.row(cells);
    }
    text.append("Latency in microseconds, p50 / p99 / p99.9 / max:\n\n")
        .append(table)
        .append('\n');
  }

  private static void latency(
      List<String> headings, List<List<Metric>> groups, String name, String phase, String call) {
    headings.add(name);
    groups.add(Metrics.latency(phase, call));
  }

  private void failures(Summary summary) {
    for (StoreKind store : summary.stores()) {
      for (StoreResult run : summary.runs(store)) {
        if (run.failure() != null) {
          text.append(String.format(
              Locale.ROOT,
              "- %s, run %d, did not finish: %s\n",
              store.title(),
              run.repetition(),
              run.failure()));
        }
      }
    }
    text.append('\n');
  }

  private static MarkdownTable values(Summary summary, List<Metric> metrics) {
    MarkdownTable table = new MarkdownTable(headings(metrics));
    for (StoreKind store : summary.stores()) {
      List<String> cells = new ArrayList<>(List.of(store.title()));
      for (Metric metric : metrics) {
        boolean cut = summary.isCut(store, metric.phase());
        cells.add(cell(summary.median(store, metric), metric.decimals(), cut));
      }
      table.row(cells);
    }
    return table;
  }

  private static List<String> headings(List<Metric> metrics) {
    List<String> headings = new ArrayList<>(List.of("store"));
    metrics.forEach(metric -> headings.add(metric.name()));
    return headings;
  }

  static String cell(OptionalDouble value, int decimals, boolean cut) {
    return value.isEmpty()
        ? ABSENT
        : String.format(Locale.ROOT, "%,." + decimals + "f", value.getAsDouble())
            + (cut ? CUT : "");
  }

  private static String line(String name, String value) {
    return "- " + name + ": " + value + "\n";
  }
}
