// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.read;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.base.CursorEntry;
import io.github.rlsm.base.EntryCursor;
import io.github.rlsm.base.EntryView;
import io.github.rlsm.base.KeyBounds;
import io.github.rlsm.base.KeyHash;
import io.github.rlsm.base.KeyRange;
import io.github.rlsm.base.SeqnoRange;
import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.io.StoreFileName;
import io.github.rlsm.table.PageCache;
import io.github.rlsm.table.ReadCounters;
import io.github.rlsm.table.Table;
import io.github.rlsm.table.TableWriter;
import io.github.rlsm.table.TestEntry;
import io.github.rlsm.version.Partition;
import io.github.rlsm.version.Run;
import io.github.rlsm.version.TableMeta;
import io.github.rlsm.version.VersionEdit;
import io.github.rlsm.versionset.ManifestRecovery;
import io.github.rlsm.versionset.PinnedVersion;
import io.github.rlsm.versionset.VersionHost;
import io.github.rlsm.versionset.VersionSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests partitions with gaps between and inside them, and one whose runs are empty in its range.
 *
 * <p>Guards invariant I-4 of ARCHITECTURE.md.
 */
class PartitionGroupsTest {

  private static final long STORE_ID = 3;
  private static final int NOT_THERE = -1;

  private final SimulatedDirectory directory = new SimulatedDirectory();
  private final Table.Access access = new Table.Access(new PageCache(0), new ReadCounters(), true);
  private VersionSet<Table> versions;
  private PinnedVersion<Table> files;

  private final class Host implements VersionHost<Table> {

    @Override
    public Table openTable(TableMeta meta) {
      String name = StoreFileName.table(meta.number());
      return Table.open(directory.openReadOnly(name), STORE_ID, meta.number(), access);
    }

    @Override
    public void closeTable(Table table) {
      table.close();
    }

    @Override
    public void punchSegment(int number, long[] ranges) {
      throw new AssertionError("no segment here");
    }

    @Override
    public void freeSegment(int number) {
      throw new AssertionError("no segment here");
    }

    @Override
    public void execute(Runnable task) {
      task.run();
    }
  }

  @BeforeEach
  void open() {
    versions = VersionSet.open(
        directory,
        ManifestRecovery.recover(directory).withStoreId(STORE_ID, Map.of()),
        new Host(),
        1 << 20);
    VersionEdit.Builder edit = VersionEdit.builder();
    Run old = table(edit, 1, "b1", "b3", "b5", "f1");
    Run newer = table(edit, 2, "b3", "b4", "d1");
    Run last = table(edit, 3, "h1", "h2", "n1");
    List<Partition> partitions = List.of(
        new Partition(range("b", "c"), List.of(part(old, "b", "c"), part(newer, "b", "c"))),
        new Partition(range("d", "e"), List.of(part(newer, "d", "e"))),
        new Partition(range("k", "m"), List.of(part(last, "k", "m"))),
        new Partition(range("m", "p"), List.of(part(last, "m", "p"))));
    versions.install(edit.replacePartitions(List.of(), partitions).build());
    files = versions.pin();
  }

  @AfterEach
  void close() {
    files.unpin();
    versions.close();
  }

  private static byte[] key(String text) {
    return text.getBytes(US_ASCII);
  }

  private static KeyRange range(String from, String to) {
    return KeyRange.of(key(from), key(to));
  }

  private static Run part(Run whole, String from, String to) {
    return new Run(whole.table(), range(from, to), whole.bytes(), whole.entries());
  }

  /** Writes a table. The seqnos and values of its entries identify the table. */
  private Run table(VersionEdit.Builder edit, long seqno, String... keys) {
    long number = versions.newFileNumber();
    String name = StoreFileName.table(number);
    byte[] value = {(byte) seqno};
    try (TableWriter writer = new TableWriter(
        directory.create(name),
        TableWriter.Settings.DEFAULT,
        TableWriter.Size.of(keys.length),
        STORE_ID,
        number)) {
      for (String key : keys) {
        writer.add(TestEntry.put(seqno, value).at(key(key)));
      }
      writer.finish();
    }
    TableMeta meta = new TableMeta(
        number,
        directory.size(name),
        keys.length,
        keys.length,
        new KeyBounds(key(keys[0]), key(keys[keys.length - 1])),
        new SeqnoRange(seqno, seqno));
    edit.addTable(meta);
    return Run.whole(meta);
  }

  private static List<String> read(EntryCursor cursor, boolean found) {
    List<String> read = new ArrayList<>();
    for (boolean more = found; more; more = cursor.next()) {
      CursorEntry entry = cursor.entry();
      byte[] key = new byte[entry.keyLength()];
      entry.buffer().get(entry.keyOffset(), key);
      read.add(new String(key, US_ASCII) + "@" + entry.seqno());
    }
    return read;
  }

  private static EntryCursor merge(PinnedVersion<Table> files, boolean descending) {
    return new MergingCursor(
        List.of(), new ReadState.PartitionGroups(files, descending, Table.Wanted.ALL), descending);
  }

  private List<String> seek(String key, boolean descending) {
    EntryCursor cursor = merge(files, descending);
    return read(cursor, cursor.seek(key(key), 0, key.length()));
  }

