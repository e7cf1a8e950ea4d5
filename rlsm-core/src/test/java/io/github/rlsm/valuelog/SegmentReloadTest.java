// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.valuelog;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.io.MappedFile;
import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.io.StoreFileName;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests how many moved segments are loaded into memory again. */
class SegmentReloadTest {

  private static final int BYTES = 100;

  private final SimulatedDirectory directory = new SimulatedDirectory();
  private final SegmentReload reload = new SegmentReload();
  private final List<Integer> loaded = new ArrayList<>();
  private int loadedMax = Integer.MAX_VALUE;
  private int freed;

  /** Loads while this much memory is free. Returns the numbers of the loaded segments. */
  private List<Integer> loadedInto(long free) {
    loaded.clear();
    reload.run(() -> loaded.size() < loadedMax, () -> free, number -> {
      loaded.add(number);
      return BYTES;
    });
    return List.copyOf(loaded);
  }

  private void delete(int number, boolean isInMemory) {
    directory.pageCache().holdsAll(isInMemory);
    MappedFile file = directory.createMapped(StoreFileName.valueLog(number), BYTES);
    reload.willDelete(number, file);
    file.close();
    reload.deleted();
  }

  @Test
  void loadsMovedSegmentsInTheirOrderIntoFreeMemory() {
    for (int number = 11; number <= 15; number++) {
      reload.add(number, BYTES);
    }
    assertThat(loadedInto(BYTES)).containsExactly(11);
    assertThat(loadedInto(10 * BYTES)).as("nothing was freed since").isEmpty();
    delete(1, true);
    delete(2, true);
    assertThat(loadedInto(10 * BYTES)).containsExactly(12, 13);
    delete(3, true);
    assertThat(loadedInto(0)).isEmpty();
  }

  @Test
  void loadsNoMoreThanLeftMemory() {
    reload.add(11, BYTES);
    reload.add(12, BYTES);
    reload.skip();
    delete(1, false);
    assertThat(loadedInto(10 * BYTES)).isEmpty();
    delete(2, true);
    assertThat(loadedInto(10 * BYTES)).containsExactly(11);
  }

  @Test
  void stopsWhenItIsNoLongerWanted() {
    for (int number = 11; number <= 14; number++) {
      reload.add(number, BYTES);
    }
    loadedMax = 2;
    assertThat(loadedInto(10 * BYTES)).containsExactly(11, 12);
    reload.add(15, 4 * BYTES);
    loadedMax = 10;
    assertThat(loadedInto(10 * BYTES)).as("the others later").containsExactly(13, 14, 15);
  }

  @Test
  void loadsNoDeletedSegment() {
    reload.add(11, BYTES);
    reload.add(12, BYTES);
    delete(11, true);
    assertThat(loadedInto(10 * BYTES)).containsExactly(12);
  }

  @Test
  void reportsFreedMemoryOnceAllDeletionsAreDone() {
    reload.whenFreed(() -> freed++);
    delete(1, true);
    assertThat(freed).as("no segment is to be loaded").isZero();
    reload.add(11, BYTES);
    reload.run(() -> true, () -> 0, number -> BYTES);
    directory.pageCache().holdsAll(true);
    MappedFile one = directory.createMapped(StoreFileName.valueLog(2), BYTES);
    MappedFile other = directory.createMapped(StoreFileName.valueLog(3), BYTES);
    reload.willDelete(2, one);
    reload.willDelete(3, other);
    reload.deleted();
    assertThat(freed).isZero();
    reload.deleted();
    assertThat(freed).isEqualTo(1);
  }
}
