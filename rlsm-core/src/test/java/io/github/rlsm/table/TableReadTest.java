// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.base.EntryCursor;
import io.github.rlsm.base.EntryView;
import io.github.rlsm.base.KeyRange;
import io.github.rlsm.base.ValuePointer;
import io.github.rlsm.io.MappedFile.Advice;
import io.github.rlsm.table.Table.KeySample;
import io.github.rlsm.table.Table.Wanted;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests the cost of lookups and cursors, and how a table describes its keys without reading them.
 */
class TableReadTest {

  private static final int KEYS = 4000;
  private static final TableWriter.Settings SETTINGS =
      new TableWriter.Settings(1024, 10, PageCompression.NONE);

  @Test
  void everyGapBetweenKeys() {
    NavigableMap<byte[], TestEntry> model = TestTables.model();
    for (int i = 1; i <= 200; i++) {
      model.put(key(2 * i), TestEntry.put(i, new byte[20]));
    }
    Table table = TestTables.table(new TableWriter.Settings(512, 10, PageCompression.NONE), model);
    EntryCursor up = table.cursor(KeyRange.ALL, false);
    EntryCursor down = table.cursor(KeyRange.ALL, true);
    for (int i = 0; i <= 402; i++) {
      int ceiling = Math.max(2, i + (i & 1));
      int floor = Math.min(400, i - (i & 1));
      assertThat(seek(up, i)).isEqualTo(ceiling <= 400 ? key(ceiling) : null);
      assertThat(seek(down, i)).isEqualTo(floor >= 2 ? key(floor) : null);
    }
  }

  private static byte @Nullable [] seek(EntryCursor cursor, int key) {
    return cursor.seek(key(key), 0, 4) ? TestEntry.key(cursor) : null;
  }

  @Test
  void anUnpositionedCursorHasNoNext() {
    EntryCursor up = table().cursor(KeyRange.ALL, false);
    EntryCursor down = table().cursor(KeyRange.ALL, true);
    assertThat(up.next()).isFalse();
    assertThat(down.next()).isFalse();
    assertThat(up.seek(key(KEYS + 1), 0, 4)).isFalse();
    assertThat(up.next()).isFalse();
    assertThat(up.seekFirst()).isTrue();
    assertThat(TestEntry.key(up)).isEqualTo(key(1));
  }

  @Test
  void emptyRangesHaveNoEntries() {
    Table table = table();
    for (KeyRange range : List.of(
        KeyRange.of(key(7), key(7)),
        KeyRange.of(key(9), key(7)),
        KeyRange.of(key(KEYS + 1), null),
        KeyRange.of(null, key(1)),
        KeyRange.of(null, new byte[0]))) {
      assertThat(table.cursor(range, false).seekFirst()).isFalse();
      assertThat(table.cursor(range, true).seekFirst()).isFalse();
      assertThat(table.cursor(range, true).seek(key(8), 0, 4)).isFalse();
      assertThat(table.part(range)).isEqualTo(new Table.Part(0, 0));
      assertThat(table.samples(range, 3)).isEmpty();
    }
  }

  /** The first entry is longer than all others together. */
  @Test
  void partsHaveTheBytesOfTheirEntries() {
    NavigableMap<byte[], TestEntry> model = new TreeMap<>(Arrays::compareUnsigned);
    for (int i = 1; i <= 30; i++) {
      model.put(key(i), TestEntry.put(i, new byte[i == 1 ? 20_000 : 100]));
    }
    Table table = TestTables.table(SETTINGS, model);
    byte[] middle = key(16);
    Table.Part left = table.part(KeyRange.of(null, middle));
    Table.Part right = table.part(KeyRange.of(middle, null));
    assertThat(left.entries()).isEqualTo(15);
    assertThat(right.entries()).isEqualTo(15);
    assertThat(left.bytes() + right.bytes()).isEqualTo(table.fileBytes());
    assertThat(right.bytes()).isBetween(1_500L, 3_500L);
    Table.Part first = table.part(KeyRange.of(null, key(2)));
    assertThat(first.entries()).isEqualTo(1);
    assertThat(first.bytes()).isBetween(20_000L, 23_000L);
  }

