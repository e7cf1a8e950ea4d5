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
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.ChartEncoder;
import org.knowm.xchart.style.Styler.LegendLayout;
import org.knowm.xchart.style.Styler.LegendPosition;

/**
 * Charts of each store's speed relative to RocksDB. There is one chart for each workload that was
 * run at a single size.
 */
public final class RatioChart {

  private static final int WIDTH = 1_200;
  private static final int HEIGHT = 500;

  private RatioChart() {}

  /** Writes the charts into a directory and returns their file names. */
  public static List<String> write(BenchResult result, Path directory) throws IOException {
    List<String> names = new ArrayList<>();
    for (Summary summary : SizeCurve.others(result)) {
      if (!summary.runs(StoreKind.ROCKSDB).isEmpty() && summary.stores().size() > 1) {
        String name = summary.workload().name() + ".png";
        Files.write(directory.resolve(name), ChartEncoder.getBytes(chart(summary), "png"));
        names.add(name);
      }
    }
    return names;
  }

  private static CategoryChart chart(Summary summary) {
    List<Metric> metrics = Metrics.throughput(summary.workload().sync());
    CategoryChart chart = new CategoryChartBuilder()
        .width(WIDTH)
        .height(HEIGHT)
        .title(String.format(
            Locale.ROOT,
            "%s, %,d × %,d B: operations per second, RocksDB = 1",
            summary.workload().name(),
            summary.workload().keys(),
            summary.workload().valueBytes()))
        .yAxisTitle("times RocksDB")
        .build();
    chart.getStyler().setYAxisLogarithmic(true);
    chart.getStyler().setYAxisMin(0.01);
    chart.getStyler().setLegendPosition(LegendPosition.OutsideS);
    chart.getStyler().setLegendLayout(LegendLayout.Horizontal);
    chart.getStyler().setChartBackgroundColor(Color.WHITE);
    List<String> phases = metrics.stream().map(Metric::name).toList();
    for (StoreKind store : summary.stores()) {
      List<Double> ratios = new ArrayList<>();
      for (Metric metric : metrics) {
        OptionalDouble ratio = summary.ratio(store, StoreKind.ROCKSDB, metric);
        ratios.add(ratio.orElse(Double.NaN));
      }
      chart.addSeries(store.title(), phases, ratios);
    }
    return chart;
  }
}
