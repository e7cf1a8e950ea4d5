// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.io.SimulatedPageCache.ReadAhead;
import io.github.rlsm.kv.Durability;
import io.github.rlsm.thread.Environment;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * Tests when a flush requests read-ahead, in large pieces, of the segment that it reads at random.
 */
class RlsmFlushReadAheadTest {

  private static final int ENTRIES = 10_000;

  private final SimulatedDirectory directory = new SimulatedDirectory();
  private final AtomicLong clock = new AtomicLong();

  /** Flushes once. Returns the number of read-ahead requests for the write-ahead segment. */
  private long readAhead(long nanosForCall, Durability durability) {
    RlsmOptions options = RlsmOptions.builder()
        .logSegmentBytes(4 << 20)
        .memtableEntries(2 * ENTRIES)
        .build();
    Environment environment = new Environment(
        () -> clock.addAndGet(nanosForCall), new SplittableRandom(7), new InlineScheduler());
    try (RlsmStore store = RlsmStore.open(directory, options, environment)) {
      for (int i = 0; i < ENTRIES; i++) {
        byte[] key = ByteBuffer.allocate(4).putInt(i).array();
        store.put(key, key, i == 0 ? durability : Durability.OS);
      }
      store.flush();
      for (int i = 0; i < ENTRIES; i++) {
        byte[] key = ByteBuffer.allocate(4).putInt(i).array();
        assertThat(store.get(key)).isEqualTo(key);
      }
      return directory.pageCache().readAhead().stream()
          .map(ReadAhead::name)
          .filter(name -> name.startsWith("wal-"))
          .count();
    }
  }

  @Test
  void fastFlushReadsAheadOnce() {
    assertThat(readAhead(1_000, Durability.OS)).isEqualTo(1);
  }

  @Test
  void slowFlushReadsAheadRepeatedly() {
    assertThat(readAhead(1_000_000_000, Durability.OS)).isEqualTo(3);
  }

  /**
   * Read-ahead puts the file into memory in large pieces, and a later force writes a whole piece.
   */
  @Test
  void flushDoesNotReadAheadReusedSegments() {
    assertThat(readAhead(1_000_000_000, Durability.SYNC)).isZero();
  }
}
