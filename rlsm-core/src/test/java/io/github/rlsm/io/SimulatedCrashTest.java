// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.rlsm.kv.StoreIoException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests the effects of a simulated power loss. For every style and {@value #SEEDS} seeds no illegal
 * effect occurs, and every legal effect occurs for some seed.
 */
class SimulatedCrashTest {

  private static final int SEEDS = 300;
  private static final int PAGE = 4096;

  private final SimulatedDirectory directory = new SimulatedDirectory();

  @ParameterizedTest
  @EnumSource(CrashStyle.class)
  void forcedBytesUnderForcedNamesSurvive(CrashStyle style) {
    AppendFile file = directory.create("a");
    file.append(filled(10_000, 1));
    file.force();
    directory.syncDirectory();
    file.append(filled(10_000, 2));
    for (long seed = 0; seed < SEEDS; seed++) {
      byte[] found = directory.afterCrash(style, seed).bytes("a");
      assertThat(found).as("%s, seed %d", style, seed).hasSizeBetween(10_000, 20_000);
      assertThat(Arrays.copyOf(found, 10_000)).containsOnly(1);
    }
  }

  @Test
  void unforcedDataIsDroppedOrKeptByStyle() {
    AppendFile file = directory.create("a");
    file.append(filled(100, 1));
    file.force();
    directory.syncDirectory();
    file.append(filled(100, 2));
    directory.create("b").close();
    SimulatedDirectory dropped = directory.afterCrash(CrashStyle.DROP_UNSYNCED, 1);
    assertThat(dropped.list()).containsExactly("a");
    assertThat(dropped.size("a")).isEqualTo(100);
    SimulatedDirectory kept = directory.afterCrash(CrashStyle.KEEP_UNSYNCED, 1);
    assertThat(kept.list()).containsExactly("a", "b");
    assertThat(kept.size("a")).isEqualTo(200);
  }

  @Test
  void aCutMayBeLostUntilItIsForced() {
    MappedFile mapped = directory.createMapped("a", 3 * PAGE);
    mapped.memory().put(0, filled(3 * PAGE, 1), 0, 3 * PAGE);
    mapped.force(0, 3 * PAGE);
    directory.syncDirectory();
    mapped.truncate(PAGE);
    assertThat(directory.afterKill().size("a")).isEqualTo(PAGE);
    assertThat(directory.afterCrash(CrashStyle.DROP_UNSYNCED, 1).size("a")).isEqualTo(3 * PAGE);
    assertThat(directory.afterCrash(CrashStyle.KEEP_UNSYNCED, 1).size("a")).isEqualTo(PAGE);
    Set<Integer> lengths = new HashSet<>();
    for (CrashStyle style : CrashStyle.values()) {
      for (long seed = 0; seed < SEEDS; seed++) {
        byte[] found = directory.afterCrash(style, seed).bytes("a");
        assertThat(found).containsOnly(1);
        lengths.add(found.length);
      }
    }
    assertThat(lengths).containsExactlyInAnyOrder(PAGE, 3 * PAGE);
    mapped.force(0, PAGE);
    assertThat(directory.afterCrash(CrashStyle.DROP_UNSYNCED, 1).bytes("a"))
        .hasSize(PAGE)
        .containsOnly(1);
  }

  @Test
  void appendedTailMayBeCutHoledOrGarbage() {
    AppendFile file = directory.create("a");
    directory.syncDirectory();
    file.append(filled(4 * PAGE, 1));
    Set<Integer> lengths = new HashSet<>();
    Set<String> pages = new TreeSet<>();
    for (long seed = 0; seed < SEEDS; seed++) {
      byte[] found = directory.afterCrash(CrashStyle.RANDOM_PAGES, seed).bytes("a");
      lengths.add(found.length);
      pages.add(describePages(found));
    }
    assertThat(lengths).contains(0, 4 * PAGE).hasSizeGreaterThan(50);
    assertThat(pages)
        .contains("", "1", "11", "1111", "0000")
        .anyMatch(state -> state.contains("01"))
        .anyMatch(state -> state.contains("10"))
        .anyMatch(state -> state.contains("?"));
  }

