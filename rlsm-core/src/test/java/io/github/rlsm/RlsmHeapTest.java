// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.io.SimulatedDirectory;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests how much heap the memory components of a store take. */
class RlsmHeapTest {

  private static final int SEGMENT_BYTES = 16 << 20;

  /** Arrays for this many entries take about 3 MiB. */
  private static final int ENTRIES_MAX = SEGMENT_BYTES / 128;

  private static final long FULL_BYTES = 24L * ENTRIES_MAX;

  private final SimulatedDirectory directory = new SimulatedDirectory();
  private final InlineScheduler scheduler = new InlineScheduler();
  private final RlsmStore store = RlsmStore.open(
      directory,
      RlsmOptions.builder().logSegmentBytes(SEGMENT_BYTES).build(),
      scheduler.environmentOf(7));

  @AfterEach
  void close() {
    store.close();
    assertThat(directory.openHandles()).isEmpty();
  }

  /** Heap bytes of all components, with spare arrays for the next one. */
  private long heapBytes() {
    return store.stats().resources().memoryBytes().get("memory components");
  }

  private void put(int entries, int valueBytes) {
    for (int i = 0; i < entries; i++) {
      store.put(ByteBuffer.allocate(4).putInt(i).array(), new byte[valueBytes]);
    }
  }

  @Test
  void newStoreTakesAsMuchAsItsShortSegmentsNeed() {
    assertThat(heapBytes()).isLessThan(FULL_BYTES);
    put(1, 100);
    assertThat(heapBytes()).isLessThan(FULL_BYTES);
  }

  @Test
  void componentsGrowWithTheirSegments() {
    put(4 * ENTRIES_MAX, 100);
    assertThat(heapBytes()).isGreaterThanOrEqualTo(FULL_BYTES);
  }

  @Test
  void componentsOfLongValuesHaveFewEntries() {
    put(ENTRIES_MAX, 1_000);
    assertThat(heapBytes()).isLessThan(FULL_BYTES);
  }

  @Test
  void idleStoreReplacesLargeComponent() {
    put(4 * ENTRIES_MAX, 100);
    scheduler.elapse();
    scheduler.elapse();
    assertThat(heapBytes()).isLessThan(FULL_BYTES / 2);
    assertThat(store.get(ByteBuffer.allocate(4).putInt(1).array())).hasSize(100);
  }
}
