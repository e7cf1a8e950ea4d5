// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.base.CursorEntry;
import io.github.rlsm.base.EntryCursor;
import io.github.rlsm.kv.TestSeed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Compares the merge with one map that receives all entries, the oldest first. */
class MergingCursorTest {

  private final long seed = TestSeed.get();
  private final SplittableRandom random = new SplittableRandom(seed);

  private final List<NavigableMap<byte[], Long>> sources = new ArrayList<>(); // newest first
  private final NavigableMap<byte[], Long> model = map();
  private final List<Long> older = new ArrayList<>();

  private static NavigableMap<byte[], Long> map() {
    return new TreeMap<>(Arrays::compareUnsigned);
  }

  private byte[] key() {
    byte[] key = new byte[random.nextInt(1, 12)];
    for (int i = 0; i < key.length; i++) {
      key[i] = (byte) (random.nextInt(10) == 0 ? random.nextInt() : random.nextInt(2));
    }
    return key;
  }

  private void draw(int count, int keys) {
    sources.clear();
    model.clear();
    older.clear();
    long seqno = 0;
    for (int i = 0; i < count; i++) {
      NavigableMap<byte[], Long> source = map();
      for (int j = random.nextInt(keys + 1); j > 0; j--) {
        source.put(key(), seqno++);
      }
      source.forEach((key, at) -> {
        Long before = model.put(key, at);
        if (before != null) {
          older.add(before);
        }
      });
      sources.add(0, source);
    }
  }

  private List<Long> read(EntryCursor cursor, boolean found) {
    List<Long> seqnos = new ArrayList<>();
    for (boolean more = found; more; more = cursor.next()) {
      CursorEntry entry = cursor.entry();
      assertThat(entry.kind()).isEqualTo(ListCursor.kindOf(entry.seqno()));
      assertThat(model).containsEntry(key(entry), entry.seqno());
      seqnos.add(entry.seqno());
    }
    return seqnos;
  }

  private static byte[] key(CursorEntry entry) {
    byte[] key = new byte[entry.keyLength()];
    entry.buffer().get(entry.keyOffset(), key);
    return key;
  }

  @Test
  void showsTheNewestOfEachKeyInBothDirections() {
    for (int round = 0; round < 400; round++) {
      draw(random.nextInt(9), round % 40);
      for (boolean descending : new boolean[] {false, true}) {
        check(descending);
      }
    }
  }

  private void check(boolean descending) {
    List<ListCursor> cursors =
        sources.stream().map(source -> new ListCursor(source, descending)).toList();
    List<Long> shadowed = new ArrayList<>();
    EntryCursor merge =
        new MergingCursor(cursors, descending, entry -> shadowed.add(entry.seqno()));
    NavigableMap<byte[], Long> ordered = descending ? model.descendingMap() : model;
    assertThat(read(merge, merge.seekFirst()))
        .as(TestSeed.howToReplay(seed))
        .isEqualTo(List.copyOf(ordered.values()));
    assertThat(shadowed).containsExactlyInAnyOrderElementsOf(older);
    List<byte[]> sought = new ArrayList<>(model.keySet());
    for (int i = 0; i < 5; i++) {
      sought.add(key());
    }
    for (byte[] key : sought.subList(sought.size() / 2, sought.size())) {
      boolean found = merge.seek(key, 0, key.length);
      assertThat(read(merge, found))
          .as(TestSeed.howToReplay(seed))
          .isEqualTo(List.copyOf(ordered.tailMap(key, true).values()));
    }
  }

  /** Many keys have the same prefix, so a source often waits beside a key of its prefix. */
  @Test
  void mergesGroupsWhoseSourcesWait() {
    for (int round = 0; round < 400; round++) {
      draw(random.nextInt(9), round % 40);
      int own = random.nextInt(sources.size() + 1);
      List<byte[]> cuts = Stream.generate(this::key)
          .limit(random.nextInt(4))
          .sorted(Arrays::compareUnsigned)
          .toList();
      for (boolean descending : new boolean[] {false, true}) {
        checkGroups(own, new ListGroups(own, cuts, descending), descending);
      }
    }
  }

  private void checkGroups(int own, ListGroups groups, boolean descending) {
    List<ListCursor> cursors = sources.subList(0, own).stream()
        .map(source -> new ListCursor(source, descending))
        .toList();
    EntryCursor merge = new MergingCursor(cursors, groups, descending);
    NavigableMap<byte[], Long> ordered = descending ? model.descendingMap() : model;
    assertThat(read(merge, merge.seekFirst()))
        .as(TestSeed.howToReplay(seed))
        .isEqualTo(List.copyOf(ordered.values()));
    for (int i = 0; i < 10; i++) {
      byte[] key = key();
      assertThat(read(merge, merge.seek(key, 0, key.length)))
          .as(TestSeed.howToReplay(seed))
          .isEqualTo(List.copyOf(ordered.tailMap(key, true).values()));
    }
  }

  /** The sources after the first ones, cut into groups at some keys. */
  private final class ListGroups implements MergingCursor.Groups {

    private final List<NavigableMap<byte[], Long>> grouped;
    private final List<byte[]> bounds = new ArrayList<>(); // where each group begins
    private final boolean descending;
    private int at;

    ListGroups(int own, List<byte[]> cuts, boolean descending) {
      this.grouped = sources.subList(own, sources.size());
      this.descending = descending;
      bounds.add(new byte[0]);
      bounds.addAll(cuts);
    }

    private NavigableMap<byte[], Long> part(int source) {
      NavigableMap<byte[], Long> from = grouped.get(source).tailMap(bounds.get(at), true);
      return at + 1 == bounds.size() ? from : from.headMap(bounds.get(at + 1), false);
    }

    private int count() {
      return at >= 0 && at < bounds.size() ? grouped.size() : 0;
    }

    @Override
    public int seek(byte[] key, int offset, int length) {
      at = bounds.size() - 1;
      while (Arrays.compareUnsigned(bounds.get(at), key) > 0) {
        at--;
      }
      return count();
    }

    @Override
    public int first() {
      at = descending ? bounds.size() - 1 : 0;
      return count();
    }

    @Override
    public int next() {
      at += descending ? -1 : 1;
      return count();
    }

    @Override
    public byte @Nullable [] start(int source) {
      NavigableMap<byte[], Long> part = part(source);
      int edge = descending ? at + 1 : at;
      return switch ((source + at) % 3) {
        case 0 -> edge < bounds.size() ? bounds.get(edge) : null;
        case 1 -> part.isEmpty() ? null : descending ? part.lastKey() : part.firstKey();
        default -> null;
      };
    }

    @Override
    public EntryCursor open(int source) {
      return new ListCursor(part(source), descending);
    }
  }

  @Test
  void oneSourceNeedsNoMerge() {
    ListCursor only = new ListCursor(map(), false);
    assertThat(MergingCursor.of(List.of(only), false)).isSameAs(only);
    assertThat(MergingCursor.of(List.<EntryCursor>of(), true).seekFirst()).isFalse();
  }
}
