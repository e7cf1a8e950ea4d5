// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.base.PartHeader;
import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.io.StoreFileName;
import io.github.rlsm.kv.Durability;
import io.github.rlsm.kv.KvStore;
import io.github.rlsm.kv.WriteBatch;
import io.github.rlsm.shard.parts.PartLog;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests which segments of a store are in large pages. */
class RlsmLargePagesTest {

  private static final byte[] VALUE = new byte[2_000];
  private static final byte[] SMALL_VALUE = new byte[10];
  private static final RlsmOptions OPTIONS =
      RlsmOptions.builder().separationThreshold(1_000).build();

  private final SimulatedDirectory directory = new SimulatedDirectory();
  private final RlsmStore store =
      RlsmStore.open(directory, OPTIONS, InlineScheduler.environment(5));

  private int puts;

  @AfterEach
  void close() {
    store.close();
    assertThat(directory.openHandles()).isEmpty();
  }

  private static byte[] key(int i) {
    return ByteBuffer.allocate(4).putInt(i).array();
  }

  private void put(Durability durability) {
    store.put(key(puts++), VALUE, durability);
  }

  private List<String> log() {
    return directory.pageCache().inLargePages().stream()
        .filter(directory::exists)
        .toList();
  }

  /** Fills the active value segment by more than the part that is never in large pages. */
  private void fill() {
    put(20_000);
  }

  private void put(int count) {
    for (int i = 0; i < count; i++) {
      put(Durability.OS);
    }
  }

  @Test
  void firstForceReplacesSegmentsInLargePages() {
    fill();
    assertThat(log()).isNotEmpty();
    put(Durability.SYNC);
    assertThat(log()).isEmpty();
    fill();
    assertThat(log()).isEmpty();
    assertThat(store.get(key(puts - 1))).isEqualTo(VALUE);
  }

  /**
   * Another thread may flush the active generation meanwhile, and truncate or close its segments.
   */
  @ParameterizedTest
  @EnumSource(names = {"WRITE_AHEAD_LOG", "VALUE_LOG"})
  void firstForceMeetsAFlush(StoreFileName.Type segment) {
    store.put(key(1), SMALL_VALUE, Durability.OS);
    store.put(key(2), VALUE, Durability.OS);
    directory.pageCache().onSinglePages(segment, () -> {
      store.flush();
      store.settle();
    });
    store.put(key(3), SMALL_VALUE, Durability.SYNC);
    assertThat(store.get(key(1))).isEqualTo(SMALL_VALUE);
    assertThat(store.get(key(2))).isEqualTo(VALUE);
    assertThat(store.get(key(3))).isEqualTo(SMALL_VALUE);
  }

  @Test
  void forcesOfLittleDataReplaceThemToo() {
    fill();
    store.sync();
    for (int i = 0; i < 7; i++) {
      put(Durability.OS);
      store.sync();
      store.sync();
    }
    assertThat(log()).isNotEmpty();
    put(Durability.OS);
    store.sync();
    assertThat(log()).isEmpty();
    fill();
    assertThat(log()).isEmpty();
  }

  /** The replacement could wait for a flush, and so for other stores. */
  @Test
  void forcesOfPartsDoNot() {
    store.close();
    PartLog.Opening opening =
        RlsmPartLog.prepare(directory, OPTIONS, InlineScheduler.environment(5));
    opening.survey();
    PartLog.Opening.Opened opened = opening.open(PartLog.Opening.WHOLE, gsn -> {});
    try (KvStore shard = opened.store()) {
      for (int i = 0; i < 20_000; i++) {
        shard.put(key(i), VALUE, Durability.OS);
      }
      shard.sync();
      for (int i = 1; i <= 8; i++) {
        WriteBatch part = new WriteBatch().put(key(i), VALUE);
        opened.parts().write(part, new PartHeader(i, List.of(0, 1)), () -> true);
        opened.parts().force();
      }
      assertThat(log()).isNotEmpty();
    }
  }

  /** No background thread would flush the replaced generation. */
  @Test
  void forceOfTheCloseDoesNot() {
    fill();
    store.sync();
    for (int i = 0; i < 7; i++) {
      put(Durability.OS);
      store.sync();
    }
    put(Durability.OS);
    store.close();
    assertThat(log()).isNotEmpty();
  }

  @Test
  void forcesOfMuchDataDoNot() {
    fill();
    for (int i = 0; i < 10; i++) {
      put(1_500);
      store.sync();
    }
    assertThat(log()).isNotEmpty();
  }

  @Test
  void flushedValueSegmentsAreNot() {
    fill();
    store.settle();
    assertThat(log()).noneMatch(name -> name.startsWith("val-"));
  }
}
