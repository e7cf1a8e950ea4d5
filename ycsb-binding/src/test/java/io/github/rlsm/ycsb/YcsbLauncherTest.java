// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.ycsb;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class YcsbLauncherTest {

  @TempDir
  Path home;

  /** The result of a launcher run. */
  private record Result(int exitCode, String out, String err) {}

  @Test
  void runsAllWorkloadsWithDataIntegrity() throws IOException {
    Result result = small("--data-integrity", "--workloads", "a,b,c,d,e,f");

    assertThat(result.exitCode()).as(result.toString()).isZero();
    JsonNode json = json();
    assertThat(json.get("complete").asBoolean()).isTrue();
    assertThat(json.get("errors").asLong()).isZero();
    assertThat(json.get("settings").get("durability").asText()).isEqualTo("SYNC");
    assertThat(json.at("/sessions/0/phases").findValuesAsText("name"))
        .containsExactly("load", "a", "b", "c", "f", "d");
    assertThat(json.at("/sessions/1/phases").findValuesAsText("name")).containsExactly("load", "e");
    assertThat(json.at("/sessions/0/openSeconds").asDouble()).isPositive();
    for (JsonNode phase : json.findValues("phases")) {
      for (JsonNode each : phase) {
        checkPhase(each);
      }
    }
    assertThat(result.out())
        .contains("read-modify-write")
        .contains("p99.9")
        .contains("write amp")
        .contains("opened again")
        .contains("0 UNEXPECTED_STATE")
        .contains("no errors");
    assertThat(home.resolve("store")).doesNotExist();
  }

  private static void checkPhase(JsonNode phase) {
    String name = phase.get("name").asText();
    long expected = name.equals("load") ? 1_000 : name.equals("e") ? 100 : 1_000;
    assertThat(phase.get("operations").asLong()).as(name).isEqualTo(expected);
    assertThat(phase.get("operationsPerSecond").asDouble()).isPositive();
    assertThat(phase.get("errors").asLong()).isZero();
    assertThat(phase.at("/storage/liveUserBytes").asLong()).isGreaterThan(1_000 * 100);
    assertThat(phase.at("/storage/directory/fileBytes").isNumber()).isTrue();
    for (JsonNode kind : phase.get("kinds")) {
      JsonNode latency = kind.get("latencyMicros");
      assertThat(latency.get("p50").asDouble())
          .isLessThanOrEqualTo(latency.get("p999").asDouble());
      assertThat(latency.get("p999").asDouble())
          .isLessThanOrEqualTo(latency.get("max").asDouble());
      assertThat(kind.has("intendedLatencyMicros")).isFalse();
    }
    boolean reads = !name.equals("load") && !name.equals("e");
    assertThat(phase.at("/verified/ok").asLong() > 0).as(name).isEqualTo(reads);
  }

  @Test
  void oneValueRecordsAreOverwritten() throws IOException {
    Result result = small("--value-size", "50", "--workloads", "a");

    assertThat(result.exitCode()).as(result.toString()).isZero();
    assertThat(json().at("/settings/fieldCount").asInt()).isEqualTo(1);
    assertThat(json().at("/settings/fieldLength").asInt()).isEqualTo(50);
    assertThat(json().at("/settings/blindUpdates").asBoolean()).isTrue();
  }

  @Test
  void setsFieldCountAndSize() throws IOException {
    Result result = small("--fields", "3", "--field-length", "7", "--workloads", "C");

    assertThat(result.exitCode()).as(result.toString()).isZero();
    assertThat(json().at("/settings/fieldCount").asInt()).isEqualTo(3);
    assertThat(json().at("/settings/fieldLength").asInt()).isEqualTo(7);
    assertThat(json().at("/settings/blindUpdates").asBoolean()).isFalse();
  }

  @Test
  void targetReportsLatenciesFromIntendedStart() throws IOException {
    Result result = small("--target", "5000", "--workloads", "c");

    assertThat(result.exitCode()).as(result.toString()).isZero();
    JsonNode kind = json().at("/sessions/0/phases/1/kinds/0");
    assertThat(kind.at("/intendedLatencyMicros/p50").asDouble())
        .isGreaterThanOrEqualTo(kind.at("/latencyMicros/p50").asDouble() / 2);
    assertThat(result.out()).contains("target 5,000/s").contains("count from the intended start");
  }

  @Test
  void keepOptionKeepsStore() throws IOException {
    Result result = small("--workloads", "c", "--keep");

    assertThat(result.exitCode()).as(result.toString()).isZero();
    assertThat(result.out()).contains("store: " + home.resolve("store"));
    assertThat(home.resolve("store/model")).isNotEmptyFile();
  }

  @Test
  void failedOperationsFailRun() throws IOException {
    Result result =
        small("--workloads", "a", "--options", "failing.method=compareAndSet", "failing.after=10");

    assertThat(result.exitCode()).as(result.toString()).isEqualTo(1);
    assertThat(result.out()).containsPattern("phase a: [\\d,]+ of the updates failed with ERROR");
    assertThat(json().get("errors").asLong()).isPositive();
    assertThat(json().get("complete").asBoolean()).isTrue();
    assertThat(json().at("/sessions/0/phases/1/kinds/1/failed/ERROR").asLong()).isPositive();
  }

  @Test
  void failedLoadEndsRun() throws IOException {
    Result result =
        small("--workloads", "a", "--options", "failing.method=put", "failing.after=10");

    assertThat(result.exitCode()).as(result.toString()).isEqualTo(1);
    assertThat(result.out()).containsPattern("did not finish: phase load failed: [12] errors");
    assertThat(json().get("complete").asBoolean()).isFalse();
    assertThat(json().at("/sessions/0/phases").size()).isEqualTo(1);
    assertThat(home.resolve("store")).doesNotExist();
  }

  @Test
  void dataIntegrityFindsWrongContent() throws IOException {
    Result result = small("--workloads", "c", "--data-integrity", "--options", "garbled=true");

    assertThat(result.exitCode()).as(result.toString()).isEqualTo(1);
    assertThat(result.out()).contains("1,000 UNEXPECTED_STATE");
    assertThat(json().at("/sessions/0/phases/1/verified/wrong").asLong()).isEqualTo(1_000);
  }

  @Test
  void explainsWrongArguments() throws IOException {
    refused("Unknown option", "--record", "5");
    refused("--records is 0", "--records", "0");
    refused("--threads is 9, more than the 5 records", "--threads", "9", "--records", "5");
    refused("--target is -1", "--target", "-1");
    refused("--value-size is -1", "--value-size", "-1");
    refused("expected one of", "--durability", "fsync");
    refused("expected one of", "--workloads", "a,x");
    refused("mutually exclusive", "--value-size", "9", "--fields", "3");
    refused("not an int", "--operations", "many");
    Files.writeString(home.resolve("precious"), "data");
    refused("is not empty", "--dir", home.toString());
    assertThat(home.resolve("precious")).exists();
  }

  @Test
  void explainsStoreThatCannotOpen() {
    Result unknown = small("--options", "colour=blue");
    assertThat(unknown.exitCode()).isEqualTo(1);
    assertThat(unknown.out()).contains("no option colour").doesNotContain("p99");
    assertThat(unknown.err()).doesNotContain("\tat ");

    Result none = run(
        "--store",
        "none",
        "--dir",
        home.resolve("store").toString(),
        "--json",
        home.resolve("report.json").toString());
    assertThat(none.exitCode()).isEqualTo(1);
    assertThat(none.out()).contains("no store named none");
    assertThat(none.err()).doesNotContain("\tat ");
  }

  @Test
  void helpNamesTheOptions() {
    Result result = run("--help");

    assertThat(result.exitCode()).isZero();
    assertThat(result.out()).contains("--data-integrity").contains("--value-size");
  }

  private Result small(String... more) {
    List<String> arguments = new ArrayList<>(List.of(
        "--store",
        "model",
        "--records",
        "1000",
        "--operations",
        "1000",
        "--threads",
        "2",
        "--durability",
        "sync",
        "--dir",
        home.resolve("store").toString(),
        "--json",
        home.resolve("report.json").toString()));
    arguments.addAll(List.of(more));
    return run(arguments.toArray(String[]::new));
  }

  private void refused(String message, String... arguments) {
    Result result = run(arguments);
    assertThat(result.exitCode()).as(result.toString()).isEqualTo(2);
    assertThat(result.err()).contains(message).contains("--help").doesNotContain("\tat ");
  }

  private static Result run(String... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int exitCode = YcsbLauncher.execute(
        new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8), arguments);
    return new Result(exitCode, out.toString(UTF_8), err.toString(UTF_8));
  }

  private JsonNode json() throws IOException {
    return new ObjectMapper().readTree(home.resolve("report.json").toFile());
  }
}
