// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package site.ycsb.db.rlsm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rlsm.kv.Durability;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import site.ycsb.DBException;

class ClientSettingsTest {

  @Test
  void usesDefaultsOfStore() throws DBException {
    ClientSettings settings = from("rlsm.dir", "/data/../data");

    assertThat(settings)
        .isEqualTo(new ClientSettings(
            "rlsm", Path.of("/data").toAbsolutePath(), null, Map.of(), false, false));
  }

  @Test
  void readsEveryProperty() throws DBException {
    ClientSettings settings = from(
        "rlsm.dir", "/data",
        "rlsm.store", "other",
        "rlsm.durability", "sync",
        "rlsm.options.memoryBudget", "64m",
        "rlsm.settle", "TRUE",
        "rlsm.blindupdates", "true",
        "recordcount", "1000");

    assertThat(settings)
        .isEqualTo(new ClientSettings(
            "other",
            Path.of("/data").toAbsolutePath(),
            Durability.SYNC,
            Map.of("memoryBudget", "64m"),
            true,
            true));
  }

  @Test
  void namesWrongProperty() {
    refused("rlsm.dir is missing");
    refused("rlsm.dir is missing", "rlsm.dir", " ");
    refused("unknown property rlsm.durabilty", "rlsm.dir", "/d", "rlsm.durabilty", "SYNC");
    refused("unknown property rlsm.options.", "rlsm.dir", "/d", "rlsm.options.", "x");
    refused("legal values are [BUFFERED, OS, SYNC]", "rlsm.dir", "/d", "rlsm.durability", "fsync");
    refused("rlsm.settle is yes", "rlsm.dir", "/d", "rlsm.settle", "yes");
    refused("not a path", "rlsm.dir", "\0");
  }

  private static void refused(String message, String... namesAndValues) {
    assertThatThrownBy(() -> from(namesAndValues))
        .isInstanceOf(DBException.class)
        .hasMessageContaining(message);
  }

  private static ClientSettings from(String... namesAndValues) throws DBException {
    Properties properties = new Properties();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      properties.setProperty(namesAndValues[i], namesAndValues[i + 1]);
    }
    return ClientSettings.from(properties);
  }
}
