// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.log;

import static io.github.rlsm.log.LogFixture.NOTHING;
import static io.github.rlsm.log.LogFixture.SEGMENT_BYTES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rlsm.io.CrashStyle;
import io.github.rlsm.io.Fault;
import io.github.rlsm.io.IoEvent;
import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.kv.DiskFullException;
import io.github.rlsm.kv.ResourceExhaustedException;
import io.github.rlsm.kv.StoreFailedException;
import io.github.rlsm.kv.StoreIoException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SegmentFilesTest {

  private static final SegmentLayout.Heads HEADS =
      new SegmentLayout.Heads(LogFixture.STORE_ID, () -> 1, () -> ManifestPosition.NONE);

  /** Length of segments that are long enough for large pages. */
  private static final int LONG = 4 << 20;

  private final SimulatedDirectory directory = new SimulatedDirectory();
  private final LogFixture log = new LogFixture(directory);
  private final SegmentFiles segments = log.segments;

  private static List<String> names(LogGeneration generation) {
    return List.of(generation.file(false).name(), generation.file(true).name());
  }

  @Test
  void recyclesWriteAheadSegmentsAndKeepsValues() {
    segments.expectForces();
    log.put(true, "\0a", "value", NOTHING);
    LogGeneration first = log.generation;
    log.next();
    segments.recycle(first);
    LogGeneration third = segments.begin(log.generation.endSeqno(), 0, 0);
    assertThat(names(third)).containsExactly("wal-00000001.log", "val-00000003.log");
    assertThat(third.number()).isEqualTo(3);
    assertThat(directory.exists("val-00000001.log")).isTrue();
  }

  /** A store into a reused file waits for a read if the page has left memory. */
  @Test
  void deletesWriteAheadSegmentsThatAreNeverForced() {
    log.put(false, "\0a", "value", NOTHING);
    LogGeneration first = log.generation;
    log.next();
    segments.recycle(first);
    assertThat(directory.exists("wal-00000001.log")).isFalse();
    LogGeneration third = segments.begin(log.generation.endSeqno(), 0, 0);
    assertThat(names(third)).containsExactly("wal-00000003.log", "val-00000001.log");
  }

  @Test
  void recyclesValueSegmentsWithoutValues() {
    segments.expectForces();
    log.put(false, "\0a", "value", NOTHING);
    LogGeneration first = log.generation;
    log.next();
    segments.recycle(first);
    LogGeneration third = segments.begin(log.generation.endSeqno(), 0, 0);
    assertThat(names(third)).containsExactly("wal-00000001.log", "val-00000001.log");
  }

  @Test
  void makesLongerSegmentsForHugeRecordsAndDeletesThemAfterwards() {
    LogGeneration huge = segments.begin(0, 3 * SEGMENT_BYTES, 2 * SEGMENT_BYTES);
    assertThat(huge.file(false).length()).isEqualTo(3 * SEGMENT_BYTES);
    assertThat(huge.file(true).length()).isEqualTo(2 * SEGMENT_BYTES);
    List<String> names = names(huge);
    segments.recycle(huge);
    assertThat(directory.list()).doesNotContainAnyElementsOf(names);
    assertThat(directory.openHandles()).hasSize(2);
  }

  @Test
  void longSegmentsAreInLargePagesUntilWritersForceThem() {
    LogGeneration first = segments.begin(0, LONG, LONG);
    assertThat(directory.pageCache().inLargePages()).containsAll(names(first));
    segments.expectForces();
    LogGeneration second = segments.begin(0, LONG, LONG);
    assertThat(directory.pageCache().inLargePages()).doesNotContainAnyElementsOf(names(second));
    segments.recycle(first);
    assertThat(directory.list()).as("recycled").doesNotContain(names(first).get(0));
  }

  /** Their forces are not slow yet, so the generation goes on. */
  @Test
  void unusedLargePagesAreLeft() {
    LogGeneration begun = segments.begin(0, LONG, LONG);
    assertThat(begun.leaveLargePages()).isFalse();
    assertThat(begun.inLargePages()).isFalse();
    assertThat(directory.pageCache().inLargePages()).isEmpty();
  }

  @Test
  void largePagesMayBeUnwanted() {
    segments.useLargePages(false);
    assertThat(segments.begin(0, LONG, LONG).inLargePages()).isFalse();
    assertThat(directory.pageCache().inLargePages()).isEmpty();
    segments.useLargePages(true);
    assertThat(segments.begin(0, LONG, SEGMENT_BYTES).inLargePages()).isTrue();
    assertThat(segments.begin(0, 0, 0).inLargePages()).as("short segments").isFalse();
  }

  @Test
  void keepsFewSpares() {
    segments.expectForces();
    List<LogGeneration> generations = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      generations.add(segments.begin(0, 0, 0));
    }
    generations.forEach(segments::recycle);
    assertThat(directory.list()).hasSize(2 + 8);
  }

  @Test
  void beginUsesPreparedSegmentsWithoutCalls() {
    segments.prepare();
    segments.prepare();
    assertThat(directory.list()).hasSize(4);
    long before = directory.eventCount();
    segments.begin(0, 0, 0);
    assertThat(directory.eventCount()).isEqualTo(before);
  }

  /** Zeroes new segments only for a store that forces them, and each segment once. */
  @Test
  void writesNewSegmentsBeforeTheyAreForced() {
    List<String> forced = new ArrayList<>();
    directory.onEvent(event -> {
      if (event.kind() == IoEvent.Kind.FORCE && event.isBefore()) {
        forced.add(event.file());
      }
    });
    segments.prepare();
    assertThat(forced).isEmpty();
    assertThat(segments.expectForces()).isTrue();
    assertThat(segments.expectForces()).isFalse();
    segments.prepare();
    segments.prepare();
    assertThat(forced).containsExactly("wal-00000002.log");
    assertThat(segments.zeroedBytes()).isEqualTo(SEGMENT_BYTES);
    LogGeneration next = segments.begin(0, 0, 0);
    assertThat(names(next)).containsExactly("wal-00000002.log", "val-00000002.log");
    segments.recycle(next);
    segments.prepare();
    assertThat(forced).hasSize(1);
  }

  @Test
  void aFullDiskLeavesNoFileAndNothingOpen() {
    directory.capacity(2 * SEGMENT_BYTES + 100);
    assertThatThrownBy(segments::prepare).isInstanceOf(DiskFullException.class);
    assertThat(directory.list()).hasSize(2);
    directory.capacity(3 * SEGMENT_BYTES + 100);
    assertThatThrownBy(() -> segments.begin(0, 0, 0)).isInstanceOf(DiskFullException.class);
    assertThat(directory.openHandles()).hasSize(3);
    directory.capacity(4 * SEGMENT_BYTES);
    assertThat(names(segments.begin(0, 0, 0))).allMatch(directory::exists);
    assertThat(directory.list()).hasSize(4);
  }

  private void failNextForceOfNames(Fault fault) {
    directory.onEvent(event -> {
      if (event.kind() == IoEvent.Kind.SYNC_DIRECTORY && event.isBefore()) {
        directory.onEvent(any -> {});
        directory.failAt(event.index(), fault, false);
      }
    });
  }

  /** A second force of the directory would succeed without making the name durable. */
  @Test
  void aFileWhoseNameCouldNotBeForcedIsNeverUsed() {
    failNextForceOfNames(Fault.IO_ERROR);
    assertThatThrownBy(segments::prepare).isInstanceOf(StoreIoException.class);
    assertThat(segments.hasFailed()).isTrue();
    assertThatThrownBy(() -> segments.begin(0, 0, 0)).isInstanceOf(StoreFailedException.class);
    assertThat(directory.openHandles()).hasSize(2);
  }

  /** A directory that cannot be opened was not forced, so its next force is the first one. */
  @Test
  void aLackOfDescriptorsBeforeTheForceOfNamesPasses() {
    failNextForceOfNames(Fault.NO_DESCRIPTORS);
    assertThatThrownBy(segments::prepare).isInstanceOf(ResourceExhaustedException.class);
    assertThat(segments.hasFailed()).isFalse();
    int files = directory.list().size();
    segments.prepare();
    assertThat(directory.list()).as("the files are used").hasSize(files);
    log.next().put(false, "\0a", "1", NOTHING);
    log.generation.force(log.generation.endSeqno());
    SimulatedDirectory survivor = directory.afterCrash(CrashStyle.DROP_UNSYNCED, 1);
    assertThat(LogFixture.replay(survivor).entries).containsExactly("0 put \0a=1");
  }

  @Test
  void recoveryUsesNoFileOfAnEarlierOpeningAgain() {
    segments.prepare();
    assertThat(directory.list()).hasSize(4);
    SimulatedDirectory killed = directory.kill();
    try (LogFixture again = new LogFixture(killed)) {
      assertThat(names(again.generation)).containsExactly("wal-00000003.log", "val-00000003.log");
      assertThat(killed.list()).hasSize(2);
    }
  }

  @Test
  void linkedSpareFileIsNotWritten() {
    segments.expectForces();
    segments.prepare();
    directory.link("wal-00000002.log", "copy of wal");
    byte[] before = directory.bytes("copy of wal");
    LogGeneration next = segments.begin(0, 0, 0);
    assertThat(names(next)).containsExactly("wal-00000003.log", "val-00000002.log");
    assertThat(directory.exists("wal-00000002.log")).isFalse();
    directory.link("wal-00000003.log", "copy of the next");
    segments.recycle(next);
    assertThat(directory.exists("wal-00000003.log")).isFalse();
    assertThat(directory.bytes("copy of wal")).isEqualTo(before);
  }

  /** One segment of the pair is recycled, but the name of the other still has to be forced. */
  @Test
  void noGenerationBeginsInAFileWhoseNameCanBeLost() {
    segments.expectForces();
    log.put(false, "\0a", "1", NOTHING);
    LogGeneration first = log.generation;
    log.next();
    directory.capacity(5 * SEGMENT_BYTES);
    assertThatThrownBy(segments::prepare).isInstanceOf(DiskFullException.class);
    segments.recycle(first);
    segments.prepare();
    log.next().put(false, "\0b", "2", NOTHING);
    log.generation.force(log.generation.endSeqno());
    SimulatedDirectory survivor = directory.afterCrash(CrashStyle.DROP_UNSYNCED, 1);
    assertThat(LogFixture.replay(survivor, 3, 2).entries).containsExactly("3 put \0b=2");
  }

  @Test
  void closeClosesSparesAndDeletesNothing() {
    segments.prepare();
    LogGeneration next = segments.begin(0, 2 * SEGMENT_BYTES, 0);
    log.put(true, "\0a", "value", NOTHING);
    segments.close();
    segments.recycle(next);
    segments.recycle(log.generation);
    // The value log closes value segments that hold values.
    assertThat(directory.openHandles()).containsExactly("val-00000001.log (mapped)");
    assertThat(directory.list()).hasSize(5);
  }

  @Test
  void segmentsThatWereFilledAreFollowedByLongerOnes() {
    SimulatedDirectory own = new SimulatedDirectory();
    RecoveredLog nothing =
        LogRecovery.read(own, LogFixture.STORE_ID, LogFixture.start(0, 1), new Replay());
    SegmentFiles growing = new SegmentFiles(own, HEADS, 8 << 20, nothing, 1, 1);
    growing.expectForces();
    LogGeneration first = growing.begin(0, 0, 0);
    assertThat(first.file(false).length()).isEqualTo(4 << 20);
    assertThat(first.file(true).length()).isEqualTo(64 << 10);
    growing.grow(false);
    growing.grow(true);
    LogGeneration second = growing.begin(0, 0, 0);
    assertThat(second.file(false).length()).isEqualTo(8 << 20);
    assertThat(second.file(true).length()).isEqualTo(4 << 20);
    growing.grow(false);
    growing.recycle(first);
    assertThat(own.list()).doesNotContainAnyElementsOf(names(first));
    growing.recycle(second);
    LogGeneration third = growing.begin(0, 0, 0);
    assertThat(names(third)).isEqualTo(names(second));
  }

  @Test
  void idleStoreKeepsNoSparesAndShortSegments() {
    SimulatedDirectory own = new SimulatedDirectory();
    RecoveredLog nothing =
        LogRecovery.read(own, LogFixture.STORE_ID, LogFixture.start(0, 1), new Replay());
    SegmentFiles growing = new SegmentFiles(own, HEADS, 16 << 20, nothing, 1, 1);
    growing.grow(false);
    growing.grow(false);
    LogGeneration busy = growing.begin(0, 0, 0);
    assertThat(SegmentFiles.isRoomy(busy)).isTrue();
    growing.prepare();
    growing.calm();
    assertThat(own.list()).containsExactlyInAnyOrderElementsOf(names(busy));
    growing.prepare();
    assertThat(own.list()).hasSize(2);
    LogGeneration calm = growing.begin(0, 0, 0);
    assertThat(SegmentFiles.isRoomy(calm)).isFalse();
    assertThat(calm.file(false).length()).isEqualTo(4 << 20);
    growing.recycle(busy);
    assertThat(own.list()).containsExactlyInAnyOrderElementsOf(names(calm));

    assertThat(growing.endCalm()).isTrue();
    assertThat(growing.endCalm()).isFalse();
    assertThat(growing.begin(0, 0, 0).file(false).length()).isEqualTo(16 << 20);
  }

  @Test
  void trimmingKeepsOneOfEach() {
    segments.expectForces();
    List<LogGeneration> generations =
        List.of(segments.begin(0, 0, 0), segments.begin(0, 0, 0), segments.begin(0, 0, 0));
    generations.forEach(segments::recycle);
    segments.trim();
    assertThat(directory.list()).hasSize(2 + 2);
  }

  /**
   * Tables may still have pointers into a value segment, so its number must not be reused. A force
   * of any of these segments may have failed.
   */
  @Test
  void deletesFreeSegmentsOfAnEarlierOpening() {
    log.close();
    SimulatedDirectory left = directory.kill();
    LogStart start = LogFixture.start(0, 1);
    RecoveredLog recovered = LogRecovery.read(left, LogFixture.STORE_ID, start, new Replay());
    assertThat(recovered.values().free()).isNotEmpty();
    try (SegmentFiles files = new SegmentFiles(
        left,
        new SegmentLayout.Heads(LogFixture.STORE_ID, () -> 1, () -> LogFixture.MANIFEST),
        LogFixture.SEGMENT_BYTES,
        recovered,
        100,
        1)) {
      assertThat(files.zeroedBytes()).isZero();
      assertThat(left.list()).noneMatch(name -> name.startsWith("val-"));
      assertThat(left.list()).noneMatch(name -> name.startsWith("wal-"));
    }
  }

  @Test
  void numbersContinueAboveExistingSegments() {
    log.put(true, "\0a", "value", NOTHING).next();
    try (LogFixture again = new LogFixture(directory.kill())) {
      assertThat(again.generation.number()).isEqualTo(3);
      assertThat(again.generation.file(true).name()).isEqualTo("val-00000003.log");
    }
  }
}
