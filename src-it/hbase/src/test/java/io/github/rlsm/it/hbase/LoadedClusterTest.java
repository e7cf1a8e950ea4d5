// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.it.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.hbase.config.StoreSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Runs HBase's load tools against a {@link LoadedCluster}: three region servers over a MiniDFS,
 * with the engine set cluster-wide. Servers are killed under load, {@code -Drlsm.hbase.kills}
 * times. Each tool runs once without and once with separation of all values. The output is kept in
 * {@code target/hbase}.
 */
@EnabledForJreRange(
    max = JRE.JAVA_22,
    disabledReason = "HBase 2.6.1 brings a Hadoop whose UserGroupInformation calls"
        + " Subject.getSubject, which Java 23 and later refuse (HADOOP-19212)")
@EnabledIfSystemProperty(
    named = "rlsm.hbase.kills",
    matches = "[1-9][0-9]*",
    disabledReason = "starts an HBase cluster; enable it with -Drlsm.hbase.kills=N")
class LoadedClusterTest {

  @ParameterizedTest
  @CsvSource({
    "LOAD_TEST_TOOL, 0",
    "LOAD_TEST_TOOL, 1",
    "PERFORMANCE_EVALUATION, 0",
    "PERFORMANCE_EVALUATION, 1"
  })
  void loadToolsRunClean(String load, String separatedBytesMin)
      throws IOException, InterruptedException {
    Path folder = Files.createDirectories(
            Path.of("target", "hbase", load + "-" + separatedBytesMin))
        .toAbsolutePath();
    HBaseTestJvm.Ended ended = new HBaseTestJvm(
            folder, Map.of(StoreSettings.SEPARATED_BYTES, separatedBytesMin))
        .execute(
            List.of(LoadedCluster.class.getName(), load, System.getProperty("rlsm.hbase.kills")));
    assertThat(ended.code()).as("see %s", ended.output()).isZero();
  }
}
