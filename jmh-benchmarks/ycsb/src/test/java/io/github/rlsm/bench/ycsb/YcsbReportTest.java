// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.ycsb;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.rlsm.bench.gauge.Machine;
import io.github.rlsm.bench.result.Json;
import io.github.rlsm.bench.ycsb.YcsbResult.Run;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class YcsbReportTest {

  @TempDir
  Path directory;

  /** A report in the form of {@code ./ycsb}: a load, workload a, and another load. */
  private static JsonNode report(int rate, double settleSeconds) {
    String load = phase("load", 1_000.0 / rate, rate, settleSeconds);
    String a = phase("a", 500.0 / rate, 2 * rate, settleSeconds);
    String again = phase("load", 1, 7, 0);
    try {
      return new ObjectMapper().readTree(String.format(Locale.ROOT, """
          {"settings": {"records": 5000},
           "sessions": [{"phases": [%s, %s]}, {"phases": [%s]}]}""", load, a, again));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String phase(String name, double seconds, int rate, double settleSeconds) {
    return String.format(Locale.ROOT, """
        {"name": "%s", "operations": 1000, "seconds": %f, "operationsPerSecond": %d, "errors": 0,
         "kinds": [
           {"operation": "UPDATE", "succeeded": 400,
            "latencyMicros": {"mean": 1, "p50": 900, "p999": 9000, "max": 9999}},
           {"operation": "READ", "succeeded": 600,
            "latencyMicros": {"mean": 1, "p50": 20, "p999": 2500, "max": 7000}}],
         "storage": {"writeAmplification": 2.5, "settleSeconds": %f}}
        """, name, seconds, rate, settleSeconds);
  }

  private static YcsbResult result() {
    return new YcsbResult(
        "2026-11-27T00:00:00Z",
        "abc",
        "./bench ycsb",
        new Machine("cpu", 2, 1 << 30, "Linux", "Java", "ext4"),
        new YcsbResult.Conditions(512 << 20, "memory control group", "a", 1000, 200, 2),
        List.of(
            new Run("rlsm", 0.5, 1, report(1000, 1)),
            new Run("rocksdb", 0.5, 1, report(500, 0)),
            new Run("rlsm", 0.5, 2, report(3000, 1)),
            new Run("rlsm", 0.5, 3, report(2000, 1))));
  }

  @Test
  void showsMediansAndRatios() {
    assertThat(YcsbReport.of(result()).lines().filter(line -> line.startsWith("| ")))
        .contains(
            "| load | 2,000 / 500 | 4.00 | 1.33 | 20 / 20 | 2.50 / 2.50 | 7 / 7 | 2.50 / 2.50"
                + " | 0 / 0 |",
            "| a | 4,000 / 1,000 | 4.00 | **0.80** | 20 / 20 | 2.50 / 2.50 | 7 / 7 | 2.50 / 2.50"
                + " | 0 / 0 |")
        .hasSize(4);
  }

  @Test
  void aStoreThatDidNotRunHasNoFigures() {
    YcsbResult all = result();
    YcsbResult own = new YcsbResult(
        all.date(),
        all.commit(),
        all.command(),
        all.machine(),
        all.conditions(),
        all.runs().subList(0, 1));
    assertThat(YcsbReport.of(own)).contains("| load | 1,000 / - | - | - | 20 / - |");
  }

  @Test
  void resultsAreReadAsTheyWereWritten() {
    Path file = directory.resolve("ycsb.json");
    Json.write(file, result());
    YcsbResult read = Json.read(file, YcsbResult.class);
    assertThat(read).isEqualTo(result());
    assertThat(read.has("rlsm", 0.5, 3)).isTrue();
    assertThat(read.has("rocksdb", 0.5, 2)).isFalse();
    assertThat(read.has("rlsm", 4, 1)).isFalse();
  }

  @Test
  void runsOfAnotherCommitOrOfOtherConditionsAreNotContinued() {
    YcsbResult before = result();
    YcsbResult.Conditions conditions = before.conditions();
    YcsbResult.Conditions others =
        new YcsbResult.Conditions(conditions.memoryBytes(), "none", "a", 1000, 200, 2);
    YcsbResult.Conditions moreWorkloads = new YcsbResult.Conditions(
        conditions.memoryBytes(), conditions.memoryLimit(), "a,b", 1000, 200, 2);
    assertThat(before.difference(now("abc", conditions))).isEmpty();
    assertThat(before.difference(now("def", conditions)))
        .hasValue("of commit abc, and this is def");
    assertThat(before.difference(now("abc", others))).get().asString().startsWith("with ");
    assertThat(before.difference(now("abc", moreWorkloads))).isPresent();
  }

  @Test
  void aContinuedResultHasTheFirstDateAndTheLastCommand() {
    YcsbResult before = result();
    YcsbResult continued = now("abc", before.conditions()).continuing(before);
    assertThat(continued.runs()).isEqualTo(before.runs());
    assertThat(continued.date()).isEqualTo(before.date());
    assertThat(continued.command()).isEqualTo("./bench ycsb --repeat 4");
  }

  private static YcsbResult now(String commit, YcsbResult.Conditions conditions) {
    return new YcsbResult(
        "2026-11-28T00:00:00Z",
        commit,
        "./bench ycsb --repeat 4",
        result().machine(),
        conditions,
        List.of());
  }
}