  @Test
  void eachPageIsVerifiedOnce() {
    Table.Access access = TestTables.access();
    Table table = TestTables.open(TestTables.write(SETTINGS, model()), access);
    EntryView view = new EntryView();
    for (int i = 1; i <= KEYS; i++) {
      assertThat(TestTables.find(table, key(i), view)).isTrue();
    }
    assertThat(access.counters().pagesVerified())
        .isEqualTo(table.samples(KeyRange.ALL, KEYS).size());
  }

  @Test
  void pagesOfCursorsAndLookupsAreCounted() {
    Table.Access access = TestTables.access();
    Table table = TestTables.open(TestTables.write(SETTINGS, model()), access);
    int pages = table.samples(KeyRange.ALL, KEYS).size();
    EntryCursor cursor = table.cursor(KeyRange.ALL, false);
    for (boolean more = cursor.seekFirst(); more; ) {
      more = cursor.next();
    }
    ReadCounters counters = access.counters();
    assertThat(counters.pagesRead()).isEqualTo(pages);
    assertThat(counters.lookupPages()).isZero();
    counters.countLookup(5, 3, true);
    counters.countLookup(1, 1, false);
    counters.countLookup(0, 0, false);
    assertThat(counters.pagesRead()).isEqualTo(pages + 4);
    assertThat(counters.lookupPages()).isEqualTo(4);
    assertThat(counters.filterNegatives()).isEqualTo(6);
    assertThat(counters.falsePositives()).isEqualTo(3);
  }

  @Test
  void samplesAreSpreadEvenly() {
    List<KeySample> samples = table().samples(KeyRange.ALL, 10);
    assertThat(samples).hasSize(10);
    long least = samples.stream().mapToLong(KeySample::bytes).min().orElseThrow();
    long most = samples.stream().mapToLong(KeySample::bytes).max().orElseThrow();
    assertThat(most - least).isLessThanOrEqualTo(1024);
  }

  @Test
  void tablesAreMappedForRandomAccessAndScansReadAhead() {
    byte[] bytes = largeTable();
    for (boolean descending : new boolean[] {false, true}) {
      MemoryMappedFile file = MemoryMappedFile.direct(bytes);
      Table table = open(file);
      int pages = Math.toIntExact(TestTables.pageBytes(table, KeyRange.ALL));
      MemoryMappedFile.Given random = new MemoryMappedFile.Given(Advice.RANDOM, 0, file.length());
      assertThat(file.givenBeforeRead()).containsExactly(random);
      int rest = file.length() - pages;
      assertThat(file.given())
          .containsExactly(random, new MemoryMappedFile.Given(Advice.WILL_NEED, pages, rest));
      EntryCursor cursor = table.cursor(KeyRange.ALL, descending);
      for (int i = 0; i < 60; i++) {
        assertThat(i == 0 ? cursor.seekFirst() : cursor.next()).isTrue();
      }
      assertThat(file.given()).hasSize(2);
      boolean on = true;
      while (on) {
        on = cursor.next();
      }
      List<MemoryMappedFile.Given> ahead = file.given().subList(2, file.given().size());
      assertThat(ahead).allMatch(given -> given.advice() == Advice.WILL_NEED);
      assertThat(ahead.size()).isBetween(5, 12);
      // All but the first three pages, each once.
      int length = ahead.stream().mapToInt(MemoryMappedFile.Given::length).sum();
      assertThat(length).isEqualTo(pages - 3 * 4096);
      assertThat(ahead.stream().mapToInt(MemoryMappedFile.Given::offset).min())
          .hasValue(descending ? 0 : 3 * 4096);
    }
  }

  @Test
  void firstReadOfAnIndexRequestsTheWindowAroundIt() {
    for (PageCompression compression : List.of(PageCompression.NONE, PageCompression.LZ4)) {
      TableWriter.Settings settings = new TableWriter.Settings(4_096, 10, compression);
      MemoryMappedFile file = MemoryMappedFile.direct(indexTable(settings));
      Table table = open(file);
      int pages = Math.toIntExact(TestTables.pageBytes(table, KeyRange.ALL));
      int window = 128 << 10;
      assertThat(pages).isGreaterThan(window).matches(bytes -> bytes % window != 0);
      int opened = file.given().size();
      EntryView view = new EntryView();
      for (int i = 0; i < 200; i++) {
        assertThat(TestTables.find(table, key(i), view)).isTrue();
      }
      assertThat(since(opened, file))
          .containsExactly(new MemoryMappedFile.Given(Advice.WILL_NEED, 0, window));
      for (int i = 19_999; i >= 0; i--) {
        assertThat(TestTables.find(table, key(i), view)).isTrue();
      }
      List<MemoryMappedFile.Given> all = since(opened, file);
      assertThat(all).hasSize((pages + window - 1) / window);
      assertThat(bytes(all)).isEqualTo(pages);
    }
  }

