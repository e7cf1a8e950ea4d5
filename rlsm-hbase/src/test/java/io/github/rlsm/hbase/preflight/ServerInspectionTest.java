// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.preflight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rlsm.hbase.RlsmStoreEngine;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.exceptions.DeserializationException;
import org.junit.jupiter.api.Test;

/** The parts of the inspection that need no cluster. */
class ServerInspectionTest {

  @Test
  void missingClassAndOtherVersionAreExplained() {
    assertThat(explain("java.lang.ClassNotFoundException: io.github.Engine\n\tat x.Y(Z.java:1)"))
        .isEqualTo("cannot load the engine: ClassNotFoundException: io.github.Engine");
    assertThat(explain(
            "java.lang.reflect.InvocationTargetException\n\tat x.Y(Z.java:1)\n" + "Caused by: "
                + DeserializationException.class.getName() + ": HBase 2.5.10 runs there"))
        .endsWith("DeserializationException: HBase 2.5.10 runs there");
    assertThat(explain("no permission\n\tat x.Y(Z.java:1)"))
        .startsWith("could not be probed: ")
        .endsWith("no permission");
  }

  private static String explain(String message) {
    return ServerInspection.explain(new DoNotRetryIOException(message));
  }

  @Test
  void probeLoadsTheEngineAndReadsNothing() throws DeserializationException {
    ServerProbe sent = new ServerProbe(RlsmStoreEngine.class.getName(), "2.");
    ServerProbe received = ServerProbe.parseFrom(sent.toByteArray());
    assertThat(received.toByteArray()).isEqualTo(sent.toByteArray());
    assertThat(received.filterAllRemaining()).isTrue();
  }

  @Test
  void probeFailsWithoutTheEngine() {
    byte[] missing = new ServerProbe("io.github.rlsm.Missing", "2.").toByteArray();
    assertThatThrownBy(() -> ServerProbe.parseFrom(missing))
        .isInstanceOf(DeserializationException.class)
        .hasRootCauseInstanceOf(ClassNotFoundException.class);
    byte[] other = new ServerProbe("java.lang.String", "2.").toByteArray();
    assertThatThrownBy(() -> ServerProbe.parseFrom(other))
        .isInstanceOf(DeserializationException.class);
  }

  @Test
  void probeFailsOnAnotherVersion() {
    byte[] newer = new ServerProbe(RlsmStoreEngine.class.getName(), "9.").toByteArray();
    assertThatThrownBy(() -> ServerProbe.parseFrom(newer))
        .isInstanceOf(DeserializationException.class)
        .hasMessageContaining("HBase 2.");
  }
}
