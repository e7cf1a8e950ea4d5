// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.it.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * HBase's own load tools against a {@link LoadedCluster}: three region servers over a MiniDFS, the
 * engine named cluster-wide, servers killed while loading. {@code -Drlsm.hbase.kills} says how
 * often. What is printed is kept in {@code target/hbase}.
 */
@EnabledForJreRange(
    max = JRE.JAVA_22,
    disabledReason = "HBase 2.6.1 brings a Hadoop whose UserGroupInformation calls"
        + " Subject.getSubject, which Java 23 and later refuse (HADOOP-19212)")
@EnabledIfSystemProperty(
    named = "rlsm.hbase.kills",
    matches = "[1-9][0-9]*",
    disabledReason = "starts an HBase cluster; ask for it by the number of kills")
class LoadedClusterTest {

  @ParameterizedTest
  @ValueSource(strings = {"LOAD_TEST_TOOL", "PERFORMANCE_EVALUATION"})
  void loadToolsRunClean(String load) throws IOException, InterruptedException {
    Path folder = Files.createDirectories(Path.of("target", "hbase", load)).toAbsolutePath();
    HBaseTestJvm.Ended ended = new HBaseTestJvm(folder)
        .execute(
            List.of(LoadedCluster.class.getName(), load, System.getProperty("rlsm.hbase.kills")));
    assertThat(ended.code()).as("see %s", ended.output()).isZero();
  }
}
