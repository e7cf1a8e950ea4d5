// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.hbase;

import io.github.rlsm.bench.hbase.HBaseResult.EngineResult;
import io.github.rlsm.bench.report.MarkdownTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** Formats a result as Markdown: one table per phase, with one column per engine. */
final class HBaseReport {

  private static final double MEBIBYTE = 1 << 20;

  private record Row(String title, boolean ofWrites, Function<HBasePhase, String> cell) {}

  private static final List<Row> ROWS = List.of(
      new Row("operations/s", false, phase -> number(phase.throughput())),
      new Row("… until settled", true, phase -> number(phase.settledThroughput())),
      new Row("seconds until settled", true, phase -> decimal(phase.calls().settledSeconds())),
      new Row("latency p99, ms", false, phase -> decimal(phase.latency().p99() / 1_000)),
      new Row("written, MiB", true, phase -> mebibytes(phase.use().written().bytesWritten())),
      new Row("… by flushes", true, phase -> mebibytes(phase.use().written().flushedBytes())),
      new Row("… by compactions", true, phase -> mebibytes(phase.use().written().compactedBytes())),
      new Row("write amplification", true, phase -> decimal(phase.writeAmplification())),
      new Row("files", true, phase -> number((double) phase.use().files())),
      new Row("… a row may be in", true, phase -> number((double) phase.use().depth())),
      new Row(
          "cached blocks, each",
          false,
          phase -> each(phase, phase.use().blocks().cached())),
      new Row(
          "blocks from files, each",
          false,
          phase -> each(phase, phase.use().blocks().read())),
      new Row("GC pauses, ms", false, phase -> number(phase.use().pauses().millis())),
      new Row("… longest, ms", false, phase -> decimal(phase.use().pauses().maxMillis())),
      new Row(
          "live heap, most, MiB",
          false,
          phase -> number((double) phase.use().pauses().liveMebibytes())),
      new Row(
          "resident, most, MiB", false, phase -> mebibytes(phase.use().memory().resident())),
      new Row("errors", false, phase -> number((double) phase.calls().errors())));

  private HBaseReport() {}

  static String of(HBaseResult result) {
    StringBuilder text = new StringBuilder("# Store engines inside HBase\n\n");
    HBaseSpec spec = result.engines().get(0).spec();
    text.append(String.format(
        Locale.ROOT,
        "%,d rows of %,d B in batches of %d, then as many overwritten at random, %d client threads,"
            + " flushes of %.0f MiB; %,d gets, %,d scans of %d rows. One standalone HBase %s with"
            + " %d MiB of heap for each engine, one after the other.%n%n",
        spec.load().rows(),
        HBaseSpec.KEY_BYTES + spec.load().valueBytes(),
        Client.BATCH,
        spec.load().threads(),
        spec.server().flushBytes() / MEBIBYTE,
        spec.load().gets(),
        spec.load().scans(),
        HBaseSpec.SCAN_ROWS,
        result.hbase(),
        spec.server().heapMebibytes()));
    text.append("`").append(result.command()).append("`, commit ").append(result.commit());
    text.append(", ").append(result.date()).append(", ").append(result.machine().processor());
    text.append(", ").append(result.machine().cores()).append(" cores, ");
    text.append(result.machine().java()).append(", ").append(result.machine().fileSystem());
    text.append(".\n");
    for (HBasePhase phase : result.engines().get(0).phases()) {
      text.append("\n## ").append(phase.name()).append("\n\n").append(table(result, phase.name()));
    }
    text.append("\n## Options\n\n");
    for (EngineResult engine : result.engines()) {
      text.append("- ").append(engine.spec().engine().title()).append(": ");
      text.append(engine.spec().engine().options()).append(' ');
      text.append(engine.spec().tableOptions()).append('\n');
    }
    return text.toString();
  }

  private static MarkdownTable table(HBaseResult result, String name) {
    List<String> headings = new ArrayList<>(List.of(""));
    List<HBasePhase> phases = new ArrayList<>();
    for (EngineResult engine : result.engines()) {
      headings.add(engine.spec().engine().title());
      engine.phases().stream().filter(phase -> phase.name().equals(name)).forEach(phases::add);
    }
    boolean writes = phases.stream().anyMatch(phase -> phase.use().written().flushedBytes() > 0);
    MarkdownTable table = new MarkdownTable(headings);
    for (Row row : ROWS) {
      if (writes || !row.ofWrites()) {
        List<String> cells = new ArrayList<>(List.of(row.title()));
        phases.forEach(phase -> cells.add(row.cell().apply(phase)));
        table.row(cells);
      }
    }
    return table;
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%,.0f", value);
  }

  private static String each(HBasePhase phase, long count) {
    return decimal((double) count / phase.calls().operations());
  }

  private static String decimal(double value) {
    return String.format(Locale.ROOT, "%,.2f", value);
  }

  private static String mebibytes(long bytes) {
    return number(bytes / MEBIBYTE);
  }
}
