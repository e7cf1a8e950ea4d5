// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.hbase;

import io.github.rlsm.bench.hbase.HBaseResult.EngineResult;
import io.github.rlsm.bench.report.MarkdownTable;
import io.github.rlsm.bench.report.Median;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.DoubleFunction;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Formats a result as Markdown: one table per phase, with one column per engine. Engines that ran
 * repeatedly have medians, and the least and the greatest rate. Beside HBase's default engine, the
 * rows of rates and of bytes also have the ratio to that engine's median.
 */
final class HBaseReport {

  private static final double MEBIBYTE = 1 << 20;

  private enum Cells {
    /** The median of an engine's runs. */
    MEDIAN,

    /** Also the least and greatest value, and the ratio to the default engine. */
    COMPARED,

    /** The sum of an engine's runs. */
    SUM
  }

  /**
   * A row of each table.
   *
   * @param ofWrites whether only phases that write have the row
   * @param cells how the runs of an engine make a cell
   */
  private record Row(
      String title,
      boolean ofWrites,
      Cells cells,
      ToDoubleFunction<HBasePhase> value,
      DoubleFunction<String> format) {

    static Row number(String title, boolean ofWrites, ToDoubleFunction<HBasePhase> value) {
      return new Row(title, ofWrites, Cells.MEDIAN, value, HBaseReport::number);
    }

    static Row decimal(String title, boolean ofWrites, ToDoubleFunction<HBasePhase> value) {
      return new Row(title, ofWrites, Cells.MEDIAN, value, HBaseReport::decimal);
    }

    Row compared() {
      return new Row(title, ofWrites, Cells.COMPARED, value, format);
    }

    Row summed() {
      return new Row(title, ofWrites, Cells.SUM, value, format);
    }
  }

  private static final List<Row> ROWS = List.of(
      Row.number("operations/s", false, HBasePhase::throughput).compared(),
      Row.number("… until settled", true, HBasePhase::settledThroughput).compared(),
      Row.decimal("seconds until settled", true, phase -> phase.calls().settledSeconds()),
      Row.decimal("latency p50, ms", false, phase -> phase.latency().p50() / 1_000),
      Row.decimal("… p99, ms", false, phase -> phase.latency().p99() / 1_000),
      Row.decimal("… longest, ms", false, phase -> phase.latency().max() / 1_000),
      Row.decimal(
              "processor time, ms each",
              false,
              phase -> 1_000
                  * phase.calls().processor().processorSeconds()
                  / phase.calls().operations())
          .compared(),
      Row.decimal(
          "… of compilers",
          false,
          phase -> 1_000
              * phase.calls().processor().compilerSeconds()
              / phase.calls().operations()),
      Row.number("written, MiB", false, phase -> phase.use().written().bytesWritten() / MEBIBYTE),
      Row.number("… by flushes", false, phase -> phase.use().written().flushedBytes() / MEBIBYTE),
      Row.number(
              "… by compactions", false, phase -> phase.use().written().compactedBytes() / MEBIBYTE)
          .compared(),
      Row.decimal("write amplification", true, HBasePhase::writeAmplification),
      Row.number("files", false, phase -> phase.use().files()),
      Row.number("… a row may be in", true, phase -> phase.use().depth()),
      Row.decimal(
          "cached blocks, each",
          false,
          phase -> each(phase, phase.use().blocks().cached())),
      Row.decimal(
          "blocks from files, each",
          false,
          phase -> each(phase, phase.use().blocks().read())),
      Row.decimal(
          "values at offsets, each",
          false,
          phase -> each(phase, phase.use().blocks().values())),
      Row.number("GC pauses, ms", false, phase -> phase.use().pauses().millis()).compared(),
      Row.number("… their number", false, phase -> phase.use().pauses().count()),
      Row.decimal("… longest, ms", false, phase -> phase.use().pauses().maxMillis()),
      Row.number("allocated, MiB", false, phase -> phase.use().pauses().allocatedMebibytes())
          .compared(),
      Row.number(
          "heap after a pause, most, MiB", false, phase -> phase.use().pauses().heapMebibytes()),
      Row.number("resident, most, MiB", false, phase -> phase.use().memory().resident() / MEBIBYTE),
      Row.number("errors, all runs", false, phase -> phase.calls().errors()).summed());

  private HBaseReport() {}

