// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.it.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rlsm.bench.hbase.server.StandaloneHBase;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StandaloneHBaseTest {

  /** The lowest port that Linux gives to a socket that does not ask for one, by default. */
  private static final int EPHEMERAL_PORT_MIN = 32_768;

  private static final List<String> JVM =
      List.of("-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-ea");

  @TempDir
  Path temporary;

  /** Another process could receive such a port between the choice and the start of the server. */
  @Test
  void portsAreOutsideTheEphemeralRange() throws Exception {
    try (StandaloneHBase server = new StandaloneHBase(temporary, Map.of(), JVM)) {
      assertThat(List.of(
              "hbase.zookeeper.property.clientPort",
              "hbase.master.port",
              "hbase.regionserver.port"))
          .extracting(property -> server.client().getInt(property, EPHEMERAL_PORT_MIN))
          .allMatch(port -> port < EPHEMERAL_PORT_MIN)
          .doesNotHaveDuplicates();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"hbase.zookeeper.property.clientPort", "hbase.master.port"})
  void errorOfFailedStartContainsItsCause(String property) throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("localhost"));
        StandaloneHBase server = new StandaloneHBase(
            temporary, Map.of(property, Integer.toString(taken.getLocalPort())), JVM)) {
      assertThatThrownBy(server::start)
          .isInstanceOf(IOException.class)
          .hasMessageContainingAll("in use", server.log().toString());
    }
  }
}
