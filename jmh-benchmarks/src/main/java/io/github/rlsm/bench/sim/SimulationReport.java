// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.sim;

import java.awt.Color;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.knowm.xchart.ChartEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries.XYSeriesRenderStyle;
import org.knowm.xchart.style.Styler.LegendPosition;

/** What the simulator gave, as a table and a picture for people. */
public final class SimulationReport {

  private static final double GIB = 1L << 30;

  /** Filter bits and index bytes of a key, as tables are written by default. */
  private static final double FILTER_BYTES_PER_ENTRY = 10 / 8.0;

  private SimulationReport() {}

  /**
   * Writes {@code README.md} and {@code write-amplification.png}.
   *
   * @param peers by name, the write amplification at each point's size
   */
  public static void write(
      Path directory,
      String command,
      double entryBytes,
      List<SimPoint> points,
      Map<String, List<Double>> peers)
      throws IOException {
    StringBuilder text = new StringBuilder("# Simulated: inserts of new keys in any order\n\n");
    text.append("Made by `")
        .append(command)
        .append("`. Write amplification counts flushes and ")
        .append("compactions, not the log.\nOnly RLSM's column comes from the engine's policies; ")
        .append("the others are simple models (`PeerModel`).\n\n| put | RLSM");
    peers.keySet().forEach(name -> text.append(" | ").append(name));
    text.append(" | runs per lookup | partitions | runs in all | files / live | filters, GiB |\n")
        .append("|---:|---:")
        .append("|---:".repeat(peers.size() + 5))
        .append("|\n");
    for (int i = 0; i < points.size(); i++) {
      SimPoint point = points.get(i);
      text.append(String.format(
          Locale.ROOT, "| %,.0f GiB | %.2f", point.putBytes() / GIB, point.writeAmplification()));
      for (List<Double> peer : peers.values()) {
        text.append(String.format(Locale.ROOT, " | %.2f", peer.get(i)));
      }
      text.append(String.format(
          Locale.ROOT,
          " | %.1f | %,.0f | %,.0f | %.2f | %,.2f |%n",
          point.runs(),
          point.partitions(),
          point.runCount(),
          point.spaceAmplification(),
          point.fileBytes() / entryBytes * FILTER_BYTES_PER_ENTRY / GIB));
    }
    text.append("\n![Write amplification](write-amplification.png)\n");
    Files.writeString(directory.resolve("README.md"), text);
    Files.write(
        directory.resolve("write-amplification.png"),
        ChartEncoder.getBytes(chart(points, peers), "png"));
  }

  private static XYChart chart(List<SimPoint> points, Map<String, List<Double>> peers) {
    XYChart chart = new XYChartBuilder()
        .width(1_000)
        .height(600)
        .title("Write amplification of inserts (lines: simulated; × and +: the paper's)")
        .xAxisTitle("GiB put")
        .yAxisTitle("bytes written / bytes put")
        .build();
    chart.getStyler().setXAxisLogarithmic(true);
    chart.getStyler().setChartBackgroundColor(Color.WHITE);
    chart.getStyler().setLegendPosition(LegendPosition.InsideNW);
    List<Double> sizes = points.stream().map(point -> point.putBytes() / GIB).toList();
    Map<String, List<Double>> lines = new LinkedHashMap<>();
    lines.put("RLSM", points.stream().map(SimPoint::writeAmplification).toList());
    lines.putAll(peers);
    lines.forEach((name, line) -> chart.addSeries(name, sizes, new ArrayList<>(line)));
    mark(chart, "paper: HBase", List.of(128.0), List.of(13.0));
    mark(chart, "paper: RLSM in HBase", List.of(64.0, 128.0), List.of(3.0, 5.29));
    return chart;
  }

  private static void mark(XYChart chart, String name, List<Double> x, List<Double> y) {
    chart.addSeries(name, x, y).setXYSeriesRenderStyle(XYSeriesRenderStyle.Scatter);
  }
}
