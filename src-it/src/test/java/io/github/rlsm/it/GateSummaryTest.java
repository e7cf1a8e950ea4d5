// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs {@code config/gate/GateSummary.java}, the end of {@code ./check}, on made-up reports. */
class GateSummaryTest {

  private static final String PASSED = "<testcase name=\"passes\"/>";
  private static final String FAILED = "<testcase name=\"fails\"><failure/></testcase>";

  @TempDir
  static Path classes;

  @TempDir
  Path project;

  private Path programs;

  /** The exit code and the last line of the summary. */
  private record Result(int exitCode, String lastLine) {}

  @BeforeAll
  static void compile() {
    String source = Path.of("..", "config", "gate", "GateSummary.java").toString();
    int failed = ToolProvider.getSystemJavaCompiler()
        .run(null, null, null, "-d", classes.toString(), source);
    assertThat(failed).isZero();
  }

  @BeforeEach
  void createDirectories() throws IOException {
    programs = Files.createDirectories(project.resolve("programs"));
  }

  @Test
  void passesWithTestsThatPassed() throws Exception {
    report("OneTest", PASSED);
    assertThat(summary("0")).isEqualTo(new Result(0, "GATE PASSED"));
  }

  @Test
  void failsIfMavenFailedThoughNoTestFailed() throws Exception {
    report("OneTest", PASSED);
    assertThat(summary("1")).isEqualTo(new Result(1, "GATE FAILED: Maven ended with 1"));
    assertThat(summary("137")).isEqualTo(new Result(1, "GATE FAILED: Maven ended with 137"));
  }

  @Test
  void failsWithFailedTests() throws Exception {
    report("OneTest", PASSED + FAILED);
    assertThat(summary("1"))
        .isEqualTo(new Result(1, "GATE FAILED: Maven ended with 1; 1 failed tests"));
    assertThat(summary("0")).isEqualTo(new Result(1, "GATE FAILED: 1 failed tests"));
  }

  @Test
  void failsWithoutReports() throws Exception {
    assertThat(summary("0")).isEqualTo(new Result(1, "GATE FAILED: no test ran"));
  }

  @Test
  void failsWithReportThatCannotBeRead() throws Exception {
    report("OneTest", "<testcase");
    Result result = summary("0");
    assertThat(result.exitCode()).isEqualTo(1);
    assertThat(result.lastLine()).startsWith("GATE FAILED: the summary of the tests failed: ");
  }

  @Test
  void failsIfRequiredTestNeedsProgramThatIsInstalled() throws Exception {
    report("FullDiskTest", PASSED + skipped("needs the program mkfs.xfs"));
    assertThat(summary("0")).isEqualTo(new Result(0, "GATE PASSED"));
    assertThat(Files.createFile(programs.resolve("mkfs.xfs")).toFile().setExecutable(true))
        .isTrue();
    assertThat(summary("0"))
        .isEqualTo(new Result(
            1, "GATE FAILED: FullDiskTest was skipped without need (needs the program mkfs.xfs)"));
  }

  @Test
  void failsIfRequiredTestNeedsFileSystemThatTheKernelHas() throws Exception {
    Machine.needsFileSystem("proc");
    report("FullDiskTest", PASSED + skipped("needs the file system none-such"));
    assertThat(summary("0").exitCode()).isZero();
    report("FullDiskTest", PASSED + skipped("needs the file system proc"));
    assertThat(summary("0").exitCode()).isEqualTo(1);
  }

  @Test
  void failsIfRequiredTestNeedsRightsThatTheProcessHas() throws Exception {
    Machine.needsRoot();
    report("LoopDeviceTest", PASSED + skipped("needs Linux and root (CAP_SYS_ADMIN)"));
    assertThat(summary("0").exitCode()).isEqualTo(1);
  }

  @Test
  void failsIfRequiredTestNeedsLoopDevicesThatExist() throws Exception {
    Machine.needsLoopDevices();
    report("LoopDeviceTest", PASSED + skipped("needs loop devices"));
    assertThat(summary("0").exitCode()).isEqualTo(1);
  }

  @Test
  void failsIfRequiredTestIsSkippedForAnotherReason() throws Exception {
    report("SystemCallOrderTest", PASSED + skipped("is slow"));
    assertThat(summary("0"))
        .isEqualTo(
            new Result(1, "GATE FAILED: SystemCallOrderTest was skipped without need (is slow)"));
  }

  @Test
  void passesIfAnotherTestIsSkipped() throws Exception {
    report("OneTest", PASSED + skipped("is slow"));
    assertThat(summary("0")).isEqualTo(new Result(0, "GATE PASSED"));
  }

  private static String skipped(String reason) {
    return "<testcase name=\"skips\"><skipped message=\"Assumption failed: " + reason
        + "\"/></testcase>";
  }

  private void report(String testClass, String cases) throws IOException {
    Path folder = Files.createDirectories(project.resolve("module/target/surefire-reports"));
    Files.writeString(
        folder.resolve("TEST-" + testClass + ".xml"),
        "<testsuite name=\"a." + testClass + "\" time=\"1.5\" tests=\"2\">" + cases
            + "</testsuite>",
        UTF_8);
  }

  private Result summary(String status) throws IOException, InterruptedException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    ProcessBuilder builder = new ProcessBuilder(
            java, "-XX:TieredStopAtLevel=1", "-cp", classes.toString(), "GateSummary", status)
        .directory(project.toFile())
        .redirectErrorStream(true);
    builder.environment().put("CI", "true");
    builder.environment().put("PATH", programs.toString());
    Process process = builder.start();
    List<String> lines =
        new String(process.getInputStream().readAllBytes(), UTF_8).lines().toList();
    return new Result(process.waitFor(), lines.get(lines.size() - 1));
  }
}