  @Test
  void sectorsTear() {
    AppendFile file = directory.create("a");
    file.append(filled(PAGE, 1));
    file.force();
    directory.syncDirectory();
    MappedFile mapped = directory.openMapped("a");
    mapped.memory().put(0, filled(PAGE, 2), 0, PAGE);
    Set<String> whole = pageStates(CrashStyle.RANDOM_PAGES, 512);
    assertThat(whole).containsExactlyInAnyOrder("11111111", "22222222");
    Set<String> torn = pageStates(CrashStyle.TORN_SECTORS, 512);
    assertThat(torn).doesNotContain("?").contains("22221111", "11111111").hasSizeGreaterThan(50);
    assertThat(torn).allMatch(state -> state.matches("[12]{8}"));
  }

  @Test
  void mappedPagesTearAtCacheLines() {
    MappedFile mapped = directory.createMapped("a", PAGE);
    mapped.force(0, PAGE);
    directory.syncDirectory();
    mapped.memory().put(0, filled(PAGE, 2), 0, PAGE);
    Set<String> torn = pageStates(CrashStyle.TORN_LINES, 64);
    assertThat(torn).allMatch(state -> state.matches("[02]{64}")).hasSizeGreaterThan(100);
  }

  private Set<String> pageStates(CrashStyle style, int unit) {
    Set<String> states = new TreeSet<>();
    for (long seed = 0; seed < SEEDS; seed++) {
      states.add(describe(directory.afterCrash(style, seed).bytes("a"), unit));
    }
    return states;
  }

  @ParameterizedTest
  @EnumSource(CrashStyle.class)
  void onlyTheForcedRangeOfAMappingIsSafe(CrashStyle style) {
    MappedFile file = directory.createMapped("m", 4 * PAGE);
    directory.syncDirectory();
    file.memory().put(0, filled(4 * PAGE, 1), 0, 4 * PAGE);
    file.force(100, PAGE);
    Set<Byte> outside = new HashSet<>();
    for (long seed = 0; seed < SEEDS; seed++) {
      byte[] found = directory.afterCrash(style, seed).bytes("m");
      assertThat(found).as("the forced length").hasSize(4 * PAGE);
      assertThat(Arrays.copyOfRange(found, 100, 100 + PAGE)).containsOnly(1);
      outside.add(found[3 * PAGE]);
    }
    switch (style) {
      case DROP_UNSYNCED -> assertThat(outside).containsExactly((byte) 0);
      case KEEP_UNSYNCED -> assertThat(outside).containsExactly((byte) 1);
      case RANDOM_PAGES, TORN_SECTORS, TORN_LINES ->
        assertThat(outside).containsExactlyInAnyOrder((byte) 0, (byte) 1);
    }
  }

  @Test
  void neverForcedMappedFileMayHaveAnyLengthAndHoldsNoGarbage() {
    MappedFile file = directory.createMapped("m", 4 * PAGE);
    file.memory().put(0, filled(4 * PAGE, 1), 0, 4 * PAGE);
    directory.syncDirectory();
    Set<Integer> lengths = new HashSet<>();
    for (long seed = 0; seed < SEEDS; seed++) {
      byte[] found = directory.afterCrash(CrashStyle.TORN_LINES, seed).bytes("m");
      lengths.add(found.length);
      assertThat(describe(found, 64)).matches("[01]*");
    }
    assertThat(lengths).contains(0, 4 * PAGE).hasSizeGreaterThan(50);
  }