  @Test
  void scanVisitsAllPartitions() {
    EntryCursor up = merge(files, false);
    assertThat(read(up, up.seekFirst()))
        .containsExactly("b1@1", "b3@2", "b4@2", "b5@1", "d1@2", "n1@3");
    EntryCursor down = merge(files, true);
    assertThat(read(down, down.seekFirst()))
        .containsExactly("n1@3", "d1@2", "b5@1", "b4@2", "b3@2", "b1@1");
  }

  @Test
  void seeksUp() {
    assertThat(seek("a", false)).hasSize(6).startsWith("b1@1");
    assertThat(seek("b3", false)).hasSize(5).startsWith("b3@2");
    assertThat(seek("b9", false)).containsExactly("d1@2", "n1@3");
    assertThat(seek("c5", false)).containsExactly("d1@2", "n1@3");
    assertThat(seek("d1", false)).containsExactly("d1@2", "n1@3");
    assertThat(seek("f1", false)).containsExactly("n1@3");
    assertThat(seek("l", false)).containsExactly("n1@3");
    assertThat(seek("n2", false)).isEmpty();
    assertThat(seek("z", false)).isEmpty();
  }

  @Test
  void seeksDown() {
    assertThat(seek("a", true)).isEmpty();
    assertThat(seek("b", true)).isEmpty();
    assertThat(seek("b1", true)).containsExactly("b1@1");
    assertThat(seek("c5", true)).hasSize(4).startsWith("b5@1");
    assertThat(seek("d0", true)).hasSize(4).startsWith("b5@1");
    assertThat(seek("h2", true)).hasSize(5).startsWith("d1@2");
    assertThat(seek("l", true)).hasSize(5).startsWith("d1@2");
    assertThat(seek("n0", true)).hasSize(5).startsWith("d1@2");
    assertThat(seek("z", true)).hasSize(6).startsWith("n1@3");
  }

  @Test
  void aScanReadsNoPageOfARunBeforeItReachesIt() {
    VersionEdit.Builder edit = VersionEdit.builder();
    Run low = table(edit, 4, "s1", "s2");
    Run middle = table(edit, 5, "s3", "s4");
    Run high = table(edit, 6, "s5", "s6");
    List<Run> runs =
        List.of(part(high, "s5", "s7"), part(low, "s1", "s3"), part(middle, "s3", "s5"));
    install(edit.replacePartitions(List.of(), List.of(new Partition(range("s", "t"), runs))));
    for (boolean descending : new boolean[] {false, true}) {
      EntryCursor cursor = merge(files, descending);
      long before = access.counters().pagesRead();
      assertThat(cursor.seek(key("s4"), 0, 2)).isTrue();
      assertThat(access.counters().pagesRead() - before).as("pages of a seek").isEqualTo(1);
      assertThat(read(cursor, true)).hasSize(descending ? 10 : 3);
    }
  }

  /** The other part of the table was rewritten, so its keys may be deleted by now. */
  @Test
  void aSliceShowsNothingOutsideOfItsRange() {
    VersionEdit.Builder edit = VersionEdit.builder();
    Run whole = table(edit, 4, "q1", "r1");
    Partition partition = new Partition(range("q", "s"), List.of(part(whole, "q", "r")));
    install(edit.replacePartitions(List.of(), List.of(partition)));
    assertThat(seek("q", false)).as("scanned").containsExactly("q1@4");
    assertThat(find("q1")).isEqualTo(4);
    assertThat(find("r1")).as("found by its key").isEqualTo(NOT_THERE);
  }

  @Test
  void aGetFindsTheNewestVersion() {
    assertThat(find("b5")).isEqualTo(1);
    assertThat(find("b3")).as("of two runs").isEqualTo(2);
    VersionEdit.Builder edit = VersionEdit.builder();
    edit.addL0(table(edit, 5, "b3", "b4"));
    edit.addL0(table(edit, 6, "b4"));
    install(edit);
    assertThat(find("b3")).isEqualTo(5);
    assertThat(find("b4")).as("of two tables in level 0").isEqualTo(6);
  }

  private void install(VersionEdit.Builder edit) {
    versions.install(edit.build());
    files.unpin();
    files = versions.pin();
  }

  /** Returns the value of the version that a get finds. */
  private int find(String key) {
    ReadState state = new ReadState(List.of(), files, new ReadCounters(), () -> {});
    EntryView found = new EntryView();
    byte[] bytes = key(key);
    long hash = KeyHash.hash(bytes, 0, bytes.length);
    return state.findInFiles(bytes, bytes.length, hash, null, found)
        ? found.buffer().get(found.valueOffset())
        : NOT_THERE;
  }

  @Test
  void levelWithoutPartitions() {
    SimulatedDirectory empty = new SimulatedDirectory();
    try (VersionSet<Table> none = VersionSet.open(
        empty,
        ManifestRecovery.recover(empty).withStoreId(STORE_ID, Map.of()),
        new Host(),
        1 << 20)) {
      PinnedVersion<Table> pinned = none.pin();
      for (boolean descending : new boolean[] {false, true}) {
        EntryCursor cursor = merge(pinned, descending);
        assertThat(cursor.seekFirst()).isFalse();
        assertThat(cursor.seek(key("k"), 0, 1)).isFalse();
      }
      pinned.unpin();
    }
  }
}
