// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.valuelog;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.io.Fault;
import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.io.StoreFileName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests which holes are punched, and how they are counted. */
@Tag("optimized")
class SegmentHolesTest {

  private static final int UNIT = 64;
  private static final int SEGMENT = 7;
  private static final String NAME = StoreFileName.valueLog(SEGMENT);

  private final SimulatedDirectory directory = new SimulatedDirectory();
  private long nanos;
  private long nanosPerLook;

  @BeforeEach
  void makeSegment() {
    directory.holeBytes(UNIT);
    directory.createMapped(NAME, 100 * UNIT).close();
  }

  private SegmentHoles holes() {
    return new SegmentHoles(directory, () -> nanos += nanosPerLook);
  }

  /** Returns a hole of the given number of units. */
  private static long hole(int from, int units) {
    return (((long) from * UNIT) << Integer.SIZE) | ((long) (from + units) * UNIT);
  }

  private int punched() {
    return 100 * UNIT - (int) directory.usedBytes(NAME);
  }

  @Test
  void promisedHolesCountAtOnce() {
    SegmentHoles holes = holes();
    holes.promise(Map.of(SEGMENT, 3L * UNIT));
    assertThat(holes.bytes(SEGMENT)).isEqualTo(3 * UNIT);
    holes.punch(SEGMENT, new long[] {hole(1, 1), hole(5, 2)});
    assertThat(holes.bytes(SEGMENT)).isEqualTo(3 * UNIT).isEqualTo(punched());
    assertThat(holes.punchedBytes()).isEqualTo(3 * UNIT);
  }

  @Test
  void holesOfAnEarlierOpeningCount() {
    holes().punch(SEGMENT, new long[] {hole(1, 4)});
    SegmentHoles next = holes();
    next.promise(Map.of(SEGMENT, (long) UNIT));
    assertThat(next.bytes(SEGMENT)).isEqualTo(5 * UNIT);
  }

  @Test
  void concurrentPromisesAllCount() throws InterruptedException {
    SegmentHoles holes = holes();
    int threads = 4;
    int promises = 10_000;
    CyclicBarrier start = new CyclicBarrier(threads);
    List<Thread> promisers = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      Thread promiser = new Thread(() -> {
        awaitAll(start);
        for (int j = 0; j < promises; j++) {
          holes.promise(Map.of(SEGMENT, 1L));
        }
      });
      promisers.add(promiser);
      promiser.start();
    }
    for (Thread promiser : promisers) {
      promiser.join();
    }
    assertThat(holes.bytes(SEGMENT)).isEqualTo((long) threads * promises);
  }

  private static void awaitAll(CyclicBarrier barrier) {
    try {
      barrier.await();
    } catch (InterruptedException | BrokenBarrierException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void lengthsThatArePunchedTooSlowlyAreLeftOut() {
    SegmentHoles holes = holes();
    assertThat(holes.bytesOfValue(3 * UNIT)).isEqualTo(2 * UNIT);
    nanosPerLook = 3 * 2 * UNIT + 1;
    holes.punch(SEGMENT, new long[] {hole(1, 2)});
    assertThat(holes.bytesOfValue(3 * UNIT)).isZero();
    assertThat(holes.bytesOfValue(5 * UNIT)).isEqualTo(4 * UNIT);
    holes.promise(Map.of(SEGMENT, 9L * UNIT));
    holes.punch(SEGMENT, new long[] {hole(10, 3), hole(20, 6)});
    assertThat(punched()).isEqualTo(8 * UNIT);
    assertThat(holes.bytes(SEGMENT)).as("without the short hole").isEqualTo(8 * UNIT);
  }

  @Test
  void punchingStopsWhenItIsTooSlow() {
    SegmentHoles holes = holes();
    nanosPerLook = 1_000_000;
    long[] ranges = new long[45];
    for (int i = 0; i < ranges.length; i++) {
      ranges[i] = hole(2 * i, 1);
    }
    holes.punch(SEGMENT, ranges);
    assertThat(punched()).isEqualTo(32 * UNIT);
  }

  @Test
  void aFullDeviceGetsNoHoles() {
    SegmentHoles holes = holes();
    holes.promise(Map.of(SEGMENT, 3L * UNIT));
    directory.failAt(directory.eventCount(), Fault.NO_SPACE, false);
    holes.punch(SEGMENT, new long[] {hole(1, 3)});
    assertThat(punched()).isZero();
    assertThat(holes.bytes(SEGMENT)).isZero();
    assertThat(holes.bytesOfValue(1 << 20)).as("later holes").isPositive();
  }

  @Test
  void fileSystemWithoutHolesReportsNone() {
    directory.holeBytes(0);
    SegmentHoles none = holes();
    assertThat(none.bytesOfValue(1 << 20)).isZero();
    assertThat(none.bytes(SEGMENT)).isZero();
  }
}
