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
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.XYSeries.XYSeriesRenderStyle;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.Marker;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** The report of a simulation, as Markdown tables and a chart. */
public final class SimulationReport {

  private static final double GIB = 1L << 30;

  /** A filter of 10 bits per key, and its rate of false positives (decision 11). */
  private static final double FILTER_BYTES = 10 / 8.0;

  private static final double FALSE_POSITIVES = 0.0097;

  /** Per page of 4 KiB: a key of 16 bytes, its first 8 bytes again, and the page's offset. */
  private static final double FENCE_BYTES = (16 + 8 + 4) / 4096.0;

  /** Estimated heap bytes of a run with its range and its metadata. */
  private static final double RUN_BYTES = 512;

  private SimulationReport() {}

  /**
   * Writes {@code README.md} and {@code write-amplification.png}.
   *
   * @param points results of the store with default thresholds
   * @param fixed results at the same sizes with thresholds that do not grow
   * @param flushBytes bytes of a flush in the models of other stores
   */
  public static void write(
      Path directory,
      String command,
      double entryBytes,
      List<SimPoint> points,
      List<SimPoint> fixed,
      double flushBytes)
      throws IOException {
    Map<String, List<Peers.Point>> peers =
        Peers.play(flushBytes, points.stream().map(SimPoint::putBytes).toList());
    String text = "# Simulation of the policies from 1 GiB to 100 TiB\n\nMade by `"
        + command
        + "`; [how to read it](NOTES.md). Write amplification counts flushes and compactions, "
        + "not the log.\n\n![Write amplification](write-amplification.png)\n\n"
        + "## Inserts of new keys in random order\n\n"
        + inserts(entryBytes, points, fixed)
        + "\n## Models of other stores, same inserts\n\n"
        + "Each cell: write amplification, and the runs that a lookup may have to search.\n\n"
        + others(points, peers)
        + Workloads.table(entryBytes, Integer.MAX_VALUE)
        + Workloads.fullDelete(entryBytes, Integer.MAX_VALUE);
    Files.writeString(directory.resolve("README.md"), text);
    Files.write(
        directory.resolve("write-amplification.png"),
        ChartEncoder.getBytes(chart(points, fixed, peers), "png"));
  }

  private static String inserts(double entryBytes, List<SimPoint> points, List<SimPoint> fixed) {
    StringBuilder text = new StringBuilder("| put | written | with fixed thresholds | runs in L0 "
        + "| over a key | pages read, key present | absent | seeks of a short scan | partitions "
        + "| runs in all | files / live | filters, GiB | fences, GiB | runs, GiB |\n|---:"
        + "|---:".repeat(13)
        + "|\n");
    for (int i = 0; i < points.size(); i++) {
      SimPoint point = points.get(i);
      double runs = point.depth().l0Runs() + point.depth().runs();
      text.append(String.format(
          Locale.ROOT,
          "| %,.0f GiB | %.2f | %.2f | %.1f | %.1f | %.2f | %.2f | %.1f | %,.0f | %,.0f | %.2f "
              + "| %,.2f | %,.2f | %,.2f |%n",
          point.putBytes() / GIB,
          point.writeAmplification(),
          fixed.get(i).writeAmplification(),
          point.depth().l0Runs(),
          point.depth().runs(),
          1 + FALSE_POSITIVES * Math.max(0, runs - 1),
          FALSE_POSITIVES * runs,
          runs,
          point.layout().partitions(),
          point.layout().runCount(),
          point.space().spaceAmplification(),
          point.space().fileBytes() / entryBytes * FILTER_BYTES / GIB,
          point.space().fileBytes() * FENCE_BYTES / GIB,
          point.layout().runCount() * RUN_BYTES / GIB));
    }
    return text.toString();
  }

  private static String others(List<SimPoint> points, Map<String, List<Peers.Point>> peers) {
    StringBuilder text = new StringBuilder("| put | RLSM");
    peers.keySet().forEach(name -> text.append(" | ").append(name));
    text.append(" |\n|---:|---:").append("|---:".repeat(peers.size())).append("|\n");
    for (int i = 0; i < points.size(); i++) {
      SimPoint point = points.get(i);
      text.append(String.format(
          Locale.ROOT,
          "| %,.0f GiB | %.2f, %.0f",
          point.putBytes() / GIB,
          point.writeAmplification(),
          point.depth().l0Runs() + point.depth().runs()));
      for (List<Peers.Point> peer : peers.values()) {
        text.append(String.format(
            Locale.ROOT,
            " | %.2f, %d",
            peer.get(i).writeAmplification(),
            peer.get(i).runs()));
      }
      text.append(" |\n");
    }
    return text.toString();
  }

  private static XYChart chart(
      List<SimPoint> points, List<SimPoint> fixed, Map<String, List<Peers.Point>> peers) {
    XYChart chart = new XYChartBuilder()
        .width(1_000)
        .height(600)
        .title("Write amplification of inserts (lines: simulated; marks: the papers')")
        .xAxisTitle("GiB put")
        .yAxisTitle("bytes written / bytes put")
        .build();
    chart.getStyler().setXAxisLogarithmic(true);
    chart.getStyler().setChartBackgroundColor(Color.WHITE);
    chart.getStyler().setLegendPosition(LegendPosition.InsideNW);
    List<Double> sizes = points.stream().map(point -> point.putBytes() / GIB).toList();
    Map<String, List<Double>> lines = new LinkedHashMap<>();
    lines.put("RLSM", points.stream().map(SimPoint::writeAmplification).toList());
    lines.put(
        "RLSM, fixed thresholds",
        fixed.stream().map(SimPoint::writeAmplification).toList());
    peers.forEach((name, peer) ->
        lines.put(name, peer.stream().map(Peers.Point::writeAmplification).toList()));
    lines.forEach((name, line) -> chart.addSeries(name, sizes, new ArrayList<>(line)));
    mark(
        chart,
        "WiscKey paper: LevelDB",
        SeriesMarkers.PLUS,
        List.of(1.0, 100.0),
        List.of(3.1, 14.0));
    mark(chart, "RLSM paper: HBase", SeriesMarkers.CROSS, List.of(128.0), List.of(13.0));
    mark(
        chart,
        "RLSM paper: RLSM in HBase",
        SeriesMarkers.DIAMOND,
        List.of(64.0, 128.0),
        List.of(3.0, 5.29));
    return chart;
  }

  private static void mark(
      XYChart chart, String name, Marker marker, List<Double> x, List<Double> y) {
    XYSeries series = chart.addSeries(name, x, y);
    series.setXYSeriesRenderStyle(XYSeriesRenderStyle.Scatter);
    series.setMarker(marker);
    series.setMarkerColor(Color.BLACK);
  }
}