  @ParameterizedTest
  @EnumSource(CrashStyle.class)
  void renameIsAtomic(CrashStyle style) {
    write("CURRENT", "old");
    directory.syncDirectory();
    write("CURRENT.tmp", "new");
    directory.rename("CURRENT.tmp", "CURRENT");
    Set<String> outcomes = new TreeSet<>();
    for (long seed = 0; seed < SEEDS; seed++) {
      SimulatedDirectory survivor = directory.afterCrash(style, seed);
      outcomes.add(survivor.list() + " " + text(survivor, "CURRENT"));
    }
    switch (style) {
      case DROP_UNSYNCED -> assertThat(outcomes).containsExactly("[CURRENT] old");
      case KEEP_UNSYNCED -> assertThat(outcomes).containsExactly("[CURRENT] new");
      case RANDOM_PAGES, TORN_SECTORS, TORN_LINES ->
        assertThat(outcomes)
            .containsExactly("[CURRENT, CURRENT.tmp] old", "[CURRENT] new", "[CURRENT] old");
    }
  }

  @Test
  void namesMayComeAndGoInAnyOrderUntilForced() {
    write("a", "a");
    write("b", "b");
    directory.syncDirectory();
    directory.delete("a");
    write("c", "c");
    directory.rename("b", "d");
    Set<String> outcomes = new TreeSet<>();
    for (long seed = 0; seed < SEEDS; seed++) {
      SimulatedDirectory survivor = directory.afterCrash(CrashStyle.RANDOM_PAGES, seed);
      outcomes.add(String.join("", survivor.list()));
      survivor.list().forEach(name -> assertThat(text(survivor, name)).isIn("a", "b", "c"));
    }
    assertThat(outcomes).containsExactly("ab", "abc", "acd", "ad", "b", "bc", "cd", "d");
    directory.syncDirectory();
    assertThat(directory.afterCrash(CrashStyle.DROP_UNSYNCED, 1).list()).containsExactly("c", "d");
  }

  @Test
  void forcedFileMayLoseItsName() {
    write("a", "forced");
    assertThat(directory.afterCrash(CrashStyle.DROP_UNSYNCED, 1).list()).isEmpty();
  }

  @Test
  void forcedNameMayLoseItsBytes() {
    AppendFile file = directory.create("a");
    file.append(filled(100, 1));
    directory.syncDirectory();
    assertThat(directory.afterCrash(CrashStyle.DROP_UNSYNCED, 1).size("a")).isZero();
  }

  @Test
  void killKeepsAllButMakesNothingSafe() {
    write("a", "one");
    directory.syncDirectory();
    MappedFile file = directory.openMapped("a");
    file.memory().put(0, (byte) 'X');
    write("b", "two");
    SimulatedDirectory survivor = directory.kill();
    assertThat(text(survivor, "a")).isEqualTo("Xne");
    assertThat(survivor.list()).containsExactly("a", "b");
    SimulatedDirectory unplugged = survivor.crash(CrashStyle.DROP_UNSYNCED, 1);
    assertThat(unplugged.list()).containsExactly("a");
    assertThat(text(unplugged, "a")).isEqualTo("one");
  }

  @Test
  void survivorsOfACrashAreSafe() {
    AppendFile file = directory.create("a");
    file.append(filled(3 * PAGE, 1));
    for (long seed = 0; seed < SEEDS; seed++) {
      SimulatedDirectory survivor = directory.afterCrash(CrashStyle.TORN_LINES, seed);
      SimulatedDirectory again = survivor.afterCrash(CrashStyle.DROP_UNSYNCED, seed);
      assertThat(again.list()).isEqualTo(survivor.list());
      for (String name : survivor.list()) {
        assertThat(again.bytes(name)).isEqualTo(survivor.bytes(name));
      }
    }
  }