  static String of(HBaseResult result) {
    StringBuilder text = new StringBuilder("# Store engines inside HBase\n\n");
    HBaseSpec spec = result.engines().get(0).spec();
    text.append(String.format(
        Locale.ROOT,
        "%,d rows of %,d B in batches of %d, then as many overwritten at random, %d client threads,"
            + " flushes of %.0f MiB; %,d gets, %,d scans of %d rows. One standalone HBase %s with"
            + " %s%d MiB of heap for each engine, one after the other, with files in %s. Runs of"
            + " each engine: %d.%n%n",
        spec.load().rows(),
        HBaseSpec.KEY_BYTES + spec.load().valueBytes(),
        Client.BATCH,
        spec.load().threads(),
        spec.server().flushBytes() / MEBIBYTE,
        spec.load().gets(),
        spec.load().scans(),
        HBaseSpec.SCAN_ROWS,
        result.hbase(),
        spec.server().isHeapFixed() ? "" : "at most ",
        spec.server().heapMebibytes(),
        spec.server().isOnHdfs() ? "an HDFS with three data nodes" : "the local file system",
        result.runs(spec.engine()).size()));
    text.append("`").append(result.command()).append("`, commit ").append(result.commit());
    text.append(", ").append(result.date()).append(", ").append(result.machine().processor());
    text.append(", ").append(result.machine().cores()).append(" cores, ");
    text.append(result.machine().java()).append(", ").append(result.machine().fileSystem());
    text.append(".\n");
    for (HBasePhase phase : result.engines().get(0).phases()) {
      text.append("\n## ").append(phase.name()).append("\n\n").append(table(result, phase.name()));
    }
    text.append("\n## Options\n\n");
    Set<EngineKind> named = new HashSet<>();
    for (EngineResult engine : result.engines()) {
      if (!named.add(engine.spec().engine())) {
        continue;
      }
      text.append("- ").append(engine.spec().engine().title()).append(": ");
      text.append(engine.spec().engine().options()).append(' ');
      text.append(engine.spec().tableOptions()).append('\n');
    }
    return text.toString();
  }

  private static MarkdownTable table(HBaseResult result, String name) {
    List<String> headings = new ArrayList<>(List.of(""));
    Map<EngineKind, List<HBasePhase>> phases = new LinkedHashMap<>();
    for (EngineResult run : result.engines()) {
      EngineKind engine = run.spec().engine();
      List<HBasePhase> own = phases.computeIfAbsent(engine, any -> new ArrayList<>());
      if (own.isEmpty()) {
        headings.add(engine.title());
      }
      run.phases().stream().filter(phase -> phase.name().equals(name)).forEach(own::add);
    }
    boolean writes = phases.values().stream()
        .flatMap(List::stream)
        .anyMatch(phase -> phase.calls().bytesPut() > 0);
    MarkdownTable table = new MarkdownTable(headings);
    for (Row row : ROWS) {
      if (writes || !row.ofWrites()) {
        List<String> cells = new ArrayList<>(List.of(row.title()));
        List<HBasePhase> peer = phases.get(EngineKind.DEFAULT);
        phases.forEach(
            (engine, own) -> cells.add(cell(row, own, engine == EngineKind.DEFAULT ? null : peer)));
        table.row(cells);
      }
    }
    return table;
  }

  /**
   * A cell of an engine.
   *
   * @param phases the phase of each run
   * @param peer the same of the engine to compare with, or null
   */
  private static String cell(Row row, List<HBasePhase> phases, @Nullable List<HBasePhase> peer) {
    List<Double> values = values(row, phases);
    if (row.cells() == Cells.SUM) {
      return number(values.stream().mapToDouble(Double::doubleValue).sum());
    }
    String text = row.format().apply(median(values));
    if (row.cells() == Cells.MEDIAN) {
      return text;
    }
    if (values.size() > 1) {
      text += " (" + row.format().apply(values.get(0)) + " to "
          + row.format().apply(values.get(values.size() - 1)) + ")";
    }
    double peers = peer == null ? 0 : median(values(row, peer));
    if (peers != 0) {
      text += ", " + decimal(median(values) / peers) + " ×";
    }
    return text;
  }

  private static List<Double> values(Row row, List<HBasePhase> phases) {
    return phases.stream().map(row.value()::applyAsDouble).sorted().toList();
  }

  private static double median(List<Double> values) {
    return Median.of(values.stream().mapToDouble(Double::doubleValue));
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%,.0f", value);
  }

  private static double each(HBasePhase phase, long count) {
    return (double) count / phase.calls().operations();
  }

  private static String decimal(double value) {
    return String.format(Locale.ROOT, "%,.2f", value);
  }
}
