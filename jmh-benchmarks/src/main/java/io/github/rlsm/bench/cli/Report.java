// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.cli;

import io.github.rlsm.bench.report.JmhReport;
import io.github.rlsm.bench.report.RatioChart;
import io.github.rlsm.bench.report.SizeCurve;
import io.github.rlsm.bench.report.StoreReport;
import io.github.rlsm.bench.result.BenchResult;
import io.github.rlsm.bench.result.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Converts the raw results in a directory into {@code report.md} and charts. */
final class Report {

  /** Raw results of whole stores. */
  static final String STORES = "stores.json";

  /** Raw results of microbenchmarks. */
  static final String JMH = "jmh.json";

  private static final String TEXT = "report.md";

  private Report() {}

  /** Writes the report of all raw results in the directory, prints it, and returns its file. */
  static Path write(Path directory) throws IOException {
    StringBuilder text = new StringBuilder();
    Path stores = directory.resolve(STORES);
    if (Files.exists(stores)) {
      BenchResult result = Json.read(stores, BenchResult.class);
      text.append(StoreReport.of(result));
      List<String> pictures = new ArrayList<>(RatioChart.write(result, directory));
      pictures.addAll(SizeCurve.write(result, directory));
      for (String picture : pictures) {
        text.append("\n![").append(picture).append("](").append(picture).append(")\n");
      }
    }
    Path jmh = directory.resolve(JMH);
    if (Files.exists(jmh)) {
      text.append(text.length() == 0 ? "" : "\n").append(JmhReport.of(jmh));
    }
    Path file = directory.resolve(TEXT);
    Files.writeString(file, text);
    System.out.println();
    System.out.println(text);
    System.out.println("Results: " + file);
    return file;
  }
}
