// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.matrix;

import io.github.rlsm.bench.gauge.Machine;
import io.github.rlsm.bench.matrix.MatrixRow.Cell;
import io.github.rlsm.bench.report.MarkdownTable;
import io.github.rlsm.bench.result.BenchResult;
import io.github.rlsm.bench.result.Latency;
import io.github.rlsm.bench.result.PhaseResult;
import io.github.rlsm.bench.result.StoreResult;
import io.github.rlsm.bench.store.StoreKind;
import io.github.rlsm.bench.workload.MatrixPhases;
import io.github.rlsm.bench.workload.PhasePlan;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The report of the matrix, in Markdown. */
public final class MatrixReport {

  /** The file of the heat map, beside the report. */
  public static final String HEAT_MAP = "matrix.svg";

  private static final String ABSENT = "·";
  private static final String BOLD = "**";

  /** Separates this project's figure from RocksDB's. */
  private static final String PAIR = " / ";

  /** An option that chooses cases, or limits their number by a time. */
  private static final Pattern CHOICE = Pattern.compile("(--cases|--minutes) \\S+");

  private static final double MICROS_PER_MILLI = 1_000;
  private static final double KIBIBYTE = 1_024;
  private static final int LOWEST = 20;

  private final StringBuilder text = new StringBuilder();
  private final MatrixTable table;

  private MatrixReport(MatrixTable table) {
    this.table = table;
  }

  /**
   * The report.
   *
   * @param engine the commit of the engine, if all cases have the same one
   * @param cases number of cases in the whole matrix
   * @param results the recorded results, at least one
   */
  public static String of(
      String engine, int cases, Collection<BenchResult> results, MatrixTable table) {
    MatrixReport report = new MatrixReport(table);
    List<String> commits = distinct(results, BenchResult::commit);
    String measured = commits.size() == 1 ? "engine " + engine : commits.size() + " commits";
    report.heading(measured, cases, results, commits);
    report.summary();
    report.means();
    report.speed("Speed", "RocksDB's, or BlobDB's where `b` marks it as the faster", table.rows());
    report.tails();
    report.bytes();
    if (!table.lmdbRows().isEmpty()) {
      report.speed("Speed in memory", "LMDB's", table.lmdbRows());
    }
    report.disturbances();
    report.failures();
    report.sources(results);
    return report.text.toString();
  }

  /**
   * Shows which commit measured which cases on which machine. Both may change between two runs of
   * an interrupted matrix.
   */
  private void sources(Collection<BenchResult> results) {
    Map<String, List<String>> names = results.stream()
        .collect(Collectors.groupingBy(
            result -> result.commit() + ", " + result.machine().processor(),
            TreeMap::new,
            Collectors.mapping(
                result -> result.runs().get(0).spec().workload().name(), Collectors.toList())));
    if (names.size() > 1) {
      text.append("\n## Cases by commit and processor\n\n");
      names.forEach((source, cases) ->
          line(source, cases.stream().sorted().collect(Collectors.joining(", "))));
    }
  }

  private void heading(
      String measured, int cases, Collection<BenchResult> results, List<String> commits) {
    List<String> dates = distinct(results, BenchResult::date);
    BenchResult any = results.iterator().next();
    text.append("# Matrix of ").append(measured).append("\n\n");
    line("Measured", dates.get(0) + " to " + dates.get(dates.size() - 1));
    line("Commands", String.join(", ", distinct(results, MatrixReport::command)));
    line("Commits", String.join(", ", commits));
    line("Machines", String.join("; ", distinct(results, MatrixReport::machine)));
    line(
        "Memory for each process",
        String.format(
            Locale.ROOT,
            "%,d MiB, by %s",
            any.runs().get(0).spec().conditions().memoryBytes() >> 20,
            String.join(", ", distinct(results, BenchResult::memoryLimit))));
    line("Cases", results.size() + " of " + cases);
  }

  /** The command of a result. Its JSON has the values of the options that choose cases. */
  private static String command(BenchResult result) {
    return "`" + CHOICE.matcher(result.command()).replaceAll("$1 …") + "`";
  }

  private static String machine(BenchResult result) {
    Machine machine = result.machine();
    return String.format(
        Locale.ROOT,
        "%s, %d cores, %s, %s, %s",
        machine.processor(),
        machine.cores(),
        machine.kernel(),
        machine.fileSystem(),
        machine.java());
  }

