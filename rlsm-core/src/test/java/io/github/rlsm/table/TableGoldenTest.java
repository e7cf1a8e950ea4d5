// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.table;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.base.EntryCursor;
import io.github.rlsm.base.EntryView;
import io.github.rlsm.base.KeyRange;
import io.github.rlsm.base.ValuePointer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The bytes of format version 1, as the first release wrote tables. These files never change: a
 * difference is a change of the format.
 */
class TableGoldenTest {

  private static final NavigableMap<byte[], TestEntry> MODEL = TestTables.model();

  static {
    MODEL.put(bytes("apple"), TestEntry.put(1000, bytes("red")));
    MODEL.put(bytes("apricot"), TestEntry.tombstone(1001));
    MODEL.put(bytes("avocado"), TestEntry.pointer(900, ValuePointer.of(3, 4096, true, 5000)));
    MODEL.put(bytes("azarole"), TestEntry.put(70_000, new byte[0]));
    MODEL.put(bytes("azimuth"), TestEntry.put(5, filled(500, 'x')));
    byte[] longKey = Arrays.copyOf(bytes("azure"), 260);
    MODEL.put(longKey, TestEntry.put(6, bytes("blue")));
    MODEL.put(bytes("azurite"), TestEntry.put(7, filled(900, 'y')));
    MODEL.put(bytes("azygos"), TestEntry.put(8, filled(1900, 'z')));
  }

  /** Three uncompressed pages, the last of two units. */
  @Test
  void theWriterStillWritesTheseBytes() {
    byte[] written = TestTables.write(settings(PageCompression.NONE), MODEL);
    assertThat(HexFormat.of().formatHex(written))
        .isEqualTo(HexFormat.of().formatHex(golden(PageCompression.NONE)));
  }

  /** The output of a compressor may differ between its versions. Reads must accept all of them. */
  @ParameterizedTest
  @EnumSource
  void theReaderStillReadsThem(PageCompression compression) {
    try (Table table = TestTables.open(golden(compression))) {
      TestTables.checkAll(table);
      EntryView view = new EntryView();
      EntryCursor cursor = table.cursor(KeyRange.ALL, false);
      boolean on = cursor.seekFirst();
      for (Map.Entry<byte[], TestEntry> entry : MODEL.entrySet()) {
        assertThat(TestTables.find(table, entry.getKey(), view)).isTrue();
        entry.getValue().assertIn(view);
        assertThat(on).isTrue();
        assertThat(TestEntry.key(cursor)).isEqualTo(entry.getKey());
        entry.getValue().assertAt(cursor);
        on = cursor.next();
      }
      assertThat(on).isFalse();
    }
  }

  private static TableWriter.Settings settings(PageCompression compression) {
    return new TableWriter.Settings(1024, 10, compression);
  }

  private static byte[] golden(PageCompression compression) {
    String name = "/format/v1/table-" + compression.name().toLowerCase(Locale.ROOT) + ".hex";
    try (InputStream file =
        Objects.requireNonNull(TableGoldenTest.class.getResourceAsStream(name), name)) {
      String hex = new String(file.readAllBytes(), US_ASCII).replaceAll("\\s", "");
      return HexFormat.of().parseHex(hex);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] filled(int length, char with) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, (byte) with);
    return bytes;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(US_ASCII);
  }
}
