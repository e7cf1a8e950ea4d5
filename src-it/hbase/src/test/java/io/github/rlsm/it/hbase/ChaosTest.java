// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.it.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.condition.JRE;

/**
 * Runs {@link ChaosCluster} for {@code -Drlsm.hbase.chaos} minutes. {@code rlsm.seed} replays the
 * choices. {@code -Drlsm.hbase.list=HBASE} writes the linked list of HBase's integration test. The
 * output is kept in {@code target/hbase/chaos}.
 */
@EnabledForJreRange(
    max = JRE.JAVA_22,
    disabledReason = "HBase 2.6.1 brings a Hadoop whose UserGroupInformation calls"
        + " Subject.getSubject, which Java 23 and later refuse (HADOOP-19212)")
@EnabledIfSystemProperty(
    named = "rlsm.hbase.chaos",
    matches = "[1-9][0-9]*",
    disabledReason = "disturbs an HBase cluster; enable it with -Drlsm.hbase.chaos=MINUTES")
class ChaosTest {

  /** The cluster needs this long to start, and for a generation that began before the end. */
  private static final int EXTRA_MINUTES = 15;

  @Test
  void disturbedClusterLosesNoAcknowledgedRow() throws IOException, InterruptedException {
    long seed = Long.getLong("rlsm.seed", System.nanoTime());
    int minutes = Integer.getInteger("rlsm.hbase.chaos");
    System.out.println("-Drlsm.seed=" + seed);
    Path folder = Files.createDirectories(Path.of("target", "hbase", "chaos")).toAbsolutePath();
    HBaseTestJvm.Ended ended = new HBaseTestJvm(folder)
        .execute(
            List.of(
                ChaosCluster.class.getName(),
                Integer.toString(minutes),
                Long.toString(seed),
                System.getProperty("rlsm.hbase.list", ChaosCluster.Kind.OWN.name())),
            minutes + EXTRA_MINUTES);
    List<String> generations = Files.readString(ended.output(), StandardCharsets.UTF_8)
        .lines()
        .filter(line -> line.startsWith(ChaosCluster.GENERATION))
        .toList();
    generations.forEach(System.out::println);
    assertThat(ended.code()).as("see %s", ended.output()).isZero();
    assertThat(generations).isNotEmpty();
  }
}
