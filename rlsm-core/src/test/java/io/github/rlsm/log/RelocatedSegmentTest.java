// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.log;

import static io.github.rlsm.log.LogFixture.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.base.ValuePointer;
import io.github.rlsm.io.CrashStyle;
import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.valuelog.ValueLog;
import io.github.rlsm.valuelog.ValueReader;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests a segment of moved values: its bytes, and its deletion. */
class RelocatedSegmentTest {

  private static final byte[] KEY = bytes("\0key");
  private static final byte[] OTHER = bytes("\0another");
  private static final byte[] VALUE = bytes("a moved value");

  private final SimulatedDirectory directory = new SimulatedDirectory();
  private final LogFixture log = new LogFixture(directory);

  private void filled() {
    RelocatedSegment segment = log.segments.beginMoved();
    ValuePointer first = segment.reserve(KEY.length, VALUE.length);
    ValuePointer second = segment.reserve(OTHER.length, 0);
    assertThat(first).isEqualTo(ValuePointer.of(2, 64, false, VALUE.length));
    assertThat(second).isEqualTo(ValuePointer.of(2, 64 + 40, false, 0));
    assertThat(segment.recordBytes()).isEqualTo(40 + 32);
    segment.create(true);
    // The order of the stores is free.
    RelocatedSegment.Writer writer = new RelocatedSegment.Writer();
    writer.encode(OTHER, 0, OTHER.length, VALUE, 0);
    writer.store(segment, second.offset(), 7);
    writer.encode(KEY, 0, KEY.length, VALUE, VALUE.length);
    writer.store(segment, first.offset(), 99);
    segment.finish();
  }

  @Test
  void valuesAreReadThroughPointers() {
    filled();
    ValueReader reader = new ValueReader();
    try (ValueLog values = new ValueLog(directory, LogFixture.STORE_ID, () -> 0, () -> {})) {
      ValuePointer first = ValuePointer.of(2, 64, false, VALUE.length);
      assertThat(reader.read(values, first, KEY, 0, KEY.length)).isEqualTo(VALUE);
      ValuePointer second = ValuePointer.of(2, 64 + 40, false, 0);
      assertThat(reader.read(values, second, OTHER, 0, OTHER.length)).isEmpty();
    }
    log.close();
  }