  private static List<String> distinct(
      Collection<BenchResult> results, Function<BenchResult, String> property) {
    return results.stream().map(property).distinct().sorted().toList();
  }

  private void summary() {
    List<Cell> cells = table.cells();
    List<Cell> losing = table.below(1);
    line(
        "Cells",
        String.format(
            Locale.ROOT,
            "%d, of which %d are below 1.00; geometric mean %s",
            cells.size(),
            losing.size(),
            ratio(MatrixTable.geometricMean(cells))));
    text.append("\n![heat map](").append(HEAT_MAP).append(")\n");
    if (!losing.isEmpty()) {
      text.append("\nThe lowest cells:\n\n");
      losing.stream()
          .limit(LOWEST)
          .forEach(cell -> text.append(String.format(
              Locale.ROOT,
              "- %.2f %s: %s (%,.0f/s, %s %,.0f/s)\n",
              cell.ratio(),
              cell.column().title(),
              title(cell.row()),
              cell.own(),
              cell.fastest().title(),
              cell.peer())));
    }
  }

  /** The geometric means of each value size and amount of data, over keys and threads. */
  private void means() {
    MarkdownTable markdown = byColumn("values, data", "cells", "below 1");
    Map<String, List<Cell>> groups = table.cells().stream()
        .collect(Collectors.groupingBy(
            cell -> sizeAndAmount(cell.row()), LinkedHashMap::new, Collectors.toList()));
    groups.forEach((title, cells) -> markdown.row(meansOf(title, cells)));
    markdown.row(meansOf("all", table.cells()));
    text.append("\n## Means\n\nGeometric means over all keys and threads.\n\n").append(markdown);
  }

  private static List<String> meansOf(String title, List<Cell> cells) {
    List<String> row = new ArrayList<>(List.of(
        title,
        String.valueOf(cells.size()),
        String.valueOf(cells.stream().filter(cell -> cell.ratio() < 1).count())));
    row.addAll(columnMeans(cells));
    return row;
  }

  /** An empty table whose last headings are those of {@link #columnMeans}. */
  private static MarkdownTable byColumn(String... first) {
    List<String> headings = new ArrayList<>(List.of(first));
    Arrays.stream(MatrixColumn.values()).forEach(column -> headings.add(column.title()));
    headings.add("mean");
    return new MarkdownTable(headings);
  }

  /** The geometric mean of each column, and of all cells. */
  private static List<String> columnMeans(List<Cell> cells) {
    List<String> means = new ArrayList<>();
    for (MatrixColumn column : MatrixColumn.values()) {
      means.add(ratio(MatrixTable.geometricMean(
          cells.stream().filter(cell -> cell.column() == column).toList())));
    }
    means.add(ratio(MatrixTable.geometricMean(cells)));
    return means;
  }

  private void speed(String title, String peer, List<MatrixRow> rows) {
    MarkdownTable markdown = byColumn("values, data, keys, threads");
    for (MatrixRow row : rows) {
      List<String> cells = new ArrayList<>(List.of(title(row)));
      for (MatrixColumn column : MatrixColumn.values()) {
        cells.add(row.cell(column).map(MatrixReport::speedCell).orElse(ABSENT));
      }
      cells.add(ratio(MatrixTable.geometricMean(row.cells())));
      markdown.row(cells);
    }
    List<Cell> all = rows.stream().flatMap(row -> row.cells().stream()).toList();
    List<String> means = new ArrayList<>(List.of("geometric mean"));
    means.addAll(columnMeans(all));
    markdown.row(means);
    text.append(String.format(
        Locale.ROOT,
        "\n## %s\n\nOperations per second divided by %s. Bold: below 1. %s: measured in the row of"
            + " random keys.\n\n%s",
        title,
        peer,
        ABSENT,
        markdown));
  }

  private static String speedCell(Cell cell) {
    String ratio = String.format(Locale.ROOT, "%.2f", cell.ratio());
    return (cell.ratio() < 1 ? "**" + ratio + "**" : ratio)
        + (cell.fastest() == StoreKind.BLOBDB ? " b" : "");
  }