  private static byte[] indexTable(TableWriter.Settings settings) {
    NavigableMap<byte[], TestEntry> model = TestTables.model();
    for (int i = 0; i < 20_000; i++) {
      model.put(key(i), TestEntry.pointer(i, ValuePointer.of(1, 8 * i, false, 1_000)));
    }
    return TestTables.write(settings, model);
  }

  @Test
  void indexIsReadTwiceSoThatTheKernelKeepsIt() {
    MemoryMappedFile file = MemoryMappedFile.direct(indexTable(TableWriter.Settings.DEFAULT));
    Table table = open(file);
    int pages = (file.length() + 4095) / 4096;
    int[] calls = {0};
    table.keepIndex(() -> calls[0]++ < 2);
    assertThat(file.pagesRead()).as("interrupted").hasSize(2 * 2 * 32);
    file.pagesRead().clear();
    table.keepIndex(() -> true);
    assertThat(file.pagesRead()).hasSize(2 * pages);
    for (int page = 0; page < pages; page++) {
      assertThat(Collections.frequency(file.pagesRead(), page)).isEqualTo(2);
    }
    table.keepIndex(() -> true);
    assertThat(file.pagesRead()).as("only once").hasSize(2 * pages);
  }

  @Test
  void indexThatCannotBeReadIsNotReadFurther() {
    MemoryMappedFile file = MemoryMappedFile.direct(indexTable(TableWriter.Settings.DEFAULT));
    file.failReads();
    Table table = open(file);
    table.keepIndex(() -> true);
    table.keepIndex(() -> true);
    assertThat(file.pagesRead()).hasSize(32);
  }

  @Test
  void onlyFencesAndFilterOfTableWithValuesAreRead() {
    MemoryMappedFile file = MemoryMappedFile.direct(largeTable());
    Table table = open(file);
    table.keepIndex(() -> true);
    int begin = Math.toIntExact(TestTables.pageBytes(table, KeyRange.ALL)) / 4096;
    int end = (file.length() + 4095) / 4096;
    assertThat(file.pagesRead()).hasSize(2 * (end - begin));
    for (int page = begin; page < end; page++) {
      assertThat(Collections.frequency(file.pagesRead(), page)).isEqualTo(2);
    }
  }

  @Test
  void firstReadOfValuesInATableRequestsNoOtherPage() {
    MemoryMappedFile file = MemoryMappedFile.direct(largeTable());
    Table table = open(file);
    int opened = file.given().size();
    EntryView view = new EntryView();
    for (int i = 0; i < 40_000; i += 100) {
      assertThat(TestTables.find(table, key(i), view)).isTrue();
    }
    assertThat(file.given()).hasSize(opened);
  }

  private static Table open(MemoryMappedFile file) {
    return Table.open(file, TestTables.STORE_ID, TestTables.FILE_NUMBER, TestTables.access());
  }

  /** Returns the advice that a file was given after the first {@code count} times. */
  private static List<MemoryMappedFile.Given> since(int count, MemoryMappedFile file) {
    return List.copyOf(file.given().subList(count, file.given().size()));
  }

  /** Reads some entries of a large table. Returns the read-ahead that this caused. */
  private static List<MemoryMappedFile.Given> readAhead(
      boolean descending, long wanted, int entries) {
    MemoryMappedFile file = MemoryMappedFile.direct(largeTable());
    Table table = open(file);
    int before = file.given().size();
    EntryCursor cursor = table.cursor(KeyRange.ALL, descending, new Wanted(wanted, 0));
    for (int i = 0; i < entries; i++) {
      assertThat(i == 0 ? cursor.seekFirst() : cursor.next()).isTrue();
    }
    return since(before, file);
  }