  @Test
  void deadHandlesCannotWrite() {
    AppendFile file = directory.create("a");
    MappedFile mapped = directory.createMapped("m", 10);
    ByteBuffer memory = mapped.memory();
    StoreDirectory.Lock lock = directory.lock();
    SimulatedDirectory survivor = directory.crash(CrashStyle.KEEP_UNSYNCED, 1);
    memory.put(0, (byte) 1);
    for (Runnable call : List.<Runnable>of(
        () -> file.append(filled(1, 1)),
        file::force,
        mapped::memory,
        () -> mapped.force(0, 10),
        () -> directory.create("b"),
        () -> directory.rename("a", "b"),
        () -> directory.delete("a"),
        directory::list,
        directory::lock,
        directory::syncDirectory)) {
      assertThatExceptionOfType(StoreIoException.class)
          .isThrownBy(call::run)
          .withMessageContaining("the power is off");
    }
    lock.close();
    mapped.close();
    file.close();
    assertThat(directory.openHandles()).isEmpty();
    assertThat(survivor.bytes("m")).containsOnly(0);
    assertThat(directory.afterKill().bytes("m")).as("later survivors, too").containsOnly(0);
    survivor.lock().close();
  }

  @Test
  void survivorsAreIndependent() {
    write("a", "one");
    SimulatedDirectory first = directory.afterKill();
    SimulatedDirectory second = directory.afterKill();
    append(first, "a", " first");
    append(second, "a", " second");
    append(directory, "a", " original");
    try (MappedFile mapped = first.openMapped("a")) {
      mapped.memory().put(0, (byte) 'X');
    }
    assertThat(text(first, "a")).isEqualTo("Xne first");
    assertThat(text(second, "a")).isEqualTo("one second");
    assertThat(text(directory, "a")).isEqualTo("one original");
  }

  @Test
  void sameSeedSameSurvivor() {
    write("a", "one");
    directory.createMapped("m", 3 * PAGE).memory().put(0, filled(3 * PAGE, 1), 0, 3 * PAGE);
    for (long seed = 0; seed < 50; seed++) {
      SimulatedDirectory first = directory.afterCrash(CrashStyle.TORN_LINES, seed);
      SimulatedDirectory second = directory.afterCrash(CrashStyle.TORN_LINES, seed);
      assertThat(first.list()).isEqualTo(second.list());
      for (String name : first.list()) {
        assertThat(first.bytes(name)).isEqualTo(second.bytes(name));
      }
    }
  }

  @Test
  void powerMayFailDuringACall() {
    List<SimulatedDirectory> survivors = new ArrayList<>();
    AppendFile file = directory.create("a");
    directory.onEvent(event -> {
      if (event.kind() == IoEvent.Kind.APPEND && !event.isBefore()) {
        survivors.add(directory.crash(CrashStyle.KEEP_UNSYNCED, 1));
      }
    });
    assertThatExceptionOfType(StoreIoException.class)
        .as("the caller gets no result")
        .isThrownBy(() -> file.append(filled(5, 1)));
    assertThat(survivors).singleElement().satisfies(s -> assertThat(s.size("a")).isEqualTo(5));
  }

  private void write(String name, String text) {
    directory.create(name).close();
    append(directory, name, text);
  }

  private static void append(SimulatedDirectory directory, String name, String text) {
    try (AppendFile file = directory.openAppend(name)) {
      file.append(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)));
      file.force();
    }
  }

  private static String text(SimulatedDirectory directory, String name) {
    return new String(directory.bytes(name), StandardCharsets.US_ASCII);
  }

  private static ByteBuffer filled(int length, int value) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, (byte) value);
    return ByteBuffer.wrap(bytes);
  }

  /** Returns a digit for each page with one value in all bytes, a question mark for other pages. */
  private static String describePages(byte[] bytes) {
    return describe(Arrays.copyOf(bytes, bytes.length / PAGE * PAGE), PAGE);
  }

  private static String describe(byte[] bytes, int unit) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < bytes.length; i += unit) {
      byte[] part = Arrays.copyOfRange(bytes, i, Math.min(i + unit, bytes.length));
      byte[] uniform = new byte[part.length];
      Arrays.fill(uniform, part[0]);
      text.append(Arrays.equals(part, uniform) ? String.valueOf(part[0]) : "?");
    }
    return text.toString();
  }
}