  /** The 99.9th percentile of every kind of call, and the longest put. */
  private void tails() {
    List<String> headings = List.of(
        "ms: own / RocksDB's",
        "load put",
        "get",
        "zipf get",
        "first scan ≤100",
        "scan 1000",
        "overwrite put",
        "50/50 get",
        "50/50 put",
        "longest put");
    List<List<String>> rows = new ArrayList<>();
    for (MatrixRow row : table.rows()) {
      rows.add(List.of(
          title(row),
          tail(row, MatrixColumn.LOAD, "put"),
          tail(row, MatrixColumn.READ, "get"),
          tail(row, MatrixColumn.READ_ZIPFIAN, "get"),
          tail(row, MatrixColumn.SCAN_SHORT, "scan"),
          tail(row, MatrixColumn.SCAN_LONG, "scan"),
          tail(row, MatrixColumn.OVERWRITE, "put"),
          tail(row, MatrixColumn.MIXED, "get"),
          tail(row, MatrixColumn.MIXED, "put"),
          longestPut(row)));
    }
    MarkdownTable markdown = new MarkdownTable(headings);
    rows.forEach(markdown::row);
    List<String> counts = new ArrayList<>(List.of("longer"));
    for (int column = 1; column < headings.size(); column++) {
      counts.add(longer(rows, column));
    }
    markdown.row(counts);
    text.append("\n## Latency, 99.9th percentile\n\nBold: longer than RocksDB's.\n\n")
        .append(markdown);
  }

  /** The number of this project's figures in a column that are larger than RocksDB's. */
  private static String longer(List<List<String>> rows, int column) {
    List<String> pairs = rows.stream()
        .map(row -> row.get(column))
        .filter(cell -> cell.contains(PAIR))
        .toList();
    return pairs.stream().filter(cell -> cell.startsWith(BOLD)).count() + " of " + pairs.size();
  }

  private static String tail(MatrixRow row, MatrixColumn column, String call) {
    Optional<String> phase = column.phase(row.keys());
    return pair(
        row,
        2,
        run -> phase.flatMap(run::phase).stream()
            .flatMap(result -> Optional.ofNullable(result.latency().get(call)).stream())
            .mapToDouble(latency -> latency.p999() / MICROS_PER_MILLI)
            .findFirst());
  }

  private static String longestPut(MatrixRow row) {
    List<String> phases = Arrays.stream(MatrixColumn.values())
        .flatMap(column -> column.phase(row.keys()).stream())
        .toList();
    return pair(
        row,
        0,
        run -> run.phases().stream()
            .filter(phase -> phases.contains(phase.phase()))
            .flatMap(phase -> Optional.ofNullable(phase.latency().get("put")).stream())
            .mapToDouble(Latency::max)
            .map(micros -> micros / MICROS_PER_MILLI)
            .max());
  }

  private void bytes() {
    MarkdownTable markdown = new MarkdownTable(List.of(
        "own / RocksDB's",
        "WA load",
        "WA overwrite",
        "SA load",
        "SA overwrite",
        "peak SA overwrite",
        "KiB read for a get",
        "requests for a get",
        "missing, wrong"));
    for (MatrixRow row : table.rows()) {
      boolean zipfian = row.keys() == KeyPattern.ZIPFIAN;
      String overwrite = zipfian ? MatrixPhases.OVERWRITE_ZIPFIAN : PhasePlan.OVERWRITE;
      String settling =
          zipfian ? MatrixPhases.OVERWRITE_ZIPFIAN_SETTLE : PhasePlan.OVERWRITE_SETTLE;
      markdown.row(List.of(
          title(row),
          zipfian
              ? ABSENT
              : pair(row, 2, run -> run.writeAmplification(PhasePlan.LOAD, PhasePlan.LOAD_SETTLE)),
          pair(row, 2, run -> run.writeAmplification(overwrite, settling)),
          zipfian ? ABSENT : pair(row, 2, run -> run.spaceAmplification(PhasePlan.LOAD_SETTLE)),
          pair(row, 2, run -> run.spaceAmplification(settling)),
          pair(row, 2, run -> run.peakSpaceAmplification(overwrite)),
          zipfian ? ABSENT : pair(row, 1, MatrixReport::kibibytesReadForGet),
          zipfian ? ABSENT : pair(row, 2, run -> run.deviceReadsEach(PhasePlan.READ)),
          errors(row)));
    }
    text.append("\n## Bytes written and space\n\n")
        .append("WA: bytes written to storage until settled, per byte put. SA: disk usage per byte")
        .append(" of live data. Requests: reads that the device completed. Errors are of all")
        .append(" stores.\n\n")
        .append(markdown);
  }

