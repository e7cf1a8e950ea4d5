// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.report;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.rlsm.bench.result.Json;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Converts JMH's results of microbenchmarks to a Markdown table. */
public final class JmhReport {

  private JmhReport() {}

  /** The table for JMH's JSON file. */
  public static String of(Path json) {
    MarkdownTable table = new MarkdownTable(
        List.of("benchmark", "parameters", "threads", "score", "± 99.9 %", "unit"));
    for (JsonNode run : Json.read(json, JsonNode.class)) {
      String name = run.path("benchmark").asText();
      String method = name.substring(name.lastIndexOf('.') + 1);
      String type = name.substring(0, name.lastIndexOf('.'));
      JsonNode metric = run.path("primaryMetric");
      table.row(List.of(
          type.substring(type.lastIndexOf('.') + 1) + "." + method,
          parameters(run.path("params")),
          run.path("threads").asText(),
          number(metric.path("score")),
          number(metric.path("scoreError")),
          metric.path("scoreUnit").asText()));
    }
    return "# Microbenchmarks\n\n" + table;
  }

  private static String parameters(JsonNode parameters) {
    List<String> texts = new ArrayList<>();
    parameters
        .properties()
        .forEach(entry -> texts.add(entry.getKey() + " = " + entry.getValue().asText()));
    return String.join(", ", texts);
  }

  /** JMH writes "NaN" if there were too few iterations for a figure. */
  private static String number(JsonNode value) {
    return value.isNumber() ? String.format(Locale.ROOT, "%,.3f", value.asDouble()) : "–";
  }
}
