// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.hbase.compact.Selection.Reason;
import io.github.rlsm.hbase.metrics.StoreMetrics.Shape;
import io.github.rlsm.hbase.metrics.StoreMetrics.Values;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.metrics.MetricRegistry;
import org.apache.hadoop.hbase.metrics.MetricRegistryInfo;
import org.apache.hadoop.hbase.metrics.impl.MetricRegistryImpl;
import org.apache.hadoop.hbase.regionserver.MetricsRegionServerSource;
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.apache.hbase.thirdparty.com.google.gson.Strictness;
import org.apache.hbase.thirdparty.com.google.gson.stream.JsonReader;
import org.junit.jupiter.api.Test;

/**
 * Compares docs/hbase-dashboard.json, docs/hbase-exporter.yml and the alarms of docs/hbase.md with
 * the metrics of the engine.
 */
class DashboardTest {

  // Maven runs the tests in the folder of the module.
  private static final Path DOCUMENTS = Path.of("../docs");
  private static final String RLSM = "Hadoop<service=HBase, name=RegionServer, sub=Rlsm><>";
  private static final String SERVER = "Hadoop<service=HBase, name=RegionServer, sub=Server><>";
  private static final Pattern RULE =
      Pattern.compile("(?m)^ {2}- pattern: '(.+)'\n {4}name: (\\S+)$");
  private static final Pattern NAME = Pattern.compile("\\bhbase_\\w+");
  private static final Pattern ALARM = Pattern.compile("(?m)^\\| `(\\w+)` > (\\d+)\\b");

  @Test
  void everyMetricOfTheDashboardExists() throws IOException {
    Set<String> named = new TreeSet<>();
    expressions(dashboard()).forEach(text -> named.addAll(names(text)));
    dashboard()
        .getAsJsonObject("templating")
        .getAsJsonArray("list")
        .forEach(variable -> named.addAll(names(variable.toString())));
    assertThat(exported()).containsAll(named);
  }

  /** The dashboard shows the numbers of tables, whose sum is the number of the server. */
  @Test
  void everyMetricOfTheEngineIsOnTheDashboard() throws IOException {
    Set<String> exported = exported();
    Set<String> shown = names(String.join("\n", expressions(dashboard())));
    assertThat(exported)
        .filteredOn(name -> !exported.contains(name.replace("hbase_rlsm_", "hbase_rlsm_table_")))
        .hasSizeGreaterThan(20)
        .allMatch(shown::contains);
  }

  @Test
  void alarmsOfTheRunbookAreThresholdsOfTheDashboard() throws IOException {
    Map<String, Integer> alarms = new LinkedHashMap<>();
    for (MatchResult alarm : matches(ALARM, Files.readString(DOCUMENTS.resolve("hbase.md")))) {
      alarms.put(
          "hbase_rlsm_table_" + alarm.group(1).toLowerCase(Locale.ROOT),
          Integer.valueOf(alarm.group(2)));
    }
    Map<String, Integer> thresholds = new LinkedHashMap<>();
    for (JsonElement panel : dashboard().getAsJsonArray("panels")) {
      JsonArray steps = panel
          .getAsJsonObject()
          .getAsJsonObject("fieldConfig")
          .getAsJsonObject("defaults")
          .getAsJsonObject("thresholds")
          .getAsJsonArray("steps");
      if (steps.size() > 1) {
        String metric =
            names(expressions(panel.getAsJsonObject()).get(0)).iterator().next();
        thresholds.put(metric, steps.get(1).getAsJsonObject().get("value").getAsInt());
      }
    }
    assertThat(alarms).hasSizeGreaterThan(2).isEqualTo(thresholds);
    assertThat(exported()).containsAll(alarms.keySet());
  }

  private static JsonObject dashboard() throws IOException {
    try (JsonReader reader =
        new JsonReader(Files.newBufferedReader(DOCUMENTS.resolve("hbase-dashboard.json")))) {
      reader.setStrictness(Strictness.STRICT);
      return JsonParser.parseReader(reader).getAsJsonObject();
    }
  }

  /** The expressions of all panels, or of one panel. */
  private static List<String> expressions(JsonObject part) {
    List<String> expressions = new ArrayList<>();
    if (part.has("panels")) {
      for (JsonElement panel : part.getAsJsonArray("panels")) {
        expressions.addAll(expressions(panel.getAsJsonObject()));
      }
      return expressions;
    }
    for (JsonElement target : part.getAsJsonArray("targets")) {
      expressions.add(target.getAsJsonObject().get("expr").getAsString());
    }
    return expressions;
  }

  private static Set<String> names(String text) {
    Set<String> names = new TreeSet<>();
    matches(NAME, text).forEach(name -> names.add(name.group()));
    return names;
  }

  /** The names that the rules of the exporter give the attributes in JMX. */
  private static Set<String> exported() throws IOException {
    String rules = Files.readString(DOCUMENTS.resolve("hbase-exporter.yml"));
    assertThat(rules).contains("lowercaseOutputName: true");
    Set<String> names = new TreeSet<>();
    for (String attribute : attributes()) {
      matches(RULE, rules).stream()
          .map(rule ->
              Map.entry(Pattern.compile(rule.group(1)).matcher(attribute + ": 1"), rule.group(2)))
          .filter(rule -> rule.getKey().find())
          .findFirst()
          .ifPresent(rule -> names.add(name(rule.getKey(), rule.getValue())));
    }
    return names;
  }

  private static String name(Matcher matcher, String template) {
    String name = template;
    for (int i = 1; i <= matcher.groupCount(); i++) {
      name = name.replace("$" + i, matcher.group(i));
    }
    return name.toLowerCase(Locale.ROOT);
  }

  /** The attributes in the form that the exporter matches. HBase capitalises the engine's names. */
  private static List<String> attributes() {
    MetricRegistry registry = new MetricRegistryImpl(
        new MetricRegistryInfo("Rlsm", "", "RegionServer,sub=Rlsm", "regionserver", false));
    StoreMetrics metrics = new StoreMetrics(registry);
    metrics.changed(
        TableName.valueOf("space", "t_1"),
        Shape.NONE,
        new Shape(1, 1, 0, 1, new Values(0, 0, 0, 0)));
    Stream.concat(
            Arrays.stream(Reason.values()).map(Reason::name), Stream.of("flush", "coprocessor"))
        .forEach(metrics::written);
    List<String> attributes = new ArrayList<>();
    for (String name : registry.getMetrics().keySet()) {
      attributes.add(RLSM + name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1));
    }
    attributes.add(SERVER + MetricsRegionServerSource.COMPACTION_QUEUE_LENGTH);
    attributes.add(SERVER + MetricsRegionServerSource.FLUSH_QUEUE_LENGTH);
    return attributes;
  }

  private static List<MatchResult> matches(Pattern pattern, String text) {
    return pattern.matcher(text).results().toList();
  }
}