  @Test
  void headHasNoGeneration() {
    filled();
    byte[] file = directory.bytes("val-00000002.log");
    assertThat(file).hasSize(64 + 40 + 32);
    String hex = HexFormat.of().formatHex(file);
    assertThat(hex.substring(64, 2 * 44)).as("base seqno, generation").matches("0{24}");
    assertThat(hex.substring(2 * 48, 2 * 60)).as("manifest position").isEqualTo(position());
    assertThat(hex.substring(2 * 72, 2 * 80)).as("seqno and kind").isEqualTo("6300000000000001");
    assertThat(hex.substring(2 * 112, 2 * 120)).isEqualTo("0700000000000001");
    log.close();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void segmentThatLeavesMemoryIsInLargePagesUntilThen(boolean staysInMemory) {
    RelocatedSegment segment = log.segments.beginMoved();
    ValuePointer only = segment.reserve(KEY.length, VALUE.length);
    segment.create(staysInMemory);
    RelocatedSegment.Writer writer = new RelocatedSegment.Writer();
    writer.encode(KEY, 0, KEY.length, VALUE, VALUE.length);
    writer.store(segment, only.offset(), 7);
    assertThat(directory.pageCache().inLargePages().contains("val-00000002.log"))
        .isNotEqualTo(staysInMemory);
    assertThat(directory.pageCache().forgotten()).isEmpty();
    segment.finish();
    assertThat(directory.pageCache().forgotten().contains("val-00000002.log"))
        .isNotEqualTo(staysInMemory);
    log.close();
  }

  /** Recovery must not take it for the segment of the generation, which may still be in the log. */
  @Test
  void segmentOfSortedValuesHasTheNegativeGeneration() {
    log.put(true, "\0key", "in the log", LogFixture.NOTHING);
    RelocatedSegment segment = log.segments.beginSorted(log.generation);
    ValuePointer only = segment.reserve(KEY.length, VALUE.length);
    segment.create(true);
    RelocatedSegment.Writer writer = new RelocatedSegment.Writer();
    writer.encode(KEY, 0, KEY.length, VALUE, VALUE.length);
    writer.store(segment, only.offset(), 9);
    segment.finish();
    String hex = HexFormat.of().formatHex(directory.bytes("val-00000002.log"));
    assertThat(hex.substring(2 * 40, 2 * 44)).isEqualTo("ffffffff");
    try (ValueLog values = new ValueLog(directory, LogFixture.STORE_ID, () -> 0, () -> {})) {
      assertThat(values.isSortedByFlush(2)).isTrue();
      assertThat(values.isMoved(2)).isFalse();
      assertThat(new ValueReader().read(values, only, KEY, 0, KEY.length)).isEqualTo(VALUE);
    }
    log.generation.file(false).force(0, log.generation.usedBytes(false));
    log.generation.file(true).force(0, log.generation.usedBytes(true));
    List<String> said = log.said();
    SimulatedDirectory after = directory.crash(CrashStyle.KEEP_UNSYNCED, 1);
    assertThat(LogFixture.replay(after).entries).isEqualTo(said);
  }

  private static String position() {
    return "9900000000000000" + "77000000";
  }

  /** A moved segment without an account belongs to no version: recovery ignores it. */
  @Test
  void recoveryIgnoresRelocatedSegments() {
    log.put(true, "\0key", "in the log", LogFixture.NOTHING);
    filled();
    log.generation.file(false).force(0, log.generation.usedBytes(false));
    log.generation.file(true).force(0, log.generation.usedBytes(true));
    List<String> said = log.said();
    SimulatedDirectory after = directory.crash(CrashStyle.KEEP_UNSYNCED, 1);
    assertThat(LogFixture.replay(after).entries).isEqualTo(said);
    LogFixture next = new LogFixture(after);
    assertThat(next.recovered.generations()).hasSize(1);
    next.close();
  }

  @Test
  void unusedSegmentIsDeleted() {
    RelocatedSegment never = log.segments.beginMoved();
    never.delete();
    RelocatedSegment made = created();
    made.delete();
    assertThat(directory.list()).noneMatch(name -> name.equals("val-00000003.log"));
    log.close();
    assertThat(directory.openHandles()).isEmpty();
  }

  private RelocatedSegment created() {
    RelocatedSegment segment = log.segments.beginMoved();
    segment.reserve(KEY.length, VALUE.length);
    segment.create(true);
    return segment;
  }

  @Test
  void isFullWhereAnOrdinarySegmentWouldBe() {
    RelocatedSegment segment = log.segments.beginMoved();
    assertThat(segment.isFull(10, 1 << 25)).as("one record always fits").isFalse();
    segment.reserve(10, 1 << 19);
    assertThat(segment.isFull(10, 1 << 18)).isFalse();
    assertThat(segment.isFull(10, 1 << 19)).isTrue();
    log.close();
  }

  /** A value that fits into one page is read from one page; the accounts do not count the rest. */
  @Test
  void valuesBeginAtPagesWhereThatSavesReads() {
    RelocatedSegment segment = log.segments.beginMoved();
    int records = 200;
    int acrossPages = 0;
    for (int i = 0; i < records; i++) {
      ValuePointer pointer = segment.reserve(KEY.length, 2000);
      int last = pointer.offset() + 2000;
      acrossPages += pointer.offset() / 4096 == last / 4096 ? 0 : 1;
    }
    assertThat(acrossPages).as("until the records meet a page").isLessThan(5);
    assertThat(segment.recordBytes()).isEqualTo(records * 2024L);
    segment.create(true);
    segment.delete();
    log.close();
  }
}
