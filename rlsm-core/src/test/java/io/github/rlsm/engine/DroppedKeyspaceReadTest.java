// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.base.KeyspacePrefix;
import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.kv.Durability;
import io.github.rlsm.log.ValueLog;
import io.github.rlsm.version.VersionEdit;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** A read that asked for its keyspace before it was dropped, and looks when its values are gone. */
class DroppedKeyspaceReadTest {

  private static final byte[] KEY = {1};

  @Test
  void findsNothing() {
    SimulatedDirectory directory = new SimulatedDirectory();
    ManualScheduler scheduler = new ManualScheduler();
    EngineParts parts = EngineOpening.open(
        directory,
        CollectRun.SETTINGS,
        new Environment(() -> 0, new SplittableRandom(1), scheduler));
    Engine engine = new Engine(parts);
    int id = engine.keyspace("gone");
    byte[] prefix = KeyspacePrefix.of(id);
    byte[] value = new byte[500];
    engine.put(prefix, KEY, 0, KEY.length, value, 0, value.length, Durability.OS);
    int segment = ValueLog.numberOf(parts.views.memory().get(0).log());
    parts.writes.seal();
    while (scheduler.runFlushTask()) {
      // One after the other.
    }
    assertThat(engine.get(prefix, KEY, 0, KEY.length)).isEqualTo(value);
    engine.dropKeyspace(id);
    parts.versions.install(VersionEdit.builder().removeSegment(segment).build());
    parts.views.refresh();
    while (scheduler.runFlushTask()) {
      // The segment is deleted.
    }
    assertThat(directory.list()).noneMatch(name -> name.equals("val-00000001.log"));
    assertThat(engine.get(prefix, KEY, 0, KEY.length)).isNull();
    engine.close();
  }
}
