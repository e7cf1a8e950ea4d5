// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package site.ycsb.db.rlsm;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The unmodified YCSB client loads and runs the binding in processes of its own. */
class StockClientTest {

  @TempDir
  Path directory;

  @Test
  void loadsAndRunsWithDataIntegrity() throws Exception {
    String loaded = ycsb("-load");
    assertThat(loaded).contains("[INSERT], Return=OK, 1000").doesNotContain("FAILED");

    String run = ycsb("-t");
    assertThat(run)
        .containsPattern("\\[VERIFY], Return=OK, \\d+")
        .containsPattern("\\[READ], Return=OK, \\d+")
        .containsPattern("\\[UPDATE], Return=OK, \\d+")
        .containsPattern("\\[SCAN], Return=OK, \\d+")
        .containsPattern("\\[INSERT], Return=OK, \\d+")
        .containsPattern("\\[READ-MODIFY-WRITE], Operations, \\d+")
        .doesNotContain("FAILED")
        .doesNotContain("Return=ERROR")
        .doesNotContain("Return=NOT_FOUND")
        .doesNotContain("UNEXPECTED_STATE");
  }

  private String ycsb(String mode) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-cp",
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
        "site.ycsb.Client",
        mode,
        "-threads",
        "2",
        "-db",
        RlsmClient.class.getName()));
    for (String property : List.of(
        "workload=site.ycsb.workloads.CoreWorkload",
        "rlsm.store=rlsm",
        "rlsm.dir=" + directory.resolve("store"),
        "rlsm.durability=OS",
        "recordcount=1000",
        "operationcount=2000",
        "dataintegrity=true",
        "readproportion=0.4",
        "updateproportion=0.2",
        "insertproportion=0.1",
        "scanproportion=0.1",
        "readmodifywriteproportion=0.2",
        "requestdistribution=zipfian",
        "maxscanlength=20")) {
      command.addAll(List.of("-p", property));
    }
    Path output = directory.resolve("output" + mode);
    Process process = new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(output.toFile())
        .start();
    int exitCode = process.waitFor();
    String text = Files.readString(output, UTF_8);
    assertThat(exitCode).as(text).isZero();
    return text;
  }
}