  private static OptionalDouble kibibytesReadForGet(StoreResult run) {
    return run.bytesReadEach(PhasePlan.READ).stream()
        .map(bytes -> bytes / KIBIBYTE)
        .findFirst();
  }

  private static String errors(MatrixRow row) {
    long missing = row.runs().stream()
        .flatMap(run -> run.phases().stream())
        .mapToLong(phase -> phase.checks().missing())
        .sum();
    long wrong = row.runs().stream()
        .flatMap(run -> run.phases().stream())
        .mapToLong(phase -> phase.checks().wrong())
        .sum();
    return missing + ", " + wrong;
  }

  private void disturbances() {
    List<String> disturbed = Stream.concat(table.rows().stream(), table.lmdbRows().stream())
        .flatMap(row -> row.runs().stream())
        .distinct()
        .filter(run -> !Disturbance.of(run).isEmpty())
        .map(run ->
            "- " + run.spec().workload().name() + ", " + run.spec().conditions().clients()
                + " clients, " + run.spec().store().title() + ": " + disturbances(run))
        .toList();
    if (!disturbed.isEmpty()) {
      text.append(
              "\n## Disturbed phases\n\nIn these phases of gets and scans, other programs or the")
          .append(" host had more than a tenth of the processors.\n\n")
          .append(String.join("\n", disturbed))
          .append('\n');
    }
  }

  private static String disturbances(StoreResult run) {
    return Disturbance.of(run).stream()
        .map(one -> String.format(Locale.ROOT, "%s %.0f %%", one.phase(), 100 * one.share()))
        .collect(Collectors.joining(", "));
  }

  private void failures() {
    List<String> failures = table.rows().stream()
        .flatMap(row -> row.runs().stream())
        .distinct()
        .filter(run -> run.failure() != null || run.phases().stream().anyMatch(this::isCutLoad))
        .map(run ->
            "- " + run.spec().workload().name() + ", " + run.spec().store().title() + ": "
                + (run.failure() == null ? "the load was cut" : run.failure()))
        .toList();
    if (!failures.isEmpty()) {
      text.append("\n## Failures\n\n").append(String.join("\n", failures)).append('\n');
    }
  }

  private boolean isCutLoad(PhaseResult phase) {
    return phase.phase().equals(PhasePlan.LOAD) && phase.isCut();
  }

  /** A figure of a store; empty if the run lacks it. */
  private interface Figure {
    OptionalDouble of(StoreResult run);
  }

  /** This project's figure and RocksDB's. The first is bold if it is the larger one. */
  private static String pair(MatrixRow row, int decimals, Figure figure) {
    OptionalDouble own = figure(row, StoreKind.RLSM, figure);
    OptionalDouble peer = figure(row, StoreKind.ROCKSDB, figure);
    if (own.isEmpty()) {
      return ABSENT;
    }
    String format = "%,." + decimals + "f";
    String first = String.format(Locale.ROOT, format, own.getAsDouble());
    if (peer.isEmpty()) {
      return first;
    }
    boolean larger = own.getAsDouble() > peer.getAsDouble();
    return (larger ? BOLD + first + BOLD : first)
        + PAIR
        + String.format(Locale.ROOT, format, peer.getAsDouble());
  }

  private static OptionalDouble figure(MatrixRow row, StoreKind store, Figure figure) {
    return row.run(store).map(figure::of).orElseGet(OptionalDouble::empty);
  }

  private static String sizeAndAmount(MatrixRow row) {
    return String.format(
        Locale.ROOT, "%,d B, %s ×", row.one().valueBytes(), row.one().amount().sign());
  }

  private static String title(MatrixRow row) {
    return String.format(
        Locale.ROOT,
        "%s, %s, %d",
        sizeAndAmount(row),
        row.keys().name().toLowerCase(Locale.ROOT),
        row.one().clients());
  }

  private static String ratio(OptionalDouble value) {
    return value.isPresent() ? String.format(Locale.ROOT, "%.2f", value.getAsDouble()) : ABSENT;
  }

  private void line(String name, String value) {
    text.append("- ").append(name).append(": ").append(value).append('\n');
  }
}
