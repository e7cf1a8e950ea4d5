// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package site.ycsb.db.rlsm;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.LogDevice;
import io.github.rlsm.shipped.JarLinkage;
import io.github.rlsm.shipped.Program;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the binding in the unmodified YCSB client, with the command of README.md. The class path has
 * only the jars of YCSB's release and the drop-in jar.
 */
class StockClientIT {

  private static final Path JAR = Program.jar("dropin");
  private static final Path YCSB = Path.of("target", "stock-ycsb");

  /** Prefix of the engine's options. */
  private static final String OPTION = ClientSettings.OPTION_PREFIX;

  @TempDir
  Path directory;

  private List<Path> beside = List.of();

  @BeforeEach
  void findYcsb() throws IOException {
    beside = Program.jars(YCSB);
    assertThat(beside).as("jars of YCSB in %s", YCSB).hasSize(5);
  }

  @Test
  void jarLacksNoClassThatOurCodeNames() throws IOException {
    assertThat(JarLinkage.missing(JAR, beside, "io/github/rlsm/", "site/ycsb/db/rlsm/"))
        .isEmpty();
  }

  @Test
  void loadsAndRunsWithDataIntegrity() throws Exception {
    loadAndRun();
  }

  @Test
  void runsWithShardsAndWarnsOfMissingPinning() throws Exception {
    assertThat(loadAndRun(OPTION + "shards=2", OPTION + "pinShards=true"))
        .contains("net.openhft:affinity");
  }

  @Test
  void compressesByLz4() throws Exception {
    loadAndRun(
        OPTION + "compression=LZ4",
        OPTION + "memtable=SKIP_LIST",
        OPTION + "verifyChecksums=EVERY_READ",
        OPTION + "memoryBudget=8m",
        OPTION + "separationThreshold=200");
  }

  @Test
  void compressesWithZstandardAndDirectLog() throws Exception {
    Path device = directory.resolve("device");
    LogDevice.at(device).init(16 << 20, Set.of());
    loadAndRun(
        "rlsm.durability=SYNC",
        OPTION + "compression=ZSTD",
        OPTION + "memtable=MULTI_INSERT",
        OPTION + "directLog=" + device,
        OPTION + "pageBytes=8192",
        OPTION + "filterBitsPerKey=12");
  }

  /** Loads and runs. Returns the output of both. */
  private String loadAndRun(String... properties) throws IOException, InterruptedException {
    String loaded = ycsb("-load", properties);
    assertThat(loaded).contains("[INSERT], Return=OK, 1000").doesNotContain("FAILED");
    String run = ycsb("-t", properties);
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
    return loaded + run;
  }

  private String ycsb(String mode, String... properties) throws IOException, InterruptedException {
    List<Path> classPath = new ArrayList<>(beside);
    classPath.add(JAR);
    List<String> arguments = new ArrayList<>(List.of(
        "-cp",
        Program.classPath(classPath),
        "site.ycsb.Client",
        mode,
        "-threads",
        "2",
        "-db",
        RlsmClient.class.getName()));
    List<String> all = new ArrayList<>(List.of(
        "workload=site.ycsb.workloads.CoreWorkload",
        "rlsm.dir=" + directory.resolve("store"),
        "rlsm.settle=true",
        "recordcount=1000",
        "operationcount=2000",
        "dataintegrity=true",
        "readproportion=0.4",
        "updateproportion=0.2",
        "insertproportion=0.1",
        "scanproportion=0.1",
        "readmodifywriteproportion=0.2",
        "requestdistribution=zipfian",
        "maxscanlength=20"));
    all.addAll(List.of(properties));
    for (String property : all) {
      arguments.addAll(List.of("-p", property));
    }
    Program client = Program.java(directory, arguments.toArray(new String[0]));
    assertThat(client.exitCode()).as(client.output()).isZero();
    return client.output();
  }
}
