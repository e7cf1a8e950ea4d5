// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.base.EntryCursor;
import io.github.rlsm.base.EntryView;
import io.github.rlsm.base.KeyRange;
import io.github.rlsm.table.Table.KeySample;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Compares random tables with a sorted map: every read must give the same result. */
class TableModelTest {

  @ParameterizedTest
  @EnumSource
  void smallPages(PageCompression compression) {
    SeededCases.run(150, random -> {
      int pageBytes = 512 << random.nextInt(3);
      TableWriter.Settings settings =
          new TableWriter.Settings(pageBytes, random.nextInt(13), compression);
      int count = 1 + random.nextInt(400);
      check(settings, TestTables.randomModel(random, count, 1 + random.nextInt(20), 60), random);
    });
  }

  @ParameterizedTest
  @EnumSource
  void largePagesAndValues(PageCompression compression) {
    SeededCases.run(10, random -> {
      int pageBytes = 4096 << random.nextInt(4);
      TableWriter.Settings settings = new TableWriter.Settings(pageBytes, 10, compression);
      int valueBytesMax = 10 << random.nextInt(10);
      int count = Math.min(20_000, 2_000_000 / valueBytesMax);
      check(settings, TestTables.randomModel(random, count, 30, valueBytesMax), random);
    });
  }

  @ParameterizedTest
  @EnumSource
  void longestKeys(PageCompression compression) {
    SeededCases.run(3, random -> {
      NavigableMap<byte[], TestEntry> model = TestTables.randomModel(random, 40, 65_520, 200);
      byte[] longest = new byte[65_535];
      model.put(longest, TestEntry.tombstone(9));
      byte[] next = longest.clone();
      next[65_534] = 1;
      model.put(next, TestEntry.put(10, new byte[70_000]));
      check(new TableWriter.Settings(4096, 10, compression), model, random);
    });
  }

  @ParameterizedTest
  @EnumSource
  void valuesOfSeveralMegabytes(PageCompression compression) {
    SeededCases.run(1, random -> {
      NavigableMap<byte[], TestEntry> model = TestTables.randomModel(random, 20, 10, 3 << 20);
      check(new TableWriter.Settings(512, 10, compression), model, random);
    });
  }

  @Test
  void keysThatDifferOnlyFarFromTheirStart() {
    SeededCases.run(20, random -> {
      NavigableMap<byte[], TestEntry> model = TestTables.model();
      for (int i = 0; i < 2000; i++) {
        // Two groups of keys, so that the shared prefix is short and fences are equal inside a
        // group.
        byte[] key = new byte[30];
        key[0] = (byte) (i & 1);
        key[28] = (byte) random.nextInt();
        key[29] = (byte) random.nextInt();
        byte[] cut = Arrays.copyOf(key, 5 + random.nextInt(26));
        model.put(cut, TestEntry.put(i, new byte[20]));
      }
      check(new TableWriter.Settings(512, 10, PageCompression.NONE), model, random);
    });
  }

  private static void check(
      TableWriter.Settings settings, NavigableMap<byte[], TestEntry> model, Random random) {
    byte[] bytes = TestTables.write(settings, model);
    Table.Access access = new Table.Access(
        new PageCache(random.nextInt(3) * 100_000L), new ReadCounters(), random.nextBoolean());
    MemoryMappedFile file =
        random.nextBoolean() ? MemoryMappedFile.heap(bytes) : MemoryMappedFile.direct(bytes);
    try (Table table = Table.open(file, TestTables.STORE_ID, TestTables.FILE_NUMBER, access)) {
      TestTables.checkAll(table);
      checkProperties(table, model);
      checkFind(table, model, random);
      checkCursor(table, model, KeyRange.ALL, random);
      checkPointers(table, model, KeyRange.ALL, random);
      for (int i = 0; i < 10; i++) {
        KeyRange range = KeyRange.of(bound(model, random), bound(model, random));
        checkCursor(table, submap(model, range), range, random);
        checkPointers(table, submap(model, range), range, random);
        checkCounts(table, model, range);
      }
    }
  }

  private static void checkProperties(Table table, NavigableMap<byte[], TestEntry> model) {
    TableProperties properties = table.properties();
    assertThat(properties.entries()).isEqualTo(model.size());
    assertThat(properties.keys().smallest()).isEqualTo(model.firstKey());
    assertThat(properties.keys().largest()).isEqualTo(model.lastKey());
    long seqnos = model.values().stream().mapToLong(TestEntry::seqno).max().orElseThrow();
    assertThat(properties.seqnos().max()).isEqualTo(seqnos);
  }

  private static void checkFind(Table table, NavigableMap<byte[], TestEntry> model, Random random) {
    EntryView view = new EntryView();
    model.forEach((key, entry) -> {
      assertThat(TestTables.find(table, key, view)).isTrue();
      entry.assertIn(view);
    });
    for (int i = 0; i < 300; i++) {
      byte[] key = near(model, random);
      assertThat(TestTables.find(table, key, view)).isEqualTo(model.containsKey(key));
    }
  }

