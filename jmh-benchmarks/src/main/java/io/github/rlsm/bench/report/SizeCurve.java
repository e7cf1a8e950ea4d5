// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.report;

import io.github.rlsm.bench.result.BenchResult;
import io.github.rlsm.bench.store.StoreKind;
import java.awt.Color;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.knowm.xchart.ChartEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;

/** The cost of a load as a function of data size, for a workload that was run at several sizes. */
public final class SizeCurve {

  private static final double GIBIBYTE = 1L << 30;
  private static final int WIDTH = 800;
  private static final int HEIGHT = 450;

  private final String workload;
  private final List<Summary> sizes;

  private SizeCurve(String workload, List<Summary> sizes) {
    this.workload = workload;
    this.sizes = sizes;
  }

  /** The curves of all workloads that were run at several sizes. */
  static List<SizeCurve> of(BenchResult result) {
    Map<String, List<Summary>> byName = Summary.of(result.runs()).stream()
        .collect(Collectors.groupingBy(
            summary -> summary.workload().name(), LinkedHashMap::new, Collectors.toList()));
    return byName.entrySet().stream()
        .filter(entry -> entry.getValue().size() > 1)
        .map(entry -> new SizeCurve(entry.getKey(), entry.getValue()))
        .toList();
  }

  /** The runs of all workloads that were run at a single size. */
  static List<Summary> others(BenchResult result) {
    List<SizeCurve> curves = of(result);
    return Summary.of(result.runs()).stream()
        .filter(summary -> curves.stream()
            .noneMatch(curve -> curve.workload.equals(summary.workload().name())))
        .toList();
  }

  private static List<Metric> metrics() {
    List<String> wanted = List.of("load", "load, settled", "load WA", "load SA");
    return Stream.concat(Metrics.throughput(false).stream(), Metrics.cost().stream())
        .filter(metric -> wanted.contains(metric.name()))
        .toList();
  }

  private static double gibibytes(Summary summary) {
    return summary.workload().keys() * summary.workload().entryBytes() / GIBIBYTE;
  }

  /** A table with a row for each store and size. */
  String table() {
    List<String> headings = new ArrayList<>(List.of("data, GiB", "store"));
    metrics().forEach(metric -> headings.add(metric.name()));
    MarkdownTable table = new MarkdownTable(headings);
    for (Summary summary : sizes) {
      for (StoreKind store : summary.stores()) {
        List<String> cells = new ArrayList<>();
        cells.add(String.format(Locale.ROOT, "%.1f", gibibytes(summary)));
        cells.add(store.title());
        for (Metric metric : metrics()) {
          boolean cut = summary.isCut(store, metric.phase());
          cells.add(StoreReport.cell(summary.median(store, metric), metric.decimals(), cut));
        }
        table.row(cells);
      }
    }
    return String.format(
        Locale.ROOT,
        "## %s: loads of several sizes, %,d B values\n\n%s\n",
        workload,
        sizes.get(0).workload().valueBytes(),
        table);
  }

  /** Writes the charts of all such workloads into a directory and returns their file names. */
  public static List<String> write(BenchResult result, Path directory) throws IOException {
    List<String> names = new ArrayList<>();
    for (SizeCurve curve : of(result)) {
      for (Metric metric : metrics()) {
        String name = curve.workload + "-" + metric.name().replaceAll("\\W+", "-") + ".png";
        Files.write(directory.resolve(name), ChartEncoder.getBytes(curve.chart(metric), "png"));
        names.add(name);
      }
    }
    return names;
  }

  private XYChart chart(Metric metric) {
    XYChart chart = new XYChartBuilder()
        .width(WIDTH)
        .height(HEIGHT)
        .title(workload + ": " + metric.name())
        .xAxisTitle("data, GiB")
        .build();
    chart.getStyler().setXAxisLogarithmic(true);
    chart.getStyler().setYAxisMin(0.0);
    chart.getStyler().setChartBackgroundColor(Color.WHITE);
    for (StoreKind store : sizes.get(0).stores()) {
      List<Double> x = new ArrayList<>();
      List<Double> y = new ArrayList<>();
      for (Summary summary : sizes) {
        OptionalDouble value = summary.median(store, metric);
        if (value.isPresent()) {
          x.add(gibibytes(summary));
          y.add(value.getAsDouble());
        }
      }
      if (!x.isEmpty()) {
        chart.addSeries(store.title(), x, y);
      }
    }
    return chart;
  }
}