  private static int bytes(List<MemoryMappedFile.Given> ahead) {
    return ahead.stream().mapToInt(MemoryMappedFile.Given::length).sum();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void limitedScanReadsAheadUpToItsLimit(boolean descending) {
    assertThat(readAhead(descending, 100, 120)).as("three pages are wanted").isEmpty();
    int pages = 400 / 35;
    assertThat(bytes(readAhead(descending, 400, 400)))
        .isBetween((pages - 3) * 4_096, (pages - 1) * 4_096);
    assertThat(bytes(readAhead(descending, 400, 410))).isLessThanOrEqualTo((pages - 1) * 4_096);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void scanBeyondItsLimitReadsAheadAgain(boolean descending) {
    List<MemoryMappedFile.Given> ahead = readAhead(descending, 100, 10_000);
    assertThat(bytes(ahead)).isGreaterThan(10_000 / 36 * 4_096 - 8 * 4_096);
    List<MemoryMappedFile.Given> unlimited = readAhead(descending, Long.MAX_VALUE, 10_000);
    assertThat(ahead.size()).isLessThanOrEqualTo(unlimited.size());
  }

  @Test
  void pagesOfSamplesAreRequestedBeforeTheyAreRead() {
    MemoryMappedFile file = MemoryMappedFile.direct(largeTable());
    Table table = open(file);
    List<Table.KeySample> samples = table.samples(KeyRange.of(key(10_000), key(30_000)), 5);
    int before = file.given().size();
    table.request(samples);
    List<MemoryMappedFile.Given> requested = since(before, file);
    assertThat(requested).hasSize(5).doesNotHaveDuplicates();
    EntryCursor cursor = table.cursor(KeyRange.ALL, false);
    for (int i = 0; i < 5; i++) {
      MemoryMappedFile.Given given = requested.get(i);
      assertThat(given.advice()).isEqualTo(Advice.WILL_NEED);
      assertThat(given.length()).isEqualTo(4_096);
      byte[] first = samples.get(i).key();
      assertThat(cursor.seek(first, 0, first.length)).isTrue();
      assertThat(cursor.entry().keyOffset())
          .isBetween(given.offset(), given.offset() + given.length() - 1);
    }
  }

  /** 100 entries from the middle of a page lie in four pages. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void pagesOnTheDeviceAreRequestedAtOnce(boolean descending) {
    MemoryMappedFile file = MemoryMappedFile.direct(largeTable());
    EntryCursor cursor = open(file).cursor(KeyRange.ALL, descending, new Wanted(100, 100));
    int before = file.given().size();
    byte[] first = key(20_000);
    cursor.approach(first, 0, first.length);
    List<MemoryMappedFile.Given> ahead = since(before, file);
    assertThat(ahead).hasSize(1).allMatch(given -> given.advice() == Advice.WILL_NEED);
    assertThat(bytes(ahead)).isEqualTo(4 * 4_096);
    assertThat(cursor.seek(first, 0, first.length)).isTrue();
    for (int i = 1; i < 100; i++) {
      assertThat(cursor.next()).isTrue();
    }
    assertThat(since(before, file)).as("no page is requested twice").hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void requestAtOnceEndsWithTheRangeAndTheFirstWindow(boolean descending) {
    MemoryMappedFile file = MemoryMappedFile.direct(largeTable());
    Table table = open(file);
    int before = file.given().size();
    KeyRange range = KeyRange.of(key(10_000), key(10_070));
    assertThat(table.cursor(range, descending, new Wanted(1_000, 1_000)).seekFirst())
        .isTrue();
    List<MemoryMappedFile.Given> ahead = since(before, file);
    assertThat(bytes(ahead)).isBetween(2 * 4_096, 4 * 4_096);
    EntryCursor all = table.cursor(KeyRange.ALL, descending, new Wanted(40_000, 40_000));
    int read = file.given().size();
    for (int i = 0; i < 4_000; i++) {
      assertThat(i == 0 ? all.seekFirst() : all.next()).isTrue();
    }
    List<MemoryMappedFile.Given> window = since(read, file);
    assertThat(window.get(0).length()).isEqualTo(64 << 10);
    assertThat(bytes(window)).isEqualTo(end(window) - start(window));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void largestLimitRequestsTheFirstWindowAtOnce(boolean descending) {
    MemoryMappedFile file = MemoryMappedFile.direct(largeTable());
    long limit = Long.MAX_VALUE - 1;
    EntryCursor cursor = open(file).cursor(KeyRange.ALL, descending, new Wanted(limit, limit));
    int before = file.given().size();
    byte[] first = key(20_000);
    cursor.approach(first, 0, first.length);
    assertThat(bytes(since(before, file))).isEqualTo(64 << 10);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void scanOfRangeReadsNothingAheadBeyondIt(boolean descending) {
    MemoryMappedFile file = MemoryMappedFile.direct(largeTable());
    Table table = open(file);
    int before = file.given().size();
    KeyRange range = KeyRange.of(key(10_000), key(12_000));
    EntryCursor cursor = table.cursor(range, descending);
    int entries = 0;
    for (boolean more = cursor.seekFirst(); more; more = cursor.next()) {
      entries++;
    }
    assertThat(entries).isEqualTo(2_000);
    List<MemoryMappedFile.Given> ahead = since(before, file);
    assertThat(bytes(ahead)).isBetween(2_000 / 36 * 4_096 - 4 * 4_096, 2_000 / 34 * 4_096);
    assertThat(start(ahead)).isGreaterThanOrEqualTo(10_000 / 36 * 4_096);
    assertThat(end(ahead)).isLessThanOrEqualTo((12_000 / 34 + 1) * 4_096);
  }

  /** A merge reads all of its ranges, and no page of them alone. */
  @Test
  void cursorOverAllRequestsEachPageOnceBeforeItIsRead() {
    MemoryMappedFile file = MemoryMappedFile.direct(largeTable());
    Table table = open(file);
    int before = file.given().size();
    int entries = 0;
    EntryCursor cursor = table.all(KeyRange.of(key(10_000), key(30_000)));
    for (boolean more = cursor.seekFirst(); more; more = cursor.next()) {
      entries++;
      assertThat(end(since(before, file))).isGreaterThanOrEqualTo((10_000 + entries) / 36 * 4_096);
    }
    assertThat(entries).isEqualTo(20_000);
    List<MemoryMappedFile.Given> ahead = since(before, file);
    assertThat(ahead).allMatch(given -> given.advice() == Advice.WILL_NEED);
    assertThat(ahead.size()).isLessThanOrEqualTo(6);
    assertThat(bytes(ahead)).isEqualTo(end(ahead) - start(ahead));
    assertThat(bytes(ahead)).isBetween(20_000 / 36 * 4_096, (20_000 / 34 + 2) * 4_096);
  }

  private static int start(List<MemoryMappedFile.Given> ahead) {
    return ahead.stream().mapToInt(MemoryMappedFile.Given::offset).min().orElseThrow();
  }

  private static int end(List<MemoryMappedFile.Given> ahead) {
    return ahead.stream()
        .mapToInt(given -> given.offset() + given.length())
        .max()
        .orElseThrow();
  }

  @Test
  void closingClosesTheFile() {
    MemoryMappedFile file = MemoryMappedFile.direct(TestTables.write(SETTINGS, model()));
    Table table = open(file);
    assertThat(table.fileNumber()).isEqualTo(TestTables.FILE_NUMBER);
    assertThat(table.fileBytes()).isEqualTo(file.length());
    table.close();
    assertThat(file.isClosed()).isTrue();
  }

  /** A table of many pages with 34 to 36 entries each. */
  private static byte[] largeTable() {
    NavigableMap<byte[], TestEntry> model = TestTables.model();
    for (int i = 0; i < 40_000; i++) {
      model.put(key(i), TestEntry.put(i, new byte[100]));
    }
    return TestTables.write(TableWriter.Settings.DEFAULT, model);
  }

  private static Table table() {
    return TestTables.table(SETTINGS, model());
  }

  private static NavigableMap<byte[], TestEntry> model() {
    NavigableMap<byte[], TestEntry> model = TestTables.model();
    for (int i = 1; i <= KEYS; i++) {
      model.put(key(i), TestEntry.put(i, new byte[30]));
    }
    return model;
  }

  private static byte[] key(int number) {
    return new byte[] {7, (byte) (number >> 16), (byte) (number >> 8), (byte) number};
  }
}