  private static void checkCursor(
      Table table, NavigableMap<byte[], TestEntry> model, KeyRange range, Random random) {
    checkWholeRange(table.cursor(range, false), model);
    checkWholeRange(table.cursor(range, true), model.descendingMap());
    EntryCursor up = table.cursor(range, false);
    EntryCursor down = table.cursor(range, true);
    for (int i = 0; i < 100; i++) {
      byte[] key = near(model.isEmpty() ? model(table) : model, random);
      checkSeek(up, key, model.tailMap(key, true));
      checkSeek(down, key, model.headMap(key, true).descendingMap());
    }
  }

  private static void checkPointers(
      Table table, NavigableMap<byte[], TestEntry> all, KeyRange range, Random random) {
    int[] segments = random.ints(random.nextInt(8), 1, 22).sorted().distinct().toArray();
    NavigableMap<byte[], TestEntry> model = TestTables.model();
    all.forEach((key, entry) -> {
      if (entry.segment().stream().anyMatch(each -> Arrays.binarySearch(segments, each) >= 0)) {
        model.put(key, entry);
      }
    });
    EntryCursor cursor = table.pointers(range, segments);
    checkWholeRange(cursor, model);
    for (int i = 0; i < 20; i++) {
      byte[] key = near(all.isEmpty() ? model(table) : all, random);
      checkSeek(cursor, key, model.tailMap(key, true));
    }
  }

  private static void checkWholeRange(
      EntryCursor cursor, NavigableMap<byte[], TestEntry> expected) {
    boolean found = cursor.seekFirst();
    for (Map.Entry<byte[], TestEntry> entry : expected.entrySet()) {
      assertThat(found).isTrue();
      assertThat(TestEntry.key(cursor)).isEqualTo(entry.getKey());
      entry.getValue().assertAt(cursor);
      found = cursor.next();
    }
    assertThat(found).isFalse();
    assertThat(cursor.next()).isFalse();
  }

  private static void checkSeek(
      EntryCursor cursor, byte[] key, NavigableMap<byte[], TestEntry> expected) {
    if (Arrays.hashCode(key) % 2 == 0) {
      cursor.approach(key, 0, key.length);
    }
    boolean found = cursor.seek(key, 0, key.length);
    Iterator<Map.Entry<byte[], TestEntry>> entries = expected.entrySet().iterator();
    for (int i = 0; i < 5 && entries.hasNext(); i++) {
      Map.Entry<byte[], TestEntry> entry = entries.next();
      assertThat(found).isTrue();
      assertThat(TestEntry.key(cursor)).isEqualTo(entry.getKey());
      found = cursor.next();
    }
    assertThat(found).isEqualTo(entries.hasNext());
  }

  private static void checkCounts(
      Table table, NavigableMap<byte[], TestEntry> model, KeyRange range) {
    int count = submap(model, range).size();
    assertThat(table.part(range).entries()).isEqualTo(count);
    long sampled = table.samples(range, 7).stream().mapToLong(KeySample::bytes).sum();
    assertThat(sampled)
        .isEqualTo(TestTables.pageBytes(table, range))
        .isBetween(0L, table.fileBytes());
  }

  private static NavigableMap<byte[], TestEntry> model(Table table) {
    NavigableMap<byte[], TestEntry> model = TestTables.model();
    model.put(table.properties().keys().smallest(), TestEntry.tombstone(1));
    return model;
  }

  private static NavigableMap<byte[], TestEntry> submap(
      NavigableMap<byte[], TestEntry> model, KeyRange range) {
    byte[] from = range.from();
    byte[] to = range.to();
    // A copy, because a view of a map refuses lookups outside of its range.
    NavigableMap<byte[], TestEntry> submap = TestTables.model();
    if (!range.isEmpty()) {
      NavigableMap<byte[], TestEntry> tail = from == null ? model : model.tailMap(from, true);
      submap.putAll(to == null ? tail : tail.headMap(to, false));
    }
    return submap;
  }

  private static byte @Nullable [] bound(NavigableMap<byte[], TestEntry> model, Random random) {
    return random.nextInt(5) == 0 ? null : near(model, random);
  }

  /** Returns a key of the model, or a key close to one of its keys. */
  private static byte[] near(NavigableMap<byte[], TestEntry> model, Random random) {
    byte[][] keys = model.keySet().toArray(new byte[0][]);
    byte[] key = keys[random.nextInt(keys.length)].clone();
    switch (random.nextInt(6)) {
      case 0 -> key = Arrays.copyOf(key, key.length + 1);
      case 1 -> key = Arrays.copyOf(key, Math.max(1, key.length - 1));
      case 2 -> key[key.length - 1]++;
      case 3 -> key[key.length - 1]--;
      case 4 -> key[random.nextInt(key.length)] = (byte) random.nextInt();
      default -> {}
    }
    return Arrays.copyOf(key, Math.min(key.length, 65_535));
  }
}
