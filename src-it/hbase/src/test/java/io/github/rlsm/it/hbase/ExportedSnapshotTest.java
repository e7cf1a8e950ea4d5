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
 * Exports and imports a snapshot with HBase's {@code ExportSnapshot}, with and without separated
 * values. The output is kept in {@code target/hbase}.
 */
@EnabledForJreRange(
    max = JRE.JAVA_22,
    disabledReason = "HBase 2.6.1 brings a Hadoop whose UserGroupInformation calls"
        + " Subject.getSubject, which Java 23 and later refuse (HADOOP-19212)")
@EnabledIfSystemProperty(
    named = "rlsm.hbase",
    matches = "all",
    disabledReason = "takes three minutes; enable it with -Drlsm.hbase=all")
class ExportedSnapshotTest {

  @ParameterizedTest
  @ValueSource(strings = {"0", "1000"})
  void importedSnapshotHasAllRows(String separatedBytesMin)
      throws IOException, InterruptedException {
    Path folder = Files.createDirectories(Path.of("target", "hbase", "export-" + separatedBytesMin))
        .toAbsolutePath();
    HBaseTestJvm.Ended ended = new HBaseTestJvm(folder)
        .execute(List.of(ExportedSnapshot.class.getName(), separatedBytesMin));
    assertThat(ended.code()).as("see %s", ended.output()).isZero();
    assertThat(Files.readString(ended.output()))
        .contains("after the import: 2000 rows, 0 problems")
        .contains("after a major compaction: 2000 rows, 0 problems");
  }
}
